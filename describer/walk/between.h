/* What is set on the way to a loop, and in it, before it is used there. */
#ifndef DESCRIBER_WALK_BETWEEN_H
#define DESCRIBER_WALK_BETWEEN_H

#include "describer/walk/capture.h"

/* Whether the loop, or the headers of those around it, use the variable before they have set it. */
bool between_is_used(const struct capture *capture, const struct declaration *declaration);

/* The statements of the loops around, each before the next loop, that set the variable, whose value
   changes with them: they are added to the capture, unless some other statement there may set it as
   well. Whether there are any. */
bool between_take(struct capture *capture, const struct declaration *declaration);

#endif
