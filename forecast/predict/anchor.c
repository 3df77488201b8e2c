#include "forecast/predict/anchor.h"

#include <math.h>

/* Runs of a program one after the other on a quiet machine: ten of samples/jacobi on two cores of a
   virtual machine had a standard deviation of 1.4 %, and one of some forty was 18 % longer. */
static const double run_spread = 0.05;

/* An error of computation at one setting is not that at another, where other caches hold the data:
   so much of it stays however sure the run is. With it 35 of 38 totals of samples at another size
   lay in their 90 % interval, and 62 of 70 of other candidates at the same size, on two cores. */
static const double left_least = 0.5;

/* Variances of the run's parts, us^2. */
struct variances {
    double compute, communicate, run;
};

static struct variances variances_of(const struct segment_prediction *run, double total_us)
{
    const struct uncertain *items = run->uncertain.list.items;
    double shared_us = 0.0, own = 0.0, communicate = 0.0;
    for (size_t i = 0; i < run->uncertain.list.count; i++) {
        const double mine = pow(items[i].time_us * items[i].own, 2.0);
        if (items[i].region) {
            communicate += mine + pow(items[i].time_us * items[i].shared, 2.0);
        } else {
            shared_us += items[i].time_us * items[i].shared;
            own += mine;
        }
    }
    return (struct variances){shared_us * shared_us + own, communicate,
                              pow(run_spread * total_us, 2.0)};
}

/* The standard deviation that a part's error keeps, where the others' errors hide it. */
static double left_of(double part, double others)
{
    return part > 0.0 ? fmax(left_least, sqrt(others / (part + others))) : 1.0;
}

static int refuse(const char *what, double measured_us, double predicted_us, struct error *error)
{
    return error_set(error,
                     "%s that was measured took %.4g us, where %.4g us are predicted: that is no "
                     "factor for other settings",
                     what, measured_us, predicted_us);
}

static int make_of_parts(struct anchor *anchor, const struct segment_prediction *run,
                         double total_us, double communicate_us, struct error *error)
{
    const double compute_us = total_us - communicate_us;
    const struct variances of = variances_of(run, total_us);
    if (communicate_us > 0.0 && !(run->communicate_us > 0.0))
        return refuse("communication", communicate_us, run->communicate_us, error);
    if (!(compute_us > 0.0 && run->compute_us > 0.0) &&
        !(compute_us == 0.0 && run->compute_us == 0.0))
        return refuse("computation", compute_us, run->compute_us, error);
    anchor->compute = run->compute_us > 0.0 ? compute_us / run->compute_us : 1.0;
    anchor->communicate = communicate_us > 0.0 ? communicate_us / run->communicate_us : 1.0;
    anchor->compute_left = left_of(of.compute, of.run);
    return 0;
}

static void make_of_total(struct anchor *anchor, const struct segment_prediction *run,
                          double total_us)
{
    const struct variances of = variances_of(run, total_us);
    const double both = of.compute + of.communicate, more_us = total_us - run->total_us;
    const double compute_us = run->compute_us + more_us * of.compute / both;
    const double communicate_us = run->communicate_us + more_us * of.communicate / both;
    anchor->compute = anchor->communicate = total_us / run->total_us;
    if (both > 0.0 && !run->no_error && compute_us >= 0.0 && communicate_us >= 0.0) {
        anchor->compute = run->compute_us > 0.0 ? compute_us / run->compute_us : 1.0;
        anchor->communicate =
            run->communicate_us > 0.0 ? communicate_us / run->communicate_us : 1.0;
    }
    anchor->compute_left = left_of(of.compute, of.communicate + of.run);
}

int anchor_make(struct anchor *anchor, const struct segment_prediction *run, double total_us,
                double communicate_us, struct error *error)
{
    *anchor = (struct anchor){.run = run_spread};
    if (!(run->total_us > 0.0))
        return refuse("a run", total_us, run->total_us, error);
    if (!isnan(communicate_us))
        return make_of_parts(anchor, run, total_us, communicate_us, error);
    make_of_total(anchor, run, total_us);
    return 0;
}

void anchor_apply(const struct anchor *anchor, struct segment_prediction *segment)
{
    struct item *items = segment->items.items;
    double total_us = 0.0;
    for (size_t i = 0; i < segment->items.count; i++) {
        const double factor = items[i].computes ? anchor->compute : anchor->communicate;
        items[i].time_us *= factor;
        items[i].low_us *= factor;
        items[i].high_us *= factor;
        items[i].each_us *= factor;
        items[i].alone_us *= factor;
        total_us += items[i].time_us;
    }
    segment->mean_us *= anchor->compute;
    uncertain_scale(&segment->uncertain, anchor->compute, anchor->compute_left, true);
    uncertain_scale(&segment->uncertain, anchor->communicate, 1.0, false);
    uncertain_add_of_run(&segment->uncertain, anchor->run, total_us);
}
