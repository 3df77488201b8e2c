/* What of their bound the first Livermore kernels reach by how they were compiled (001,
   figure 5.4): what samples/livermore/livermore.sh --csv wrote, as NAME.livermore.csv beside the
   table. */
#include "estimator/pictures/kinds.h"
#include "model/base/memory.h"
#include "model/base/number.h"
#include "model/base/path.h"

#include <stdlib.h>
#include <string.h>

enum { KERNELS_MOST = 12, BUILDS_MOST = 24, BEFORE_BUILDS = 3 };

struct shares {
    size_t builds, kernels;
    char *names[BUILDS_MOST]; /* owned */
    double number[KERNELS_MOST], percent[KERNELS_MOST][BUILDS_MOST];
};

static int refuse(const char *path, unsigned line, const char *what, struct error *error)
{
    return error_at(error, place_at(path, line, 1), "%s", what);
}

static int read_header(char *line, const char *path, struct shares *shares, struct error *error)
{
    static const char begin[] = "kernel,n,limit,";
    if (strncmp(line, begin, sizeof begin - 1) != 0)
        return refuse(path, 1, "expected kernel,n,limit and builds, of livermore.sh --csv", error);
    char *rest = line + sizeof begin - 1;
    for (char *name; (name = strsep(&rest, ",")) && shares->builds < BUILDS_MOST;)
        shares->names[shares->builds++] = memory_copy_text(name);
    return 0;
}

/* Rows of kernels; the one of averages is not drawn. */
static int read_row(char *line, const char *path, unsigned number, struct shares *shares,
                    struct error *error)
{
    static const char wrong[] = "expected lfk01 to lfk12, n, a limit and per cent, one a build";
    const size_t row = shares->kernels;
    char *rest = line;
    const char *kernel = strsep(&rest, ",");
    if (strcmp(kernel, "average") == 0)
        return 0;
    if (row == KERNELS_MOST || strncmp(kernel, "lfk", 3) != 0 ||
        !number_parse(kernel + 3, &shares->number[row]))
        return refuse(path, number, wrong, error);
    for (size_t i = 1; i < BEFORE_BUILDS; i++)
        strsep(&rest, ",");
    for (size_t i = 0; i < shares->builds; i++) {
        const char *text = strsep(&rest, ",");
        if (!text || !number_parse(text, &shares->percent[row][i]))
            return refuse(path, number, wrong, error);
    }
    shares->kernels++;
    return rest ? refuse(path, number, wrong, error) : 0;
}

static int read_lines(FILE *stream, const char *path, struct shares *shares, struct error *error)
{
    char *line = NULL;
    size_t room = 0;
    unsigned number = 0;
    int status = 0;
    while (status == 0 && getline(&line, &room, stream) >= 0) {
        line[strcspn(line, "\r\n")] = '\0';
        status = ++number == 1 ? read_header(line, path, shares, error)
                               : read_row(line, path, number, shares, error);
    }
    free(line);
    return status == 0 && shares->kernels == 0 ? refuse(path, number + 1, "expected kernels", error)
                                               : status;
}

static int read_shares(const struct machine *machine, const char *path, struct shares *shares,
                       struct error *error)
{
    FILE *stream = fopen(path, "r");
    if (!stream)
        return picture_missing(
            machine, "NAME.livermore.csv beside it, which livermore.sh --csv writes", error);
    const int status = read_lines(stream, path, shares, error);
    fclose(stream);
    return status;
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
    const int status = read_shares(machine, path, &shares, error);
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
