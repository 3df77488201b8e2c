/* What rings say of one set of the first level, checked against all of it: a disturbance that takes
   a way of the rings' set, or a clock that changed while they were timed, does not do so to every
   set, nor twice. */
#ifndef TRAINER_CACHES_FILL_H
#define TRAINER_CACHES_FILL_H

#include "trainer/caches/geometry.h"

/* found: all but `because`. Tries whether as many lines as there are ways fit, and one more does
   not, in most of some sets at random; walks through as many lines as the whole cache is said to
   have, all of which must hit, and through those of one way more, of which one a set must miss at
   least. The colours' members are lines of different pages. NULL, or how they disagree. */
const char *fill_check(struct search *search, const struct cache_found *found,
                       const struct colours *colours);

#endif
