/* Whether two programs were compiled in the same way, as far as their flags tell. */
#ifndef MODEL_CODE_CODE_FLAGS_H
#define MODEL_CODE_CODE_FLAGS_H

#include <stdbool.h>

/* The standard deviation of the logarithm of what a loop takes more or less where it is compiled
   with the one list of flags than where it is with the other; 0: they make the same code, or one
   does not tell. */
double code_flags_spread(const char *one, const char *other);

/* Whether the flags say anything of the code: not NULL, nor warnings, debugging and the like alone.
 */
bool code_flags_tell(const char *flags);

/* Whether the code is the same, as far as they tell: one that does not is that of -O2. */
bool code_flags_same(const char *one, const char *other);

/* Whether the flags, which may be NULL, let the compiler add in another order than is written. */
bool code_flags_reorder(const char *flags);

#endif
