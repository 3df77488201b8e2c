/* What a program pays for communication beside what warm repetitions of it take: buffers that were
   just written lie in a cache of the processor that wrote them, and what it worked on between two
   messages has taken the place of what the library needs. */
#ifndef MODEL_MICRO_IN_SITU_H
#define MODEL_MICRO_IN_SITU_H

#include "model/records/record.h"

#include <stdbool.h>
#include <stddef.h>

/* What is measured: with buffers just written and read, and with so many bytes of other work beside
   them. 32 MB are more than most last caches keep of one core's. */
enum in_situ_mode {
    IN_SITU_WRITTEN,
    IN_SITU_256K,
    IN_SITU_1M,
    IN_SITU_4M,
    IN_SITU_32M,
    IN_SITU_MODES
};

/* How many times as long messages of so many bytes take in each mode. */
struct in_situ {
    double bytes;
    double written, after_256k, after_1m, after_4m;
    double after_32m; /* NAN: not measured */
};

extern const struct record in_situ_record;

/* The bytes of other work of a mode; 0: buffers are written, and nothing else is done. */
double in_situ_work_bytes(enum in_situ_mode mode);

/* The row's ratio of that mode. */
double *in_situ_of(struct in_situ *row, enum in_situ_mode mode);

/* The rows of a cost that was measured again, by other suites than these: those of before, which
   gives them up, unless it has its own. */
void in_situ_keep(struct list *now, struct list *before);

/* A ratio, and those of the modes on both sides of what was asked for. */
struct in_situ_ratio {
    double ratio, low, high;
    bool is_beyond; /* more is touched than was measured, after which it may be more */
};

/* How many times as long messages of so many bytes take where between two of them the processor
   touches touched_bytes, 0 or more: by the logarithms of both, beyond the ends as at the ends. Rows
   (struct in_situ) are in order of bytes; what one of them has not is not known of any. Never below
   1: nothing is quicker for it. 1 where there are none, or nothing is touched. */
struct in_situ_ratio in_situ_ratio(const struct list *rows, double bytes, double touched_bytes);

#endif
