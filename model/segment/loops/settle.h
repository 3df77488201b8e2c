/* Where a reduction runs whose home is its result: that depends on where arrays lie. It runs where
   data lie that every iteration has of its own, for to move them costs as much as to compute; or
   else where its result lives, and of the grid dimensions along which that does not lie, where the
   data do that lie beside it. So the order in which a sum names its factors decides nothing. */
#ifndef MODEL_SEGMENT_LOOPS_SETTLE_H
#define MODEL_SEGMENT_LOOPS_SETTLE_H

#include "model/segment/loops/instance.h"

/* Where the statement runs in a layout: its home, its result or one of its reads. NULL: everywhere.
 */
const struct reference *settled_home(const struct instance *instance, const struct layout *layout);

/* The instances with these homes; settled->items NULL: they have them already. Release with
   list_free. */
void settle_instances(struct list *settled, const struct list *instances,
                      const struct layout *layout);

#endif
