/* estimator rank --bands: the winner over the values of one parameter. */
#include "estimator/commands/rank_run.h"
#include "estimator/output/output.h"

int rank_find_banded(struct rank_run *run, struct error *error)
{
    for (size_t i = 0; i < run->axes.count; i++) {
        if (run->axes.items[i].values.count < 2)
            continue;
        if (run->banded)
            return error_set(error,
                             "--bands with several values of both %s and %s: expected one "
                             "parameter with several",
                             run->banded->name, run->axes.items[i].name);
        run->banded = &run->axes.items[i];
    }
    return run->banded ? 0
                       : error_set(error, "--bands needs a parameter with several values: "
                                          "-D NAME=FROM:TO:+1");
}

static void add_band(struct rank_run *run, const struct machine *machine, const struct band *band,
                     double processors)
{
    struct report *report = run->report;
    if (run->several_machines)
        report_text(report, machine->machine.name);
    report_number(report, processors);
    for (size_t i = 0; i < run->axes.count; i++)
        if (&run->axes.items[i] != run->banded)
            report_number(report, axis_value(&run->axes.items[i]));
    report_number(report, band->from);
    report_number(report, band->to);
    report_text(report, band->best);
    report_number(report, band->least);
    run->rows++;
}

/* Text says in a line what the bands amount to. */
static void print_settled(const struct rank_run *run, const struct list *bands, double processors)
{
    const struct band *items = bands->items;
    const size_t count = bands->count;
    if (!report_is_text(run->options->format) || count <= 2)
        return;
    printf("p = %.0f: ", processors);
    output_named(run->banded->name);
    printf(" changes the best %zu times; settled outside %g..%g\n", count - 1, items[1].from,
           items[count - 1].from);
}

void rank_add_bands(struct rank_run *run, const struct machine *machine, const double *processors,
                    size_t count)
{
    for (size_t i = 0; i < count && run->banded; i++) {
        const struct band *bands = run->bands[i].list.items;
        for (size_t k = 0; k < run->bands[i].list.count; k++)
            add_band(run, machine, &bands[k], processors[i]);
        print_settled(run, &run->bands[i].list, processors[i]);
        bands_free(&run->bands[i]);
    }
}
