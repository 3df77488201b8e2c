/* What a pipeline takes, and the best width of its tiles (rule "Pipelines" of
   doc/segment-description.md). */
#ifndef FORECAST_PREDICT_TILES_H
#define FORECAST_PREDICT_TILES_H

#include "model/machine/machine.h"
#include "model/segment/traffic/analysis.h"

/* One run of a pipeline with tiles of width w: S = ceil(outer / w) tiles through A processors
   take S + A - 1 stages (fewer where the next run enters before the last has left), of which the
   last tile's are shorter where w does not divide. Not cut, with w = outer, the processors work one
   after the other, each on what it has.

   In each of A - 1 stages a processor waits for a partner that is late, for the whole message; in
   S - 1 others the partner is early, and a processor pays what receiving and sending takes of its
   own time, many-to-one and one-to-many with one other, where the table has them. The last stage
   sends none; published tables are priced with a message in it too, as their authors did. */
struct tiles {
    double width, stages; /* w; S + A - 1, or A */
    double compute_us;
    double messages; /* of each kind of message: how many in a row */
    double message_us, message_low_us, message_high_us; /* all kinds of one stage together */
    /* Of the messages, those of which a processor in the middle pays its own shares alone: what it
       takes to receive one that is there and to send one on. The others, while the pipeline fills,
       are waited for. */
    double shared;
    double share_us, share_low_us, share_high_us; /* all kinds of one stage together */
    double bytes;                                 /* of the largest kind */
    double edge_us;  /* what those that leave a node add while the pipeline fills */
    double wire_us;  /* what the tiles of one stage that leave a node fill its wire for */
    double alone_us; /* of message_us: if no other stage were sending */
    double at_once;  /* messages under way, on average over the stages */
    double apart;    /* by how much the numbers of neighbours differ */
    bool contention_unknown;
    const char *packing; /* the utility that messages of several pieces were priced by, or NULL */
    bool packing_unknown;
    double across_us, across_low_us, across_high_us; /* to the next along the other dimension */
    unsigned flags;
    size_t answer_count;
    struct tiles_answer {
        struct cost_answer each;
        double bytes, times;
    } answers[4 * PIPELINE_MESSAGES + 1]; /* what it is made of */
};

double tiles_total_us(const struct tiles *tiles);

/* What of it is communication, with its interval. */
void tiles_communicate_us(const struct tiles *tiles, double *time_us, double *low_us,
                          double *high_us);

/* work_us: what the busiest processor computes in one run. The width is as told, or the best of
   all. Errors are those of the table, without a place. */
int tiles_choose(struct tiles *tiles, const struct machine *machine,
                 const struct pipeline *pipeline, double work_us, struct error *error);

#endif
