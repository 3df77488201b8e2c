/* estimator learn: a measured table's functions of p learned again, from the regions that it keeps
   for each processor count, with another vocabulary; nothing is measured. */
#include "model/fit/learn.h"
#include "estimator/commands/commands.h"
#include "estimator/output/options.h"
#include "model/base/allocation.h"
#include "model/base/path.h"
#include "model/fit/summary.h"
#include "model/machine/swap_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct options_face face = {
    .arguments = "TABLE",
    .example = "learn machines/sp2-mpl.yaml",
    .doc = "The table again, as YAML on standard output or as -o TABLE, with what stands beside it "
           "there, with the terms in p of every utility that "
           "was measured at several processor counts learned anew from the regions at each count. "
           "--terms restricts the vocabulary. A region's errors are then how far the functions are "
           "from the regions that they were learned from.",
    .takes = "to",
    .least = 1,
    .most = 1,
    .rewrites = true,
};

static int no_term(const char *name, struct error *error)
{
    char all[NAMES_TEXT];
    return error_set(error, "--terms: '%s' is no term: expected some of %s", name,
                     basis_names(all));
}

static int read_terms(const char *text, bool allowed[BASIS_COUNT], struct error *error)
{
    for (size_t i = 0; i < BASIS_COUNT; i++)
        allowed[i] = text == NULL;
    while (text && *text) {
        char name[40];
        const size_t length = strcspn(text, ",");
        if (length >= sizeof name)
            return error_set(error, "--terms: '%.40s' is no term", text);
        memcpy(name, text, length);
        name[length] = '\0';
        const size_t basis = basis_named(name);
        if (basis == BASIS_COUNT)
            return no_term(name, error);
        allowed[basis] = true;
        text += length + (text[length] == ',');
    }
    return 0;
}

/* ---- errors: the functions against the regions that they were learned from ---- */

enum { SIZES_A_REGION = 3 };

static int upwards(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Its ends and its middle, within what was measured. */
static double size_in(const struct cost *cost, size_t region, size_t which)
{
    const struct region *regions = cost->regions.items;
    const double most = isnan(cost->bytes.most) ? 1048576.0 : cost->bytes.most;
    const bool first = region == 0 || isinf(regions[region - 1].bytes_upto);
    const double low = first ? 0.0 : regions[region - 1].bytes_upto + 1.0;
    const double high = fmin(regions[region].bytes_upto, most);
    return which == 0 ? low : which == 1 ? sqrt(fmax(low, 1.0) * high) : high;
}

static void set_errors(struct cost *cost, size_t region)
{
    struct region *learned = (struct region *)cost->regions.items + region;
    const struct at_processors *at = cost->by_processors.items;
    double *errors = memory_new(cost->by_processors.count * SIZES_A_REGION, sizeof *errors);
    size_t count = 0;
    for (size_t i = 0; i < cost->by_processors.count; i++) {
        const struct region *own = learned_from(cost, region, &at[i]);
        for (size_t which = 0; own && which < SIZES_A_REGION; which++) {
            const double bytes = size_in(cost, region, which);
            const double own_us = region_time_us(own, bytes, at[i].processors);
            if (own_us > 0.0)
                errors[count++] =
                    fabs(region_time_us(learned, bytes, at[i].processors) - own_us) / own_us;
        }
    }
    qsort(errors, count, sizeof *errors, upwards);
    if (count > 0) {
        learned->error.fitted_median = summary_quantile(errors, count, 0.5);
        learned->error.fitted_p95 = summary_quantile(errors, count, 0.95);
        learned->error.points = (double)count;
    }
    free(errors);
}

static void learn_all(struct machine *machine, const bool allowed[BASIS_COUNT])
{
    struct cost *costs = machine->communication.items;
    for (size_t i = 0; i < machine->communication.count; i++) {
        if (costs[i].by_processors.count < 2)
            continue;
        learn_regions(&costs[i], allowed);
        for (size_t k = 0; k < costs[i].regions.count; k++)
            set_errors(&costs[i], k);
    }
}

/* ---- the table again ---- */

/* The swaps and the table take their places together. */
static int keep_with_rows(struct machine *machine, struct file_out *table, struct error *error)
{
    struct file_out rows;
    char *path = swap_rows_path(table->path);
    int status = path_check_beside(path, swap_rows_begin, error);
    if (status == 0)
        status = swap_rows_put(machine, &rows, path, error);
    if (status == 0)
        status = file_out_keep_both(&rows, table, error);
    file_out_drop(table);
    free(path);
    return status;
}

/* The experiments with swaps, which tables of format 1 have in themselves, go beside the table. */
static int write_again(struct machine *machine, const char *path, struct error *error)
{
    if (path) {
        struct file_out out;
        if (swap_rows_read(machine, error) != 0 || machine_put(machine, &out, path, error) != 0)
            return -1;
        return machine->swap_rows.count > 0 ? keep_with_rows(machine, &out, error)
                                            : file_out_keep(&out, error);
    }
    if (machine->swap_rows.count > 0)
        return error_at(error, place_at(machine->path, 0, 0),
                        "its swaps go into a file beside the new table: expected -o TABLE");
    return machine_write(machine, stdout) ? 0 : error_set(error, "the table cannot be written");
}

int cmd_learn(int argc, char **argv, struct error *error)
{
    struct options options;
    struct machine machine;
    bool allowed[BASIS_COUNT];
    if (options_parse(&face, argc, argv, &options, error) != 0)
        return -1;
    int status = read_terms(options.terms, allowed, error);
    if (status == 0)
        status = machine_read(&machine, options.arguments[0], error);
    if (status == 0) {
        learn_all(&machine, allowed);
        status = write_again(&machine, options.output, error);
        machine_free(&machine);
    }
    options_free(&options);
    return status;
}
