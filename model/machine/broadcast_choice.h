/* Which of the six broadcasts is the fastest for every length of message among p processors: what
   broadcast_times answers, asked once and kept as intervals, so that a program that asks before
   every broadcast waits for a few comparisons only. */
#ifndef MODEL_MACHINE_BROADCAST_CHOICE_H
#define MODEL_MACHINE_BROADCAST_CHOICE_H

#include "model/machine/broadcast.h"

/* Numbers alone, of one type, so that it can be sent to another processor. */
struct broadcast_choice {
    int bytes_upto; /* included */
    int algorithm;  /* enum broadcast_algorithm */
    int part_bytes; /* INT_MAX: sent whole */
};

/* Ascending; the last one goes up to INT_MAX. */
struct broadcast_choices {
    size_t count;
    struct broadcast_choice *items;
};

/* The choices for p = processors >= 2. Where no time is known it is the library's own. Two lengths
   at which the answer changes are told apart to the byte if a multiple of an eighth of a power of
   two or an edge of a region lies between them. Release items with free(). */
struct broadcast_choices broadcast_choices(const struct machine *machine, double processors);

/* The same from processor `root`, 0 <= root < p (broadcast_times_from). */
struct broadcast_choices broadcast_choices_from(const struct machine *machine, double processors,
                                                int root);

/* What is best for bytes by another measure: an enum broadcast_algorithm. */
typedef int broadcast_chooser(const void *state, int bytes);

/* The same by that measure. */
struct broadcast_choices broadcast_choices_by(const struct machine *machine,
                                              broadcast_chooser *choose, const void *state);

/* The choice for bytes >= 0 of a list that is not empty. */
const struct broadcast_choice *broadcast_choice_at(const struct broadcast_choices *choices,
                                                   int bytes);

#endif
