/* How often the processors execute a statement (rule "Work"): the product of what each loop gives
   where the bounds are numbers, summed over the outer loops that bounds depend on. */
#ifndef MODEL_SEGMENT_LOOPS_WORK_H
#define MODEL_SEGMENT_LOOPS_WORK_H

#include "model/segment/loops/home.h"
#include "model/segment/loops/instance.h"

enum { WORK_TURNS_MOST = 20000000 };

struct shares {
    double most;  /* of the busiest processor; summed over the values of the synchronous loops */
    double total; /* of all processors */
};

/* How many of the outermost loops wait for messages, so that the busiest processor of each
   iteration counts (LU's k); of the innermost of those so many iterations go on together. */
struct waits {
    int depth;
    double together;
};

/* Errors: bounds that are not whole; too many values of
   the loops that bounds depend on. */
int work_shares(struct shares *shares, const struct instance *instance, const struct layout *layout,
                const struct waits *waits, struct error *error);

/* Adds to `iterations` how many each of the layout's processors executes, in all; they are numbered
   with the last grid dimension fastest. Errors: those of work_shares. */
int work_by_processor(double *iterations, const struct instance *instance,
                      const struct layout *layout, struct error *error);

/* Statements that wait in the same so many outermost loops, within whose iterations nobody waits.
 */
struct work_together {
    const struct instance *const *instances;
    size_t count;
    const struct layout *layout;
    int depth;             /* of the loops */
    const double *weights; /* by instance: what an iteration takes, in any unit */
};

/* How many iterations of each the processor has that is busiest with all of them together, summed
   over the iterations of the loops: into most. False where it cannot be told, or takes too long. */
bool work_together(double *most, const struct work_together *together);

#endif
