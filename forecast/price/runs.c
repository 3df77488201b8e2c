#include "forecast/price/runs.h"

#include <math.h>

const double run_error = 1e-3 / 3.0;

/* One use of a run, by its number, and what it costs. */
struct priced {
    double number;
    struct use use;
    struct charge charge;
};

/* A run that is being priced. */
struct pass {
    const struct run_pricing *pricing;
    const struct use *run;
};

static int price(const struct pass *pass, double number, struct priced *priced, struct error *error)
{
    priced->number = number;
    priced->use = use_in_run(pass->run, number);
    return pass->pricing->price(pass->pricing->state, &priced->use, &priced->charge, error);
}

static void add(const struct pass *pass, const struct priced *priced, double sizes)
{
    pass->pricing->add(pass->pricing->state, &priced->use, &priced->charge, sizes);
}

/* ---- costs on a line ---- */

/* Made of the same regions, of which the first that holds at two sizes holds between, and with the
   same remarks. */
static bool are_alike(const struct charge *one, const struct charge *other)
{
    bool alike = one->part_count == other->part_count && one->flags == other->flags &&
                 one->instead_of == other->instead_of && one->packing == other->packing;
    for (size_t k = 0; alike && k < one->part_count; k++)
        alike = one->parts[k].cost == other->parts[k].cost &&
                one->parts[k].each.region == other->parts[k].each.region;
    return alike;
}

static bool is_between(double first, double here, double last, double share)
{
    const double expected = first + share * (last - first);
    return fabs(here - expected) <= 3.0 * run_error * fabs(expected);
}

static bool is_on_line(const struct charge *first, const struct charge *here,
                       const struct charge *last, double share)
{
    return are_alike(first, here) &&
           is_between(first->time_us, here->time_us, last->time_us, share) &&
           is_between(first->alone_us, here->alone_us, last->alone_us, share) &&
           is_between(first->low_us, here->low_us, last->low_us, share) &&
           is_between(first->high_us, here->high_us, last->high_us, share);
}

/* ---- a stretch of a run ---- */

/* The sum over all sizes of a parabola through the first, the middle and the last one: Simpson's
   rule, for points in place of an area. */
static void add_parabola(const struct pass *pass, const struct priced *first,
                         const struct priced *middle, const struct priced *last, double sizes)
{
    const double at_end = sizes * (sizes + 1.0) / (6.0 * (sizes - 1.0));
    add(pass, first, at_end);
    add(pass, middle, sizes - 2.0 * at_end);
    add(pass, last, at_end);
}

static int add_stretch(const struct pass *pass, const struct priced *first,
                       const struct priced *last, struct error *error);

static int add_halves(const struct pass *pass, const struct priced *first,
                      const struct priced *last, struct error *error)
{
    const double half = floor(0.5 * (first->number + last->number));
    struct priced end, begin;
    if (price(pass, half, &end, error) != 0 || price(pass, half + 1.0, &begin, error) != 0 ||
        add_stretch(pass, first, &end, error) != 0)
        return -1;
    return add_stretch(pass, &begin, last, error);
}

static int add_stretch(const struct pass *pass, const struct priced *first,
                       const struct priced *last, struct error *error)
{
    const double further = last->number - first->number;
    bool on_line = are_alike(&first->charge, &last->charge);
    struct priced at[3];
    if (further < 2.0) {
        add(pass, first, 1.0);
        if (further > 0.0)
            add(pass, last, 1.0);
        return 0;
    }
    for (int i = 0; i < 3 && on_line; i++) {
        const double share = 0.25 * (i + 1);
        if (price(pass, first->number + share * further, &at[i], error) != 0)
            return -1;
        on_line = is_on_line(&first->charge, &at[i].charge, &last->charge, share);
    }
    if (!on_line)
        return add_halves(pass, first, last, error);
    add_parabola(pass, first, &at[1], last, further + 1.0);
    return 0;
}

int run_price(const struct run_pricing *pricing, const struct use *run, struct error *error)
{
    const struct pass pass = {pricing, run};
    struct priced first, last;
    if (price(&pass, 0.0, &first, error) != 0)
        return -1;
    if (run->further == 0.0) {
        add(&pass, &first, 1.0);
        return 0;
    }
    return price(&pass, run->further, &last, error) == 0 ? add_stretch(&pass, &first, &last, error)
                                                         : -1;
}
