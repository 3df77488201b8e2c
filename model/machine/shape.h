/* How a time can grow with the processors: shapes, through the last of the measured times. */
#ifndef MODEL_MACHINE_SHAPE_H
#define MODEL_MACHINE_SHAPE_H

#include "model/machine/beyond.h"
#include "model/machine/series.h"

enum shape {
    SHAPE_SAME,
    SHAPE_LEAVING,   /* evenly with the messages that leave a node */
    SHAPE_MESSAGES,  /* as the most messages one after the other */
    SHAPE_LOGARITHM, /* evenly with the logarithm of p, and so on */
    SHAPE_ROOT,
    SHAPE_LINEAR,
    SHAPE_LOGARITHM_AND_LINEAR,
    SHAPE_QUADRATIC,
    SHAPES
};

/* What a shape says of p by that series; NAN: nothing. */
double shape_says(const struct beyond_question *question, const struct series *series,
                  enum shape shape, double p);

/* What an even shape says besides: where the last step of p made the times rise otherwise than the
   one before, that they go on as they rose then, or, of a shape that grows as fast as the pattern's
   messages can, as much more with every further step. NAN: nothing. */
double shape_as_before(const struct beyond_question *question, const struct series *series,
                       enum shape shape);
double shape_ever_more(const struct beyond_question *question, const struct series *series,
                       enum shape shape);

#endif
