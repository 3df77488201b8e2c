/* What takes a processor away for a moment: the system, or the machine below a virtual one, which
   tells nobody. Seen as gaps between one reading of the clock and the next. */
#ifndef TRAINER_LOOPS_INTERRUPTIONS_H
#define TRAINER_LOOPS_INTERRUPTIONS_H

enum { INTERRUPTIONS_SIZES = 20 };

/* Zeroed: nothing seen. By their length: of each size they are up to twice as long as of the one
   before. What is older counts less. */
struct interruptions {
    double watched_s, count[INTERRUPTIONS_SIZES], lost_s[INTERRUPTIONS_SIZES];
};

/* What was seen before counts half as much as it did. */
void interruptions_age(struct interruptions *seen);

/* Reads the clock for so long. */
void interruptions_watch(struct interruptions *seen, double for_s);

/* How long it is in the mean from one that is shorter than below_s to the next; INFINITY: none were
   seen. */
double interruptions_apart_s(const struct interruptions *seen, double below_s);

/* Of all time, the share that those take which are shorter than below_s. */
double interruptions_share(const struct interruptions *seen, double below_s);

#endif
