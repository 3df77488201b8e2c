/* Which of many repetitions count: those during which nobody else had a share of a core, as the
   trainer takes its measurements of a core. */
#ifndef SAMPLES_SIEVE_H
#define SAMPLES_SIEVE_H

#include <stdbool.h>

struct sieve {
    int wanted;             /* repetitions that are to count, at least 1 */
    double patience_us;     /* for so long disturbed ones are passed over; then they count too */
    int counted, disturbed; /* so far; disturbed are among those that counted */
};

/* Whether one look at a core found it alone. */
bool sieve_is_alone(double crowding);

/* Whether a repetition counts. `crowding`: cycles with instructions beside them over cycles alone
   (core.h), the most of all processors before and behind the repetition; NAN: not known, which is
   no reason against it. `now_us`: when it ended, since the first was begun. */
bool sieve_takes(struct sieve *sieve, double crowding, double now_us);

/* Whether as many as are wanted have counted. */
bool sieve_is_full(const struct sieve *sieve);

#endif
