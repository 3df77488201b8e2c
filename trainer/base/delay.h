/* A computation of a given time, between messages: it touches no memory of theirs. */
#ifndef TRAINER_BASE_DELAY_H
#define TRAINER_BASE_DELAY_H

#include <stdbool.h>

/* What a delay costs to make. */
struct delayer {
    double reading_s; /* one reading of the clock */
    bool simulated;   /* computation takes no time there: sleeps instead */
};

/* Keeps the processor busy for at least wanted_s; returns how long it was in fact, the clock's
   readings included, so that what else there was is known exactly. */
double delay_s(const struct delayer *delayer, double wanted_s);

#endif
