/* Other algorithms that a library may choose among more processors than were measured, as far as
   the table tells what they take. */
#ifndef MODEL_MACHINE_ALTERNATIVES_H
#define MODEL_MACHINE_ALTERNATIVES_H

#include "model/machine/beyond.h"
#include "model/machine/machine.h"

/* Widens the answer to what they take, and sets its time to the middle, where that is wider: of a
   combination to a reduction and a broadcast, of a barrier to in and out again, or to both at once.
   last, last_us: participants that were measured, and what they take. */
void alternatives_hold(const struct machine *machine, const struct beyond_question *question,
                       double last, double last_us, struct cost_answer *answer);

#endif
