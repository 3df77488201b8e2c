/* The shares of routines' measured times that bounds explain (Abandah, IBM SP2, table 5.1 and
   figure 5.5): NAME.routines.csv beside the table, whose rows are routines and whose columns are
   bounds, in per cent of the measured time. */
#include "estimator/pictures/kinds.h"
#include "model/base/allocation.h"
#include "model/base/number.h"
#include "model/base/path.h"
#include "model/records/csv_in.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BOUNDS_MOST = 8 };

struct routines {
    size_t bounds, rows;
    char *titles[BOUNDS_MOST], **names; /* owned */
    double (*percent)[BOUNDS_MOST];
};

static int read_header(struct csv_in *csv, struct routines *routines, struct error *error)
{
    static const char begin[] = "routine,";
    if (strncmp(csv->line, begin, sizeof begin - 1) != 0)
        return error_at(error, csv_line_place(csv), "expected routine and bounds between commas");
    for (char *rest = csv->line + sizeof begin - 1; rest && routines->bounds < BOUNDS_MOST;)
        routines->titles[routines->bounds++] = memory_copy_text(csv_cell(&rest));
    return 0;
}

static int read_row(struct csv_in *csv, struct routines *routines, struct error *error)
{
    const size_t row = routines->rows++;
    char *rest = csv->line;
    size_t cells = 1;
    routines->names = memory_grow(routines->names, routines->rows, sizeof *routines->names);
    routines->percent = memory_grow(routines->percent, routines->rows, sizeof *routines->percent);
    routines->names[row] = memory_copy_text(csv_cell(&rest));
    for (; rest; cells++) {
        const char *cell = csv_cell(&rest);
        double number;
        if (cells > routines->bounds)
            continue;
        if (!number_parse(cell, &number) || number < 0.0)
            return error_at(error, csv_place(csv, cell), "'%.60s': expected per cent, at least 0",
                            cell);
        routines->percent[row][cells - 1] = number;
    }
    return csv_expect(csv, cells, 1 + routines->bounds, error);
}

static int read_routines(const char *path, struct routines *routines, struct error *error)
{
    struct csv_in csv;
    if (csv_open(&csv, path, error) != 0)
        return -1;
    int status = read_header(&csv, routines, error), more = 0;
    while (status == 0 && (more = csv_next(&csv, error)) > 0)
        status = read_row(&csv, routines, error);
    if (status == 0 && more == 0 && routines->rows == 0)
        status = error_at(error, csv_line_place(&csv), "expected routines below");
    csv_close(&csv);
    return status == 0 ? more : status;
}

static void free_routines(struct routines *routines)
{
    for (size_t i = 0; i < routines->bounds; i++)
        free(routines->titles[i]);
    for (size_t i = 0; i < routines->rows; i++)
        free(routines->names[i]);
    free(routines->names);
    free(routines->percent);
}

/* The routines of a further machine stand to the right of those before. */
static void draw_shares(struct picture *picture, const struct machine *machine,
                        const struct routines *routines)
{
    const int before = picture->plot.names;
    for (size_t k = 0; k < routines->rows; k++)
        plot_name(&picture->plot, routines->names[k]);
    for (size_t i = 0; i < routines->bounds; i++) {
        if (!picture_series(picture, machine, PLOT_MARKS, picture->colours++, "%s",
                            routines->titles[i]))
            return;
        for (size_t k = 0; k < routines->rows; k++)
            plot_point(&picture->plot, before + 1.0 + (double)k, routines->percent[k][i]);
        plot_series_end(&picture->plot);
    }
    if (!picture_series(picture, machine, PLOT_LINE, picture->colours++, "measured time"))
        return;
    plot_point(&picture->plot, before + 0.75, 100.0);
    plot_point(&picture->plot, (double)picture->plot.names + 0.25, 100.0);
    plot_series_end(&picture->plot);
}

int draw_routines(struct picture *picture, const struct machine *machine, struct error *error)
{
    struct routines routines = {0};
    char *path = path_beside(machine->path, ".routines.csv");
    const int status =
        access(path, F_OK) == 0
            ? read_routines(path, &routines, error)
            : picture_missing(machine,
                              "NAME.routines.csv beside it: routine,BOUND,... and rows of per "
                              "cent of the measured time",
                              error);
    if (status == 0 && picture->drawn == 0)
        plot_axes(&picture->plot, "routine", "bound / measured time, %", false, false);
    if (status == 0)
        draw_shares(picture, machine, &routines);
    free_routines(&routines);
    free(path);
    return status;
}
