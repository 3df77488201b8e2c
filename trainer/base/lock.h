/* One run at a time writes a table. */
#ifndef TRAINER_BASE_LOCK_H
#define TRAINER_BASE_LOCK_H

#include "model/base/error.h"

struct lock {
    char *path; /* owned; NULL: none is held */
    int descriptor;
};

/* Takes the lock of the table at `table`, a file beside it, "this.lock" for "this.yaml". It ends
   with the process, however that ends; a file that is left then is no lock, and the next run takes
   it over. Where another run has it: -1, and *error says which one, where, and since when. */
int lock_take(struct lock *lock, const char *table, struct error *error);

/* Removes the file as well; may be called again, and of a zeroed lock. */
void lock_release(struct lock *lock);

#endif
