/* Laws in the processor count, the sides of a grid and the parameters that values of several
   recordings follow: a number times a term such as N^2 / p, the simplest that all values have; or a
   sum of a number and such a one. */
#ifndef RECORDING_LAWS_H
#define RECORDING_LAWS_H

#include <stdbool.h>
#include <stddef.h>

enum { LAW_TEXT = 240, SETTINGS_MOST = 64, LAW_NAMES = 20 };

/* What the recordings were made with: names and their values. The first name is p. */
struct settings {
    const char *names[LAW_NAMES]; /* p, p0, p1, ..., the parameters */
    size_t name_count, side_count;
    double values[SETTINGS_MOST][LAW_NAMES];
    size_t count;
};

struct law {
    char text[LAW_TEXT];
    double error;    /* the most that it is off, relative */
    double held_out; /* the same of the largest p and the largest parameters, found without them;
                        NAN: there are too few others */
    bool has_tie;    /* another one is as near, and differs where `decides` says */
    bool of_size;    /* the tie: at larger parameters; else at larger p */
    char decides[80];
};

/* The terms for some settings, with their values there; owned. */
struct laws;
struct laws *laws_new(const struct settings *settings);
void laws_free(struct laws *laws);

/* The law that the values follow where they are known (not NAN). False where none is within the
   error. A value of 0 asks for a term that is 0. */
bool laws_find(struct law *law, const struct laws *laws, const double *values, double within);

/* Of measured times: a power of the parameters over one of p, the nearest; always one. */
void laws_of_times(struct law *law, const struct laws *laws, const double *values);

#endif
