/* What of their bound the first Livermore kernels reach by how they were compiled (Abandah, IBM
   SP2, figure 5.4): what samples/livermore/livermore.sh --csv wrote, as NAME.livermore.csv beside
   the table. */
#include "estimator/pictures/kinds.h"
#include "model/base/allocation.h"
#include "model/base/number.h"
#include "model/base/path.h"
#include "model/records/csv_in.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KERNELS_MOST = 12, BUILDS_MOST = 24, BEFORE_BUILDS = 3 };

struct shares {
    size_t builds, kernels;
    char *names[BUILDS_MOST]; /* owned */
    double number[KERNELS_MOST], percent[KERNELS_MOST][BUILDS_MOST];
};

static int read_header(struct csv_in *csv, struct shares *shares, struct error *error)
{
    static const char begin[] = "kernel,n,limit,";
    if (strncmp(csv->line, begin, sizeof begin - 1) != 0)
        return error_at(error, csv_line_place(csv),
                        "expected kernel,n,limit and builds, of livermore.sh --csv");
    for (char *rest = csv->line + sizeof begin - 1; rest && shares->builds < BUILDS_MOST;)
        shares->names[shares->builds++] = memory_copy_text(csv_cell(&rest));
    return 0;
}

/* Rows of kernels; the one of averages is not drawn. */
static int read_row(struct csv_in *csv, struct shares *shares, struct error *error)
{
    const size_t row = shares->kernels;
    size_t cells = 0;
    for (char *rest = csv->line; rest; cells++) {
        const char *cell = csv_cell(&rest);
        double number = 0.0;
        if (cells == 0 && strcmp(cell, "average") == 0)
            return 0;
        if (cells == 0 && (row == KERNELS_MOST || strncmp(cell, "lfk", 3) != 0 ||
                           !number_parse(cell + 3, &shares->number[row])))
            return error_at(error, csv_place(csv, cell), "'%.60s': expected lfk01 to lfk12", cell);
        if (cells < BEFORE_BUILDS || cells >= BEFORE_BUILDS + shares->builds)
            continue;
        if (!number_parse(cell, &number))
            return error_at(error, csv_place(csv, cell), "'%.60s': expected per cent", cell);
        shares->percent[row][cells - BEFORE_BUILDS] = number;
    }
    shares->kernels++;
    return csv_expect(csv, cells, BEFORE_BUILDS + shares->builds, error);
}

static int read_shares(const char *path, struct shares *shares, struct error *error)
{
    struct csv_in csv;
    if (csv_open(&csv, path, error) != 0)
        return -1;
    int status = read_header(&csv, shares, error), more = 0;
    while (status == 0 && (more = csv_next(&csv, error)) > 0)
        status = read_row(&csv, shares, error);
    if (status == 0 && more == 0 && shares->kernels == 0)
        status = error_at(error, csv_line_place(&csv), "expected kernels below");
    csv_close(&csv);
    return status == 0 ? more : status;
}

static void draw_shares(struct picture *picture, const struct machine *machine,
                        const struct shares *shares)
{
    for (size_t i = 0; i < shares->builds; i++) {
        if (!picture_series(picture, machine, PLOT_MARKS, picture->colours++, "%s",
                            shares->names[i]))
            return;
        for (size_t k = 0; k < shares->kernels; k++)
            plot_point(&picture->plot, shares->number[k], shares->percent[k][i]);
        plot_series_end(&picture->plot);
    }
}

int draw_bound(struct picture *picture, const struct machine *machine, struct error *error)
{
    struct shares shares = {0};
    char *path = path_beside(machine->path, ".livermore.csv");
    const int status =
        access(path, F_OK) == 0
            ? read_shares(path, &shares, error)
            : picture_missing(
                  machine, "NAME.livermore.csv beside it, which livermore.sh --csv writes", error);
    if (status == 0 && picture->drawn == 0) {
        plot_axes(&picture->plot, "Livermore kernel", "measured performance / bound, %", false,
                  false);
        if (plot_series(&picture->plot, "the bound", PLOT_LINE, picture->colours++)) {
            plot_point(&picture->plot, 1.0, 100.0);
            plot_point(&picture->plot, KERNELS_MOST, 100.0);
            plot_series_end(&picture->plot);
        }
    }
    if (status == 0)
        draw_shares(picture, machine, &shares);
    for (size_t i = 0; i < shares.builds; i++)
        free(shares.names[i]);
    free(path);
    return status;
}
