/* Asking again, because the machine's moods last for some points. */
#ifndef TRAINER_CURVE_LOOKS_H
#define TRAINER_CURVE_LOOKS_H

#include "trainer/curve/running.h"

/* Asks for every point since the last time once more, unless the plan trusts. */
int looks_again(struct running *run, struct error *error);

#endif
