/* What a program did in one recording, as rows: calls that are alike, how often and of how much.
   Calls that exchange messages with one another, or are under way together, form a class; a class
   has one row or several. */
#ifndef RECORDING_ROWS_H
#define RECORDING_ROWS_H

#include "recording/recording.h"

enum row_shape {
    ROW_COLLECTIVE, /* of the row's pattern, in groups of `processors` */
    ROW_PAIRS,      /* every process exchanges with one other, `apart` in number; in several stages
                       it is twice as far from one to the next */
    ROW_SHIFT,      /* to one and from another, in rings of `processors` */
    ROW_GRID,       /* with the neighbours on a grid */
    ROW_PIPELINE,   /* from one to the next on a grid, `stages` messages one after the other */
    ROW_IN_TURN,    /* messages between two, one after the other */
    ROW_UNKNOWN
};

enum row_value {
    VALUE_COUNT, /* how often, by the busiest process */
    VALUE_BYTES,
    VALUE_PROCESSORS,
    VALUE_APART, /* 0: not one number */
    VALUE_STAGES,
    VALUE_SIDE, /* of the grid, one a dimension */
    VALUE_FACE = VALUE_SIDE + RECORDING_GRID,
    VALUES = VALUE_FACE + RECORDING_GRID
};

struct row {
    enum row_shape shape;
    const struct pattern *pattern; /* of a collective */
    const char *reason;            /* of what is unknown: why; static */
    int dimensions;                /* of its grid */
    bool around;                   /* both ends of the grid are neighbours */
    double values[VALUES];
};

/* Calls of one class in a recording. */
struct row_class {
    size_t class; /* the number of one of its places: recorded_class */
    struct row *rows;
    size_t count;
    double us;       /* computing time before its calls, of the process that computes most in it */
    double messages; /* sent by all processes */
    double wild;     /* receives from anybody, or of any tag */
};

struct rows {
    struct row_class *classes; /* in order of first calls */
    size_t count;
    double computing_us, last_us; /* of the process that computes most; behind the last call */
    double messages, bytes, unmatched;
    double calls, counted; /* all; those that were counted and not recorded */
};

/* The places of several recordings, each once, and which of them belong together. */
struct places {
    char **names; /* as in recordings; owned */
    size_t count, *parents;
};

size_t recorded_class(const struct places *places, size_t place);
void recorded_places_free(struct places *places);

/* One recording's calls as they were under way together. */
struct phases;

/* Finds what is under way together and who receives what of whom, and joins the places of these.
   An error where there is too much to be gone through. Release with recorded_phases_free. */
struct phases *recorded_phases_find(const struct recording *recording, struct places *places,
                                    struct error *error);
void recorded_phases_free(struct phases *phases);

/* The rows, once the places of all recordings are joined. Release with recorded_rows_free. */
void recorded_rows_make(struct rows *rows, const struct phases *phases,
                        const struct places *places);
void recorded_rows_free(struct rows *rows);

#endif
