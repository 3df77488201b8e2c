/* Where a rehearsal's times or a validation's points may go. */
#ifndef TRAINER_BASE_TARGET_H
#define TRAINER_BASE_TARGET_H

#include "model/base/error.h"

/* Before anything is measured: whether a file of that kind may take the place of what stands at
   path. Errors: no regular file stands there, or the folder does not allow it (path_check); a
   file that does not begin as its kind does (`begins`) and is not empty; the points of a table,
   which are measured once. `kind` is how messages call it, "a rehearsal's times". */
int target_check(const char *path, const char *begins, const char *kind, struct error *error);

#endif
