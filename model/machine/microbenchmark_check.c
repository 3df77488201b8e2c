#include "model/machine/microbenchmark_check.h"

#include <math.h>
#include <string.h>

/* No machine has so many rows in a section; rules that compare each with each stay quick. */
enum { MANY = 4000 };

/* What rounding to four digits leaves of a sum of shares and of a mean that are exact. */
static const double waiting_rounding = 1e-3;

#define ERROR_AT(machine, row, ...)                                                                \
    error_at(error, place_at((machine)->path, (row)->place.line, (row)->place.column), __VA_ARGS__)

/* ---- swap ---- */

struct swap_list {
    const char *path; /* where they stand */
    const struct list *swaps;
};

typedef int swap_rule(const struct swap_list *list, const struct swap *swap, struct error *error);

static int protocol_exists(const struct swap_list *list, const struct swap *swap,
                           struct error *error)
{
    if (swap_protocol_name((int)swap->order, (int)swap->protocol))
        return 0;
    return ERROR_AT(list, swap, "order %g has no protocol %g", swap->order, swap->protocol);
}

static int only_nonblocking_reorganizes(const struct swap_list *list, const struct swap *swap,
                                        struct error *error)
{
    if (swap->set == SWAP_BASIC || swap_can_reorganize((int)swap->order, (int)swap->protocol))
        return 0;
    return ERROR_AT(list, swap,
                    "protocol (%g, %g) has no nonblocking call to reorganize: expected set basic",
                    swap->order, swap->protocol);
}

static int measured_or_not_available(const struct swap_list *list, const struct swap *swap,
                                     struct error *error)
{
    const bool measured = !isnan(swap->a_us) && !isnan(swap->b_us_per_byte);
    if (measured != (swap->not_available != NULL))
        return 0;
    return ERROR_AT(list, swap, "a swap %s: expected a_us and b_us_per_byte, or not_available",
                    measured ? "that is measured and not available"
                             : "without a_us or b_us_per_byte");
}

static int order_has_the_bandwidth(const struct swap_list *list, const struct swap *swap,
                                   struct error *error)
{
    const bool ordered = swap->order == SWAP_ORDERED;
    if (isnan(ordered ? swap->busy_mb_per_s : swap->idle_mb_per_s))
        return 0;
    return ERROR_AT(list, swap, "%s in order %g: expected %s",
                    ordered ? "busy_mb_per_s" : "idle_mb_per_s", swap->order,
                    ordered ? "idle_mb_per_s" : "busy_mb_per_s");
}

static bool same_text(const char *a, const char *b)
{
    return (!a && !b) || (a && b && strcmp(a, b) == 0);
}

static bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static bool same_swap(const struct swap *a, const struct swap *b)
{
    return a->order == b->order && a->protocol == b->protocol && a->set == b->set &&
           a->way == b->way && same_number(a->volume_bytes, b->volume_bytes) &&
           same_text(a->pair, b->pair);
}

static int swap_stands_once(const struct swap_list *list, const struct swap *swap,
                            struct error *error)
{
    for (const struct swap *before = list->swaps->items; before < swap; before++)
        if (same_swap(before, swap))
            return ERROR_AT(list, swap,
                            "the same order, protocol, set, way, volume and pair a second time");
    return 0;
}

static swap_rule *const swap_rules[] = {
    protocol_exists,           only_nonblocking_reorganizes,
    measured_or_not_available, order_has_the_bandwidth,
    swap_stands_once,
};

static int check_swap(const struct swap_list *list, const struct swap *swap, struct error *error)
{
    for (size_t rule = 0; rule < sizeof swap_rules / sizeof *swap_rules; rule++)
        if (swap_rules[rule](list, swap, error) != 0)
            return -1;
    return 0;
}

int swaps_check(const struct list *swaps, const char *path, struct error *error)
{
    const struct swap_list list = {path, swaps};
    const struct swap *items = swaps->items;
    if (swaps->count > MANY)
        return ERROR_AT(&list, &items[MANY], "more than %d swaps", MANY);
    for (size_t i = 0; i < swaps->count; i++)
        if (check_swap(&list, &items[i], error) != 0)
            return -1;
    return 0;
}

/* ---- their summaries ---- */

static bool same_experiments(const struct swap_summary *a, const struct swap_summary *b)
{
    return a->way == b->way && same_number(a->volume_bytes, b->volume_bytes) &&
           same_text(a->pair, b->pair);
}

static int check_fits(const struct machine *machine, const struct swap_summary *summary,
                      struct error *error)
{
    const struct swap_fit *fits = summary->basic.items;
    for (size_t i = 0; i < summary->basic.count; i++)
        if (!swap_protocol_name((int)fits[i].order, (int)fits[i].protocol))
            return ERROR_AT(machine, summary, "order %g has no protocol %g", fits[i].order,
                            fits[i].protocol);
    return 0;
}

static int check_summary(const struct machine *machine, const struct swap_summary *summary,
                         struct error *error)
{
    const struct swap_summary *before = machine->swap.items;
    for (; before < summary; before++)
        if (same_experiments(before, summary))
            return ERROR_AT(machine, summary, "the same way, volume and pair a second time");
    if (swaps_check(&summary->best, machine->path, error) != 0)
        return -1;
    return check_fits(machine, summary, error);
}

