/* The training set: every utility that the trainer can measure. */
#ifndef TRAINER_UTILITIES_UTILITIES_H
#define TRAINER_UTILITIES_UTILITIES_H

#include "trainer/utilities/utility.h"

/* UTILITY(variable): the list that everything else follows; the order is that of the table. */
#define UTILITIES(UTILITY)                                                                         \
    UTILITY(utility_point_to_point)                                                                \
    UTILITY(utility_exchange)                                                                      \
    UTILITY(utility_one_to_many)                                                                   \
    UTILITY(utility_many_to_one)                                                                   \
    UTILITY(utility_many_to_many)                                                                  \
    UTILITY(utility_all_gather)                                                                    \
    UTILITY(utility_broadcast)                                                                     \
    UTILITY(utility_combine)                                                                       \
    UTILITY(utility_synchronization)                                                               \
    UTILITY(utility_point_to_point_far)                                                            \
    UTILITY(utility_exchange_far)                                                                  \
    UTILITY(utility_exchange_pairs)                                                                \
    UTILITY(utility_iSR)                                                                           \
    UTILITY(utility_vSR)                                                                           \
    UTILITY(utility_vSR_vector)                                                                    \
    UTILITY(utility_vSR_packed)                                                                    \
    UTILITY(utility_EXCH1)                                                                         \
    UTILITY(utility_EXCH1_vector)                                                                  \
    UTILITY(utility_EXCH1_packed)                                                                  \
    UTILITY(utility_vSRSR)                                                                         \
    UTILITY(utility_vSRSR_vector)                                                                  \
    UTILITY(utility_vSRSR_packed)                                                                  \
    UTILITY(utility_EXCH2)                                                                         \
    UTILITY(utility_EXCH2_vector)                                                                  \
    UTILITY(utility_EXCH2_packed)                                                                  \
    UTILITY(utility_EXCH3)                                                                         \
    UTILITY(utility_halo_1)                                                                        \
    UTILITY(utility_halo_2)                                                                        \
    UTILITY(utility_halo_3)                                                                        \
    UTILITY(utility_many_to_many_packed)                                                           \
    UTILITY(utility_COMBN)                                                                         \
    UTILITY(utility_BCAST)                                                                         \
    UTILITY(utility_broadcast_sender)                                                              \
    UTILITY(utility_broadcast_bc)                                                                  \
    UTILITY(utility_broadcast_bc_other)                                                            \
    UTILITY(utility_broadcast_1m)                                                                  \
    UTILITY(utility_broadcast_rd)                                                                  \
    UTILITY(utility_broadcast_prd)                                                                 \
    UTILITY(utility_broadcast_bt)                                                                  \
    UTILITY(utility_broadcast_pbt)                                                                 \
    UTILITY(utility_broadcast_bt_sender)

#define UTILITY_DECLARE(variable) extern const struct utility variable;
UTILITIES(UTILITY_DECLARE)
#undef UTILITY_DECLARE

extern const struct utility *const utilities[];
extern const int utilities_count;

/* The index of the utility of that name, or -1. */
int utilities_named(const char *name);

#endif
