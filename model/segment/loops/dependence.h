/* Flow dependences between iterations (rule "Placement"): which writes reach a read, and through
   which loop of those that both stand in. Exact for affine subscripts and bounds, but for solutions
   in fractions; where there is doubt, there is a dependence. */
#ifndef MODEL_SEGMENT_LOOPS_DEPENDENCE_H
#define MODEL_SEGMENT_LOOPS_DEPENDENCE_H

#include "model/segment/loops/instance.h"

/* Whether an iteration of writer writes what `read` of a later iteration of reader needs, the two
   being alike in the common loops further out than `level` and the later one greater in loop
   `level` (rule: carried by it). */
bool dependence_carried(const struct instance *writer, const struct instance *reader,
                        const struct reference *read, int level);

/* The same within one iteration of all common loops. writer stands before reader. */
bool dependence_within(const struct instance *writer, const struct instance *reader,
                       const struct reference *read);

/* The same within one iteration of so many loops that both have in common, whatever the others. */
bool dependence_since(const struct instance *writer, const struct instance *reader,
                      const struct reference *read, int alike);

/* How many of the loops about a read, from the outermost, a message for it must stay within: the
   deepest over all writes that reach it; 0: it can be sent before the nest. *carried (may be NULL):
   whether the innermost of those loops carries such a dependence. */
int dependence_placement(const struct list *instances, const struct instance *reader,
                         const struct reference *read, bool *carried);

/* How many of the loops about a write, from the outermost, a later read of it stands within, or a
   gather from its array: the deepest. */
int dependence_needed_within(const struct list *instances, const struct instance *writer);

/* Whether any read of a statement within the loop depends on a write of an earlier iteration of it.
   loop: of the nest of `inside`, counted from the outermost. */
bool dependence_loop_carries(const struct list *instances, const struct instance *inside, int loop);

/* Whether a dependence runs against both loops: within equal outer iterations from an earlier
   iteration of the outer one to a later one, and from a greater index of the inner one to a lesser.
   Where none does, strips of either may be done one after the other (rule "Pipelines"). A way
   through statements beside the inner loop counts as one dependence does; and where `one`, which is
   to be cut, is the outer loop, all processors meet where something beside the inner one is
   combined. Loops of the nest of `inside`. */
bool dependence_crosses(const struct list *instances, const struct instance *inside, int one,
                        int other);

/* Fills in what dependences say about every instance. */
void dependence_place(struct list *instances);

#endif
