/* Which experiments of COMMTEST a user asks for: --swap-only 0.3,warm,8192. */
#ifndef TRAINER_MICRO_SWAP_ONLY_H
#define TRAINER_MICRO_SWAP_ONLY_H

#include "model/base/error.h"
#include "model/micro/swap.h"

/* Whether `list` (names with commas between; NULL: all) asks for that row, of which the order, the
   protocol, the set, the way, the volume and the pair are read. A name is of a protocol (0.3), a
   set, a way, a volume in bytes or a pair (0-2+1-3): a row has to be one of those that are named of
   each of them, and whichever where none is named. */
bool swap_only_has(const char *list, const struct swap *row);

/* 0; or -1, and *error says which of the names is unknown, and what there is. */
int swap_only_check(const char *list, struct error *error);

#endif
