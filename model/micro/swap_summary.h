/* What a machine table keeps of the experiments with swaps (swap.h): of each way, volume and pair
   the fit of every basic protocol, the fastest of each order, and how far apart all are. The
   experiments themselves stand beside the table (machine/swap_rows.h). */
#ifndef MODEL_MICRO_SWAP_SUMMARY_H
#define MODEL_MICRO_SWAP_SUMMARY_H

#include "model/micro/swap.h"

/* a N + b V of one basic protocol. */
struct swap_fit {
    double order, protocol;
    double a_us, b_us_per_byte;
};

struct swap_summary {
    int way; /* enum swap_way */
    double volume_bytes;
    char *pair;         /* owned; NULL: not said */
    double experiments; /* how many there were, those too that are not available */
    double least_mb_per_s, median_mb_per_s, most_mb_per_s; /* 2 / b, over those that are */
    struct list best;  /* of struct swap: of each order that with the highest 2 / b, the first of
                          equals; without way, volume and pair, which stand above */
    struct list basic; /* of struct swap_fit: those that are available */
    struct place place;
};

extern const struct record swap_summary_record, swap_best_record, swap_fit_record;

/* Appends the summaries of a list of struct swap to the list of summaries, in the order in which
   way, volume and pair first come. */
void swap_summarise(const struct list *experiments, struct list *summaries);

/* What the summaries tell of single experiments, appended to a list of struct swap: the best,
   whole; of the other basic protocols, what follows from their fits. */
void swap_best_known(const struct list *summaries, struct list *experiments);
void swap_fits_known(const struct list *summaries, struct list *experiments);

/* How many experiments there were, all summaries together. */
double swap_experiments_count(const struct list *summaries);

#endif
