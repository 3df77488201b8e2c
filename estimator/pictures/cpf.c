/* Cycles per floating-point operation against the bytes of all arrays (Abandah, IBM SP2, figure
   5.6): what samples/livermore/cpf.sh wrote, as NAME.cpf.csv beside the table: the size, what was
   measured, and what bounds it. */
#include "estimator/pictures/kinds.h"
#include "model/base/allocation.h"
#include "model/base/number.h"
#include "model/base/path.h"
#include "model/records/csv_in.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SERIES_MOST = 8 };

/* The rows, all numbers of one after those of the other. */
struct sizes {
    size_t series, rows;
    char *names[SERIES_MOST]; /* owned */
    double *bytes, (*cpf)[SERIES_MOST];
};

static int read_header(struct csv_in *csv, struct sizes *sizes, struct error *error)
{
    static const char begin[] = "bytes,";
    if (strncmp(csv->line, begin, sizeof begin - 1) != 0)
        return error_at(error, csv_line_place(csv), "expected bytes and series, of cpf.sh");
    for (char *rest = csv->line + sizeof begin - 1; rest && sizes->series < SERIES_MOST;)
        sizes->names[sizes->series++] = memory_copy_text(csv_cell(&rest));
    return 0;
}

static int read_row(struct csv_in *csv, struct sizes *sizes, struct error *error)
{
    const size_t row = sizes->rows++;
    size_t cells = 0;
    sizes->bytes = memory_grow(sizes->bytes, sizes->rows, sizeof *sizes->bytes);
    sizes->cpf = memory_grow(sizes->cpf, sizes->rows, sizeof *sizes->cpf);
    for (char *rest = csv->line; rest; cells++) {
        const char *cell = csv_cell(&rest);
        double number;
        if (cells > sizes->series)
            continue;
        if (!number_parse(cell, &number) || number <= 0.0)
            return error_at(error, csv_place(csv, cell), "'%.60s': expected a number above 0",
                            cell);
        *(cells == 0 ? &sizes->bytes[row] : &sizes->cpf[row][cells - 1]) = number;
    }
    return csv_expect(csv, cells, 1 + sizes->series, error);
}

static int read_sizes(const char *path, struct sizes *sizes, struct error *error)
{
    struct csv_in csv;
    if (csv_open(&csv, path, error) != 0)
        return -1;
    int status = read_header(&csv, sizes, error), more = 0;
    while (status == 0 && (more = csv_next(&csv, error)) > 0)
        status = read_row(&csv, sizes, error);
    if (status == 0 && more == 0 && sizes->rows == 0)
        status = error_at(error, csv_line_place(&csv), "expected sizes below");
    csv_close(&csv);
    return status == 0 ? more : status;
}

/* Marks for what was measured, which comes first. */
static void draw_sizes(struct picture *picture, const struct machine *machine,
                       const struct sizes *sizes)
{
    for (size_t i = 0; i < sizes->series; i++) {
        if (!picture_series(picture, machine, i == 0 ? PLOT_MARKS : PLOT_LINE, picture->colours++,
                            "%s", sizes->names[i]))
            return;
        for (size_t k = 0; k < sizes->rows; k++)
            plot_point(&picture->plot, sizes->bytes[k], sizes->cpf[k][i]);
        plot_series_end(&picture->plot);
    }
}

int draw_cpf(struct picture *picture, const struct machine *machine, struct error *error)
{
    struct sizes sizes = {0};
    char *path = path_beside(machine->path, ".cpf.csv");
    const int status =
        access(path, F_OK) == 0
            ? read_sizes(path, &sizes, error)
            : picture_missing(machine, "NAME.cpf.csv beside it, which cpf.sh writes", error);
    if (status == 0 && picture->drawn == 0)
        plot_axes(&picture->plot, "bytes of both arrays", "cycles per floating-point operation",
                  true, false);
    if (status == 0)
        draw_sizes(picture, machine, &sizes);
    for (size_t i = 0; i < sizes.series; i++)
        free(sizes.names[i]);
    free(sizes.bytes);
    free(sizes.cpf);
    free(path);
    return status;
}
