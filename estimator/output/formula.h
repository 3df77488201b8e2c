/* Costs as the sources write them: T_pp(n) = t0 + n/rinf (Abandah, IBM SP2, section 2.3), and with
   terms in p (Abandah, IBM SP2, section 2.11). */
#ifndef ESTIMATOR_OUTPUT_FORMULA_H
#define ESTIMATOR_OUTPUT_FORMULA_H

#include "model/cost/cost.h"

enum { FORMULA_TEXT = 400 };

/* "-5.5 + 15.5 p", "1/23.5": a linear combination of functions of p. */
void form_print(const struct form *form, char *text, size_t size);

/* "T_exch(n)", "T_mm(n, p)": what the sources call the time of a utility; of one that they have
   no letters for its name stands below the T. in_p: it depends on p. */
void formula_name(const char *utility, bool in_p, char text[FORMULA_TEXT]);

/* "40 + n/28.4": the region's formula. With bytes (and in its terms in p, processors) in the place
   of n where they are not NAN. */
void formula_print(const struct region *region, double bytes, double processors,
                   char text[FORMULA_TEXT]);

/* "3 near + 1 far messages (ring)" and "3 x 5.04 + 1 x 20.08": where the cost's hops gave the time.
 */
void formula_print_messages(const struct cost *cost, double bytes, double processors,
                            char words[FORMULA_TEXT], char numbers[FORMULA_TEXT]);

/* Whether the region's time depends on p. */
bool formula_is_in_p(const struct region *region);

#endif