static int check_summaries(const struct machine *machine, struct error *error)
{
    const struct swap_summary *summaries = machine->swap.items;
    if (machine->swap.count > MANY)
        return ERROR_AT(machine, &summaries[MANY], "more than %d summaries of swaps", MANY);
    for (size_t i = 0; i < machine->swap.count; i++)
        if (check_summary(machine, &summaries[i], error) != 0)
            return -1;
    return 0;
}

/* ---- overlap ---- */

static int check_overlap(const struct machine *machine, const struct overlap *overlap,
                         struct error *error)
{
    if (overlap->low > overlap->availability || overlap->high < overlap->availability)
        return ERROR_AT(machine, overlap, "the availability is not within low and high");
    for (const struct overlap *before = machine->overlap.items; before < overlap; before++)
        if (before->side == overlap->side && before->bytes == overlap->bytes)
            return ERROR_AT(machine, overlap, "the same side and bytes a second time");
    return 0;
}

static int check_overlaps(const struct machine *machine, struct error *error)
{
    const struct overlap *overlaps = machine->overlap.items;
    if (machine->overlap.count > MANY)
        return ERROR_AT(machine, &overlaps[MANY], "more than %d overlaps", MANY);
    for (size_t i = 0; i < machine->overlap.count; i++)
        if (check_overlap(machine, &overlaps[i], error) != 0)
            return -1;
    return 0;
}

/* ---- logp ---- */

static int check_bulk(const struct machine *machine, const struct logp *logp, struct error *error)
{
    const struct logp_bulk *bulk = logp->bulk.items;
    for (size_t i = 0; i < logp->bulk.count; i++) {
        if (bulk[i].gap_not_visible && !isnan(bulk[i].gap_us))
            return ERROR_AT(machine, &bulk[i],
                            "gap_us and gap_not_visible: expected one of the two");
        if (i > 0 && bulk[i].bytes <= bulk[i - 1].bytes)
            return ERROR_AT(machine, &bulk[i], "bulk bytes: expected them to ascend");
    }
    return 0;
}

static int check_logp(const struct machine *machine, struct error *error)
{
    const struct logp *logp = machine->logp;
    if (!logp)
        return 0;
    if (logp->gap_not_visible && !isnan(logp->gap_us))
        return ERROR_AT(machine, logp, "gap_us and gap_not_visible: expected one of the two");
    if (logp->round_trip_min_us > logp->round_trip_max_us)
        return ERROR_AT(machine, logp, "round_trip_min_us is above round_trip_max_us");
    return check_bulk(machine, logp, error);
}

/* ---- waiting ---- */

static int check_parts(const struct machine *machine, const struct waiting *row,
                       struct error *error)
{
    const struct waiting_part *parts = row->parts.items;
    double shares = 0.0, mean_us = 0.0;
    if (row->parts.count == 0 || row->parts.count > WAITING_PARTS_MOST)
        return ERROR_AT(machine, row, "%zu parts: expected 1 to %d", row->parts.count,
                        WAITING_PARTS_MOST);
    if (row->least_us > parts->us)
        return ERROR_AT(machine, row, "least_us is above the first part's us");
    for (size_t i = 0; i < row->parts.count; i++) {
        if (i > 0 && parts[i].us < parts[i - 1].us)
            return ERROR_AT(machine, row, "parts: expected their us to ascend");
        shares += parts[i].share;
        mean_us += parts[i].share * parts[i].us;
    }
    if (fabs(shares - 1.0) > waiting_rounding)
        return ERROR_AT(machine, row, "the shares of the parts add up to %g: expected 1", shares);
    if (fabs(mean_us) >
        waiting_rounding * (parts[row->parts.count - 1].us - row->least_us + row->work_us))
        return ERROR_AT(machine, row, "the mean of the parts is %g us: expected 0", mean_us);
    return 0;
}

static int check_waiting(const struct machine *machine, const struct waiting *row,
                         struct error *error)
{
    const struct waiting_among *among = row->among.items;
    if (row->among.count == 0)
        return ERROR_AT(machine, row, "waiting among no processors");
    for (size_t i = 0; i < row->among.count; i++) {
        if (i > 0 && among[i].processors <= among[i - 1].processors)
            return ERROR_AT(machine, row, "among: expected more processors each time");
        if (among[i].low_us > among[i].waiting_us || among[i].high_us < among[i].waiting_us)
            return ERROR_AT(machine, row, "among: waiting_us is not within low_us and high_us");
    }
    for (const struct waiting *before = machine->waiting.items; before < row; before++)
        if (before->work == row->work && before->work_us == row->work_us)
            return ERROR_AT(machine, row, "the same work and work_us a second time");
    return check_parts(machine, row, error);
}

static int check_waitings(const struct machine *machine, struct error *error)
{
    const struct waiting *rows = machine->waiting.items;
    if (machine->waiting.count > MANY)
        return ERROR_AT(machine, &rows[MANY], "more than %d rows of waiting", MANY);
    for (size_t i = 0; i < machine->waiting.count; i++)
        if (check_waiting(machine, &rows[i], error) != 0)
            return -1;
    return 0;
}

int microbenchmarks_check(const struct machine *machine, struct error *error)
{
    if (swaps_check(&machine->swap_rows, machine->path, error) != 0 ||
        check_summaries(machine, error) != 0 || check_overlaps(machine, error) != 0 ||
        check_waitings(machine, error) != 0)
        return -1;
    return check_logp(machine, error);
}
