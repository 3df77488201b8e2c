/* What the first messages of a program take more than all later ones: memory of the library is
   touched for the first time, and two processors have not met before. */
#ifndef MODEL_MICRO_START_UP_H
#define MODEL_MICRO_START_UP_H

#include "model/records/record.h"

/* Of exchanges of so many bytes, where those of the rows with fewer bytes have gone before: what
   the first ones take more in all. */
struct start_up {
    double bytes;
    double first_us, first_8_us, first_64_us, first_256_us;
};

enum { START_UP_MESSAGES = 256 }; /* behind so many nothing is left */

extern const struct record start_up_record;

/* Memory that a program writes for the first time: what each MiB of it takes beyond writing it once
   more, while all processors do so. Of several regions of so many bytes the median, the least and
   the most. */
struct first_touch {
    double bytes;
    double mib_us, mib_us_low, mib_us_high;
};

extern const struct record first_touch_record;

/* A kind of message of a program. */
struct first_messages {
    double bytes, count;
};

/* us that messages of `count` kinds, in whatever order, take more in all between two processors
   that have not met before. Of the memory that a row tells of, messages of as many bytes touch all,
   and shorter ones a share, none at the row before. rows: of struct start_up, in whatever order. */
double start_up_us(const struct list *rows, const struct first_messages *kinds, size_t count);

#endif
