/* The microbenchmarks: swap, overlap, LogP. */
#include "estimator/sections/sections.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void add_numbers(struct report *report, const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        report_number(report, numbers[i]);
}

/* ---- swap: a row a protocol, set, way, volume and pair ---- */

static const char *swap_remark(const struct swap *swap, bool is_fit)
{
    if (swap->not_available)
        return swap->not_available;
    if (is_fit)
        return "its fit alone: TABLE.swap.csv is not there";
    return swap->a_not_visible ? "latency not visible" : "";
}

static void add_swap(struct report *report, const struct swap *swap, bool is_fit)
{
    static const char *const sets[] = {"basic", "reorganized"};
    static const char *const ways[] = {"cold", "warm", "iterated"};
    const double numbers[] = {swap->a_not_visible ? NAN : swap->latency_us,
                              swap->swap_mb_per_s,
                              swap->busy_mb_per_s,
                              swap->idle_mb_per_s,
                              swap->best_messages,
                              swap->single_us,
                              swap->first_messages,
                              swap->last_messages,
                              100.0 * swap->model_error_max,
                              100.0 * swap->model_error_mean,
                              swap->dominant_from,
                              swap->dominant_upto};
    report_number(report, swap->order);
    report_number(report, swap->protocol);
    report_text(report, swap_protocol_name((int)swap->order, (int)swap->protocol));
    report_text(report, sets[swap->set]);
    report_text(report, ways[swap->way]);
    report_number(report, swap->volume_bytes);
    report_text(report, swap->pair ? swap->pair : "");
    add_numbers(report, numbers, COUNT(numbers));
    report_text(report, swap_remark(swap, is_fit));
}

static void add_swaps(struct report *report, const struct list *list, bool are_fits)
{
    const struct swap *swaps = list->items;
    for (size_t i = 0; i < list->count; i++)
        add_swap(report, &swaps[i], are_fits);
}

typedef void known_swaps(const struct list *summaries, struct list *experiments);

static void add_known(struct report *report, const struct machine *machine, known_swaps *known,
                      bool are_fits)
{
    struct list list = {0};
    known(&machine->swap, &list);
    add_swaps(report, &list, are_fits);
    list_free(&swap_record, &list);
}

struct report *swap_report(const struct machine *machine, const char *section)
{
    static const char *const columns[] = {"order",
                                          "protocol",
                                          "swap",
                                          "set",
                                          "way",
                                          "volume_bytes",
                                          "pair",
                                          "latency_us",
                                          "swap_mb_per_s",
                                          "busy_mb_per_s",
                                          "idle_mb_per_s",
                                          "best_messages",
                                          "single_us",
                                          "first_messages",
                                          "last_messages",
                                          "model_error_percent",
                                          "model_error_mean_percent",
                                          "dominant_from",
                                          "dominant_upto",
                                          "remark"};
    struct report *report = report_new(columns, COUNT(columns));
    const bool all = section[0] != '\0';
    if (all && machine->swap_rows.count > 0) {
        add_swaps(report, &machine->swap_rows, false);
        return report;
    }
    add_known(report, machine, swap_best_known, false);
    if (all)
        add_known(report, machine, swap_fits_known, true);
    return report;
}

/* ---- overlap: a row a side and size ---- */

struct report *overlap_report(const struct machine *machine, const char *section)
{
    static const char *const columns[] = {"overlap",
                                          "bytes",
                                          "loop_us",
                                          "work_us",
                                          "overhead_us",
                                          "transfer_us",
                                          "availability_percent",
                                          "low_percent",
                                          "high_percent"};
    const struct overlap *overlaps = machine->overlap.items;
    struct report *report = report_new(columns, COUNT(columns));
    (void)section;
    for (size_t i = 0; i < machine->overlap.count; i++) {
        const struct overlap *it = &overlaps[i];
        const double numbers[] = {it->bytes,       it->loop_us,     it->work_us,
                                  it->overhead_us, it->transfer_us, 100.0 * it->availability,
                                  100.0 * it->low, 100.0 * it->high};
        report_text(report, it->side == OVERLAP_SEND ? "send" : "receive");
        add_numbers(report, numbers, COUNT(numbers));
    }
    return report;
}

/* ---- logp: small messages, bulk, crowds, the line through stores ---- */

enum { REMARK = 100 };

static const char *gap_remark(bool not_visible, double o_s, double o_r, char text[REMARK])
{
    text[0] = '\0';
    if (not_visible && isnan(o_s + o_r))
        snprintf(text, REMARK, "gap not visible");
    else if (not_visible)
        snprintf(text, REMARK, "gap not visible: at most %.5g us", o_s + o_r);
    return text;
}

/* Of the gap between request and reply what neither overhead takes: the processor waits (Culler,
   Fast Network Interfaces, figure 3). */
static double idle_us(double gap_us, double send_us, double receive_us)
{
    const double idle = gap_us - send_us - receive_us;
    return isnan(idle) ? (double)NAN : fmax(0.0, idle);
}

