/* What innermost loops of a program take on this machine, with its compiler and flags: a curve a
   loop, measured by the trainer, in a file beside the machine table. */
#ifndef MODEL_LOOPS_CURVES_H
#define MODEL_LOOPS_CURVES_H

#include "model/loops/shape.h"
#include "model/machine/machine.h"

#include <stdio.h>

enum { LOOP_CURVES_FORMAT = 1 };

/* An iteration of the loop at one shape. */
struct loop_point {
    struct loop_shape shape;
    double alone_ns;    /* on one processor, the others at rest */
    double together_ns; /* on all processors at once, the slowest; NAN: not measured */
};

struct loop_curve {
    char *at;           /* where it stands: FILE:LINE */
    char *hash;         /* of its text (a statement's source_hash) */
    double nest;        /* loops of its function, itself included */
    double error;       /* relative, of points left out: median; NAN: too few points */
    double error_p95;   /* 95th percentile */
    struct list points; /* of struct loop_point; at least one */
    struct place place;
};

struct loop_curves {
    double format;
    char *source, *compiler, *flags;
    double processors; /* that `together` is of */
    struct provenance *measured;
    struct list loops;        /* of struct loop_curve */
    struct list not_measured; /* of struct not_measured */
    char *path;
};

extern const struct record loop_curve_record, loop_point_record;

/* Zeroed, of the present format. */
struct loop_curves loop_curves_begin(void);

/* Reads a file: all or nothing. On success release with loop_curves_free. */
int loop_curves_read(struct loop_curves *curves, const char *path, struct error *error);

/* Whether everything was written. */
bool loop_curves_write(const struct loop_curves *curves, FILE *stream);

void loop_curves_free(struct loop_curves *curves);

/* These curves, where their loops were compiled as the program is: its flags, or NULL, where they
   are not known. Else NULL, as of NULL. */
const struct loop_curves *loop_curves_for(const struct loop_curves *curves, const char *code_flags);

/* The curve of the loop with that hash; NULL: there is none, or curves or hash is NULL. */
const struct loop_curve *loop_curves_find(const struct loop_curves *curves, const char *hash);

#endif