static void add_small(struct report *report, const struct logp *logp)
{
    char text[REMARK];
    const double one_way_us = logp_round_trip_us(logp) / 2.0;
    const double numbers[] = {
        logp->message_bytes,
        NAN,
        logp->send_overhead_us,
        logp->receive_overhead_us,
        logp->gap_us,
        logp->latency_us,
        one_way_us,
        logp->round_trip_min_us,
        logp->round_trip_max_us,
        NAN,
        NAN,
        NAN,
        NAN,
        1e6 / logp->gap_us,
        idle_us(logp->gap_us, logp->send_overhead_us, logp->receive_overhead_us)};
    report_text(report, "small message");
    add_numbers(report, numbers, COUNT(numbers));
    report_text(report, gap_remark(logp->gap_not_visible, logp->send_overhead_us,
                                   logp->receive_overhead_us, text));
}

static void add_bulk(struct report *report, const struct logp_bulk *bulk)
{
    char text[REMARK];
    const double numbers[] = {
        bulk->bytes,
        NAN,
        bulk->send_overhead_us,
        bulk->receive_overhead_us,
        bulk->gap_us,
        NAN,
        NAN,
        NAN,
        NAN,
        bulk->transfer_us,
        bulk->bytes / bulk->transfer_us,
        100.0 * (1.0 - bulk->send_overhead_us / bulk->transfer_us),
        NAN,
        1e6 / bulk->gap_us,
        idle_us(bulk->gap_us, bulk->send_overhead_us, bulk->receive_overhead_us)};
    report_text(report, "bulk");
    add_numbers(report, numbers, COUNT(numbers));
    report_text(report, gap_remark(bulk->gap_not_visible, bulk->send_overhead_us,
                                   bulk->receive_overhead_us, text));
}

static void add_crowd(struct report *report, const char *name, const struct logp_crowd *crowd,
                      const char *remark)
{
    const double numbers[] = {
        NAN,
        crowd->processors,
        crowd->send_overhead_us,
        crowd->receive_overhead_us,
        crowd->gap_us,
        crowd->latency_us,
        NAN,
        NAN,
        NAN,
        NAN,
        NAN,
        NAN,
        crowd->ratio,
        1e6 / crowd->gap_us,
        idle_us(crowd->gap_us, crowd->send_overhead_us, crowd->receive_overhead_us)};
    report_text(report, name);
    add_numbers(report, numbers, COUNT(numbers));
    report_text(report, remark);
}

static void add_crowds(struct report *report, const struct logp *logp)
{
    const struct logp_crowd *to_1 = logp->k_to_1.items, *to_k = logp->one_to_k.items;
    const struct logp_crowd *pairs = logp->pairs.items;
    for (size_t i = 0; i < logp->k_to_1.count; i++)
        add_crowd(report, "k to 1", &to_1[i],
                  logp_crowd_fits(&to_1[i], to_1[i].processors) ? "gap grows as the model says"
                                                                : "gap grows otherwise");
    for (size_t i = 0; i < logp->one_to_k.count; i++)
        add_crowd(report, "1 to k", &to_k[i], "");
    for (size_t i = 0; i < logp->pairs.count; i++)
        add_crowd(report, "pairs at once", &pairs[i],
                  logp_crowd_fits(&pairs[i], 1.0) ? "gap of one pair, as the model says"
                                                  : "pairs disturb one another");
}

static void add_store_line(struct report *report, const struct logp *logp)
{
    char text[REMARK];
    if (isnan(logp->store_t0_us))
        return;
    snprintf(text, REMARK, "%.5g us + n / %.5g MB/s%s", logp->store_t0_us,
             logp->store_rinf_mb_per_s,
             logp->store_t0_us < 0.0 ? ": below 0, the first means nothing" : "");
    report_text(report, "line of transfers");
    for (int i = 0; i < 15; i++)
        report_number(report, NAN);
    report_text(report, text);
}

struct report *logp_report(const struct machine *machine, const char *section)
{
    static const char *const columns[] = {"logp",
                                          "bytes",
                                          "k",
                                          "send_overhead_us",
                                          "receive_overhead_us",
                                          "gap_us",
                                          "latency_us",
                                          "one_way_us",
                                          "round_trip_min_us",
                                          "round_trip_max_us",
                                          "transfer_us",
                                          "mb_per_s",
                                          "available_percent",
                                          "gap_ratio",
                                          "messages_per_s",
                                          "idle_us",
                                          "remark"};
    struct report *report = report_new(columns, COUNT(columns));
    const struct logp *logp = machine->logp;
    (void)section;
    if (!logp)
        return report;
    const struct logp_bulk *bulk = logp->bulk.items;
    add_small(report, logp);
    for (size_t i = 0; i < logp->bulk.count; i++)
        add_bulk(report, &bulk[i]);
    add_store_line(report, logp);
    add_crowds(report, logp);
    return report;
}

struct report *signature_report(const struct machine *machine, const char *section)
{
    static const char *const columns[] = {"issues", "delay_us", "cost_us"};
    struct report *report = report_new(columns, COUNT(columns));
    const bool asked = section[0] != '\0' && machine->logp;
    const struct list points = asked ? machine->logp->signature : (struct list){0};
    for (size_t i = 0; i < points.count; i++) {
        const struct signature_point *point = (const struct signature_point *)points.items + i;
        add_numbers(report, (const double[]){point->issues, point->delay_us, point->cost_us}, 3);
    }
    return report;
}
