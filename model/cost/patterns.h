/* The rows of the catalogue, for whoever includes them: MEASURED(variable, name, what p counts,
   properties), of what trainer measures, in the order of its tables: variable is that of the
   utility in trainer/utilities/; PATTERN(the same), of what only tables of others have or what is
   made of measurements. pattern.h says what each property means, pattern.c and interval.h have the
   functions and the laws. */
MEASURED(point_to_point, "point-to-point", MEAN_PARTICIPANTS, .mpi = "MPI_Send", .among = AMONG_TWO,
         .rate_messages = one_message, .under_way = one_message, .interval = &law_one_message,
         .delivery = DELIVERY_OF_PARTNER, .plausible = PLAUSIBLE_ANY, .letters = "pp",
         .noun = "message", .class = TRAFFIC_MESSAGES, .strided_as = &pattern_vSR)
/* An exchange is at most two messages one after the other. */
MEASURED(exchange, "exchange", MEAN_PARTICIPANTS, .mpi = "MPI_Sendrecv", .among = AMONG_TWO,
         .rate_messages = both_ways, .under_way = both_ways, .interval = &law_one_message,
         .delivery = DELIVERY_OF_PARTNER, .plausible = PLAUSIBLE_ANY, .letters = "exch",
         .noun = "exchange", .class = TRAFFIC_EXCHANGE, .strided_as = &pattern_EXCH1,
         COMPOSED_OF(USING(point_to_point, USES_TWICE)))
MEASURED(one_to_many, "one-to-many", MEAN_DESTINATIONS, .among = AMONG_ALL,
         .rate_messages = one_message, .under_way = to_all_others, .interval = &law_each_other,
         .delivery = DELIVERY_BY_ROOT, .plausible = PLAUSIBLE_ANY, .letters = "1m",
         .one_sided = true, .class = TRAFFIC_ONE_TO_MANY,
         .beware = "no MPI_Scatter, which is scatter: it ends when the sender is done",
         COMPOSED_OF(USING(point_to_point, USES_FOR_EACH_OTHER)))
MEASURED(many_to_one, "many-to-one", MEAN_SOURCES, .among = AMONG_ALL, .rate_messages = one_message,
         .under_way = one_message, .interval = &law_in_turn, .delivery = DELIVERY_TO_ROOT,
         .plausible = PLAUSIBLE_ANY, .letters = "m1", .one_sided = true,
         .class = TRAFFIC_MANY_TO_ONE,
         .beware = "no MPI_Gather, which is gather: the messages have arrived when it begins",
         COMPOSED_OF(USING(point_to_point, USES_FOR_EACH_OTHER)))
/* Of exchanges it was 17 to 40 % too low on the IBM SP2. */
MEASURED(many_to_many, "many-to-many", MEAN_PARTICIPANTS, .mpi = "MPI_Alltoall", .by_library = true,
         .among = AMONG_ALL, .rate_messages = each_to_all_others, .under_way = of_all,
         .interval = &law_each_other, .delivery = DELIVERY_OF_EACH,
         .plausible = PLAUSIBLE_FROM_EXCHANGE, .letters = "mm", .class = TRAFFIC_MANY_TO_MANY,
         .packed = &pattern_many_to_many_packed,
         COMPOSED_OF(TOO_LOW(exchange, USES_FOR_EACH_OTHER, TOO_LOW_ALWAYS)))
MEASURED(all_gather, "all-gather", MEAN_PARTICIPANTS, .mpi = "MPI_Allgather", .by_library = true,
         .folds = true, .among = AMONG_ALL, .rate_messages = each_to_all_others,
         .under_way = of_all, .interval = &law_each_other, .delivery = DELIVERY_OF_ALL,
         .plausible = PLAUSIBLE_ANY, .letters = "ag", .class = TRAFFIC_ALL_GATHER,
         COMPOSED_OF(USING(many_to_many, USES_ONCE),
                     USING_BOTH(many_to_one, broadcast, BYTES_OF_ALL)))
/* The algorithms that Abandah, IBM SP2, section 3.9 chooses from come first, then the others; from
   one-to-many alone it is too low where that is the time until the sender is done, about half of
   what all need (doc/segment-description.md, rule "Meaning of p"). */
MEASURED(broadcast, "broadcast", MEAN_DESTINATIONS, .mpi = "MPI_Bcast", .by_library = true,
         .among = AMONG_ALL, .rate_messages = one_message, .under_way = of_a_tree,
         .interval = &law_library_tree, .delivery = DELIVERY_OF_ROOT,
         .plausible = PLAUSIBLE_TO_SINGLE_MESSAGES | PLAUSIBLE_FROM_MESSAGE, .letters = "bc",
         .class = TRAFFIC_BROADCAST,
         COMPOSED_OF(USING(broadcast_1m, USES_ONCE), USING(broadcast_rd, USES_ONCE),
                     USING(broadcast_pbt, USES_ONCE), USING(broadcast_bc, USES_ONCE),
                     USING(broadcast_prd, USES_ONCE), USING(broadcast_bt, USES_ONCE),
                     TOO_LOW(one_to_many, USES_ONCE, TOO_LOW_OF_ONE_SIDE)))
/* Of messages alone it is a broadcast backwards and one forwards, without what the sums take. */
MEASURED(combine, "combine", MEAN_PARTICIPANTS, .mpi = "MPI_Allreduce", .by_library = true,
         .folds = true, .among = AMONG_ALL, .rate_messages = one_message, .under_way = of_all,
         .interval = &law_combination, .delivery = DELIVERY_SUM,
         .plausible = PLAUSIBLE_FROM_EXCHANGE | PLAUSIBLE_FROM_MESSAGE |
                      PLAUSIBLE_TO_REDUCE_BROADCAST,
         .letters = "cb", .class = TRAFFIC_COMBINE,
         COMPOSED_OF(USING_BOTH(reduce, broadcast, BYTES_THE_SAME), USING(all_reduce, USES_ONCE),
                     TOO_LOW(broadcast, USES_TWICE, TOO_LOW_ALWAYS)))
MEASURED(synchronization, "synchronization", MEAN_PARTICIPANTS, .mpi = "MPI_Barrier",
         .by_library = true, .folds = true, .partners = PARTNERS_TREE, .among = AMONG_ALL,
         .rate_messages = one_message, .under_way = pattern_not_known, .interval = &law_barrier,
         .delivery = DELIVERY_NONE, .plausible = PLAUSIBLE_ANY)
MEASURED(point_to_point_far, "point-to-point-far", MEAN_PARTICIPANTS, .among = AMONG_TWO,
         .rate_messages = one_message, .under_way = pattern_not_known, .interval = &law_one_message,
         .delivery = DELIVERY_NOT_LOOKED_AT, .plausible = PLAUSIBLE_ANY,
         .near = &pattern_point_to_point)
MEASURED(exchange_far, "exchange-far", MEAN_PARTICIPANTS, .among = AMONG_TWO,
         .rate_messages = both_ways, .under_way = pattern_not_known, .interval = &law_one_message,
         .delivery = DELIVERY_NOT_LOOKED_AT, .plausible = PLAUSIBLE_ANY, .near = &pattern_exchange)
/* Its rate is that of each pair. What others make of a message is told by it, not of it. */
MEASURED(exchange_pairs, "exchange-pairs", MEAN_PARTICIPANTS, .partners = PARTNERS_HALF,
         .among = AMONG_PAIRS, .rate_messages = both_ways, .under_way = pattern_not_known,
         .interval = &law_pairs, .delivery = DELIVERY_OF_PARTNER, .plausible = PLAUSIBLE_ANY,
         .same_of_two = &pattern_exchange)
/* Pairs of ranks next to one another: what many pairs take of one another at the least distance. */
MEASURED(exchange_neighbours, "exchange-neighbours", MEAN_PARTICIPANTS, .distance = 1,
         .partners = PARTNERS_PAIR, .among = AMONG_PAIRS, .rate_messages = both_ways,
         .under_way = pattern_not_known, .interval = &law_pairs, .delivery = DELIVERY_NOT_LOOKED_AT,
         .plausible = PLAUSIBLE_ANY, .same_of_two = &pattern_exchange)
MEASURED(iSR, "iSR", MEAN_PARTICIPANTS, .among = AMONG_ALL, .rate_messages = one_message,
         .under_way = pattern_not_known, .interval = &law_one_message,
         .delivery = DELIVERY_NOT_LOOKED_AT, .plausible = PLAUSIBLE_ANY)
MEASURED(vSR, "vSR", MEAN_PARTICIPANTS, .among = AMONG_ALL, .rate_messages = one_message,
         .under_way = pattern_not_known, .interval = &law_one_message,
         .delivery = DELIVERY_NOT_LOOKED_AT, .plausible = PLAUSIBLE_FROM_MESSAGE,
         .vector = &pattern_vSR_vector, .packed = &pattern_vSR_packed)
MEASURED(vSR_vector, "vSR-vector", MEAN_PARTICIPANTS, .among = AMONG_ALL,
         .rate_messages = one_message, .under_way = pattern_not_known, .interval = &law_one_message,
         .delivery = DELIVERY_NOT_LOOKED_AT, .plausible = PLAUSIBLE_ANY)
MEASURED(vSR_packed, "vSR-packed", MEAN_PARTICIPANTS, .among = AMONG_ALL,
         .rate_messages = one_message, .under_way = pattern_not_known, .interval = &law_one_message,
         .delivery = DELIVERY_NOT_LOOKED_AT, .plausible = PLAUSIBLE_ANY)
MEASURED(EXCH1, "EXCH1", MEAN_PARTICIPANTS, .partners = PARTNERS_LINE, .among = AMONG_ALL,
         .rate_messages = one_message, .under_way = pattern_not_known, .interval = &law_neighbours,
         .delivery = DELIVERY_NOT_LOOKED_AT, .plausible = PLAUSIBLE_ANY,
         .vector = &pattern_EXCH1_vector, .packed = &pattern_EXCH1_packed)
MEASURED(EXCH1_vector, "EXCH1-vector", MEAN_PARTICIPANTS, .among = AMONG_ALL,
         .rate_messages = one_message, .under_way = pattern_not_known, .interval = &law_neighbours,
         .delivery = DELIVERY_NOT_LOOKED_AT, .plausible = PLAUSIBLE_ANY)
MEASURED(EXCH1_packed, "EXCH1-packed", MEAN_PARTICIPANTS, .among = AMONG_ALL,
         .rate_messages = one_message, .under_way = pattern_not_known, .interval = &law_neighbours,
         .delivery = DELIVERY_NOT_LOOKED_AT, .plausible = PLAUSIBLE_ANY)
MEASURED(vSRSR, "vSRSR", MEAN_PARTICIPANTS, .grid_directions = 2, .among = AMONG_ALL,
         .rate_messages = one_message, .under_way = pattern_not_known, .interval = &law_one_message,
         .delivery = DELIVERY_NOT_LOOKED_AT, .plausible = PLAUSIBLE_ANY,
         .vector = &pattern_vSRSR_vector, .packed = &pattern_vSRSR_packed)
MEASURED(vSRSR_vector, "vSRSR-vector", MEAN_PARTICIPANTS, .grid_directions = 2, .among = AMONG_ALL,
         .rate_messages = one_message, .under_way = pattern_not_known, .interval = &law_one_message,
         .delivery = DELIVERY_NOT_LOOKED_AT, .plausible = PLAUSIBLE_ANY)
MEASURED(vSRSR_packed, "vSRSR-packed", MEAN_PARTICIPANTS, .grid_directions = 2, .among = AMONG_ALL,
         .rate_messages = one_message, .under_way = pattern_not_known, .interval = &law_one_message,
         .delivery = DELIVERY_NOT_LOOKED_AT, .plausible = PLAUSIBLE_ANY)
MEASURED(EXCH2, "EXCH2", MEAN_PARTICIPANTS, .grid_directions = 2, .partners = PARTNERS_GRID,
         .among = AMONG_ALL, .rate_messages = one_message, .under_way = pattern_not_known,
         .interval = &law_grid_neighbours, .delivery = DELIVERY_NOT_LOOKED_AT,
         .plausible = PLAUSIBLE_ANY, .vector = &pattern_EXCH2_vector,
         .packed = &pattern_EXCH2_packed)
MEASURED(EXCH2_vector, "EXCH2-vector", MEAN_PARTICIPANTS, .grid_directions = 2, .among = AMONG_ALL,
         .rate_messages = one_message, .under_way = pattern_not_known,
         .interval = &law_grid_neighbours, .delivery = DELIVERY_NOT_LOOKED_AT,
         .plausible = PLAUSIBLE_ANY)
MEASURED(EXCH2_packed, "EXCH2-packed", MEAN_PARTICIPANTS, .grid_directions = 2, .among = AMONG_ALL,
         .rate_messages = one_message, .under_way = pattern_not_known,
         .interval = &law_grid_neighbours, .delivery = DELIVERY_NOT_LOOKED_AT,
         .plausible = PLAUSIBLE_ANY)
MEASURED(EXCH3, "EXCH3", MEAN_PARTICIPANTS, .grid_directions = 3, .partners = PARTNERS_GRID,
         .among = AMONG_ALL, .rate_messages = one_message, .under_way = pattern_not_known,
         .interval = &law_box_neighbours, .delivery = DELIVERY_NOT_LOOKED_AT,
         .plausible = PLAUSIBLE_ANY)
MEASURED(halo_1, "halo-1", MEAN_PARTICIPANTS, .partners = PARTNERS_LINE, .among = AMONG_ALL,
         .rate_messages = one_message, .under_way = pattern_not_known, .interval = &law_neighbours,
         .delivery = DELIVERY_NOT_LOOKED_AT, .plausible = PLAUSIBLE_ANY)
MEASURED(halo_2, "halo-2", MEAN_PARTICIPANTS, .grid_directions = 2, .partners = PARTNERS_GRID,
         .among = AMONG_ALL, .rate_messages = one_message, .under_way = pattern_not_known,
         .interval = &law_grid_neighbours, .delivery = DELIVERY_NOT_LOOKED_AT,
         .plausible = PLAUSIBLE_ANY)
MEASURED(halo_3, "halo-3", MEAN_PARTICIPANTS, .grid_directions = 3, .partners = PARTNERS_GRID,
         .among = AMONG_ALL, .rate_messages = one_message, .under_way = pattern_not_known,
         .interval = &law_box_neighbours, .delivery = DELIVERY_NOT_LOOKED_AT,
         .plausible = PLAUSIBLE_ANY)
/* The library copies. Both of two at once, as in a program all do. */
MEASURED(to_itself, "to-itself", MEAN_PARTICIPANTS, .among = AMONG_TWO,
         .rate_messages = one_message, .under_way = pattern_not_known, .interval = &law_one_message,
         .delivery = DELIVERY_NOT_LOOKED_AT, .plausible = PLAUSIBLE_ANY,
         .noun = "message to itself", .class = TRAFFIC_TO_ITSELF)
/* Neighbours as far apart as along the other dimensions of a grid (forecast/price/distance.h). */
#define HALO_BY(distance_apart)                                                                    \
    MEASURED(halo_1_by_##distance_apart, "halo-1-by-" #distance_apart, MEAN_PARTICIPANTS,          \
             .distance = (distance_apart), .partners = PARTNERS_LINE, .among = AMONG_ALL,          \
             .rate_messages = one_message, .under_way = pattern_not_known,                         \
             .interval = &law_neighbours, .delivery = DELIVERY_NOT_LOOKED_AT,                      \
             .plausible = PLAUSIBLE_ANY)
HALO_BY(2)
HALO_BY(4)
HALO_BY(8)
HALO_BY(16)
HALO_BY(32)
HALO_BY(64)
HALO_BY(128)
#undef HALO_BY
MEASURED(many_to_many_packed, "many-to-many-packed", MEAN_PARTICIPANTS, .by_library = true,
         .among = AMONG_ALL, .rate_messages = each_to_all_others, .under_way = pattern_not_known,
         .interval = &law_each_other, .delivery = DELIVERY_TURNED, .plausible = PLAUSIBLE_ANY)
MEASURED(COMBN, "COMBN", MEAN_PARTICIPANTS, .by_library = true, .folds = true, .among = AMONG_ALL,
         .rate_messages = one_message, .under_way = pattern_not_known, .interval = &law_combination,
         .delivery = DELIVERY_SUM, .plausible = PLAUSIBLE_ANY, .same = &pattern_combine)
MEASURED(BCAST, "BCAST", MEAN_PARTICIPANTS, .by_library = true, .among = AMONG_ALL,
         .rate_messages = one_message, .under_way = pattern_not_known,
         .interval = &law_library_tree, .delivery = DELIVERY_NOT_LOOKED_AT,
         .plausible = PLAUSIBLE_ANY, .same = &pattern_broadcast)
MEASURED(broadcast_sender, "broadcast-sender", MEAN_DESTINATIONS, .among = AMONG_ALL,
         .rate_messages = one_message, .under_way = pattern_not_known, .interval = &law_not_known,
         .delivery = DELIVERY_NOT_LOOKED_AT, .plausible = PLAUSIBLE_ANY)
MEASURED(broadcast_bc, "broadcast-bc", MEAN_PARTICIPANTS, .by_library = true, .among = AMONG_ALL,
         .rate_messages = one_message, .under_way = of_a_tree, .interval = &law_library_tree,
         .delivery = DELIVERY_NOT_LOOKED_AT, .plausible = PLAUSIBLE_FROM_MESSAGE,
         .same = &pattern_BCAST)
MEASURED(broadcast_bc_other, "broadcast-bc-other", MEAN_PARTICIPANTS, .among = AMONG_ALL,
         .rate_messages = one_message, .under_way = pattern_not_known, .interval = &law_not_known,
         .delivery = DELIVERY_NOT_LOOKED_AT, .plausible = PLAUSIBLE_ANY)
MEASURED(broadcast_1m, "broadcast-1m", MEAN_PARTICIPANTS, .among = AMONG_ALL,
         .rate_messages = one_message, .under_way = to_all_others, .interval = &law_each_other,
         .delivery = DELIVERY_NOT_LOOKED_AT, .plausible = PLAUSIBLE_FROM_MESSAGE)
MEASURED(broadcast_rd, "broadcast-rd", MEAN_PARTICIPANTS, .among = AMONG_ALL,
         .rate_messages = one_message, .under_way = of_a_tree, .interval = &law_binomial_tree,
         .delivery = DELIVERY_NOT_LOOKED_AT, .plausible = PLAUSIBLE_FROM_MESSAGE)
MEASURED(broadcast_prd, "broadcast-prd", MEAN_PARTICIPANTS, .among = AMONG_ALL,
         .rate_messages = one_message, .under_way = of_a_tree, .interval = &law_binomial_tree,
         .delivery = DELIVERY_NOT_LOOKED_AT, .plausible = PLAUSIBLE_ANY,
         .interval_parts = &law_library_tree, .whole = &pattern_broadcast_rd)
MEASURED(broadcast_bt, "broadcast-bt", MEAN_PARTICIPANTS, .among = AMONG_ALL,
         .rate_messages = one_message, .under_way = of_a_tree, .interval = &law_binary_tree,
         .delivery = DELIVERY_NOT_LOOKED_AT, .plausible = PLAUSIBLE_FROM_MESSAGE,
         .same_of_two = &pattern_broadcast_rd)
MEASURED(broadcast_pbt, "broadcast-pbt", MEAN_PARTICIPANTS, .among = AMONG_ALL,
         .rate_messages = one_message, .under_way = of_a_tree, .interval = &law_binary_tree,
         .delivery = DELIVERY_NOT_LOOKED_AT, .plausible = PLAUSIBLE_ANY,
         .interval_parts = &law_binary_in_parts, .whole = &pattern_broadcast_bt,
         .same_of_two = &pattern_broadcast_prd)
MEASURED(broadcast_bt_sender, "broadcast-bt-sender", MEAN_PARTICIPANTS, .among = AMONG_ALL,
         .rate_messages = one_message, .under_way = pattern_not_known, .interval = &law_not_known,
         .delivery = DELIVERY_NOT_LOOKED_AT, .plausible = PLAUSIBLE_ANY)
/* Collectives of MPI that end when all, or the root, have what they get. */
MEASURED(reduce, "reduce", MEAN_PARTICIPANTS, .mpi = "MPI_Reduce", .by_library = true,
         .folds = true, .among = AMONG_ALL, .rate_messages = one_message, .under_way = of_a_tree,
         .interval = &law_library_tree, .delivery = DELIVERY_SUM_AT_ROOT,
         .plausible = PLAUSIBLE_FROM_MESSAGE, .class = TRAFFIC_REDUCE,
         .beware = "until the root has the sum: combine gives it to all",
         COMPOSED_OF(USING(combine, USES_ONCE), USING(all_reduce, USES_ONCE)))
/* Of a loop of them: what one more takes the root. */
MEASURED(reduce_repeated, "reduce-repeated", MEAN_PARTICIPANTS, .by_library = true, .folds = true,
         .among = AMONG_ALL, .rate_messages = one_message, .under_way = of_a_tree,
         .interval = &law_library_tree, .delivery = DELIVERY_SUM_AT_ROOT,
         .plausible = PLAUSIBLE_ANY,
         .beware = "of a loop of them, what one more takes the root: reduce is one alone",
         COMPOSED_OF(USING(reduce, USES_ONCE)))
/* Of a loop of them: what one more takes, while those before it are still on their way. */
MEASURED(broadcast_repeated, "broadcast-repeated", MEAN_PARTICIPANTS, .by_library = true,
         .among = AMONG_ALL, .rate_messages = one_message, .under_way = of_a_tree,
         .interval = &law_library_tree, .delivery = DELIVERY_OF_ROOT, .plausible = PLAUSIBLE_ANY,
         .beware = "of a loop of them, what one more takes: broadcast is one alone",
         COMPOSED_OF(USING(broadcast, USES_ONCE)))
MEASURED(scatter, "scatter", MEAN_PARTICIPANTS, .mpi = "MPI_Scatter", .by_library = true,
         .among = AMONG_ALL, .rate_messages = one_message, .under_way = of_a_tree,
         .interval = &law_each_other, .delivery = DELIVERY_SCATTERED,
         .plausible = PLAUSIBLE_FROM_MESSAGE,
         .beware = "until the last has its message: one-to-many is the sender's time alone",
         COMPOSED_OF(TOO_LOW(one_to_many, USES_ONCE, TOO_LOW_OF_ONE_SIDE),
                     USING_BOTH(one_to_many, point_to_point, BYTES_THE_SAME),
                     USING(point_to_point, USES_FOR_EACH_OTHER)))
MEASURED(gather, "gather", MEAN_PARTICIPANTS, .mpi = "MPI_Gather", .by_library = true,
         .among = AMONG_ALL, .rate_messages = one_message, .under_way = of_a_tree,
         .interval = &law_each_other, .delivery = DELIVERY_GATHERED,
         .plausible = PLAUSIBLE_FROM_MESSAGE,
         .beware = "from when all begin: many-to-one is the receiver's time once all have arrived",
         COMPOSED_OF(TOO_LOW(many_to_one, USES_ONCE, TOO_LOW_OF_ONE_SIDE),
                     USING_BOTH(point_to_point, many_to_one, BYTES_THE_SAME),
                     USING(point_to_point, USES_FOR_EACH_OTHER)))
MEASURED(reduce_scatter, "reduce-scatter", MEAN_PARTICIPANTS, .mpi = "MPI_Reduce_scatter",
         .by_library = true, .folds = true, .among = AMONG_ALL, .rate_messages = one_message,
         .under_way = of_all, .interval = &law_shares, .delivery = DELIVERY_SUM_SHARED,
         .plausible = PLAUSIBLE_FROM_EXCHANGE, .class = TRAFFIC_REDUCE_SCATTER,
         .beware = "n is the block that one gets, as in MPI_Reduce_scatter_block",
         COMPOSED_OF(USING(many_to_many, USES_ONCE),
                     TOO_LOW_WHEN(TOO_LOW_NEVER, PART(reduce, USES_ONCE, BYTES_OF_ALL),
                                  PART(scatter, USES_ONCE, BYTES_THE_SAME))))
MEASURED(all_gather_in_place, "all-gather-in-place", MEAN_PARTICIPANTS, .by_library = true,
         .folds = true, .among = AMONG_ALL, .rate_messages = each_to_all_others,
         .under_way = of_all, .interval = &law_each_other, .delivery = DELIVERY_OF_ALL_IN_PLACE,
         .plausible = PLAUSIBLE_ANY,
         .beware = "with MPI_IN_PLACE: all-gather copies one's own part, too",
         COMPOSED_OF(USING(all_gather, USES_ONCE)))
/* Its rate is that of each processor, as of one that exchanges. */
MEASURED(shift, "shift", MEAN_PARTICIPANTS, .partners = PARTNERS_NEXT, .among = AMONG_ALL,
         .rate_messages = both_ways, .under_way = of_all, .interval = &law_pairs,
         .delivery = DELIVERY_OF_ONE_BEFORE, .plausible = PLAUSIBLE_ANY,
         .same_of_two = &pattern_exchange,
         .beware = "around a ring: exchange is between two, halo-1 with both neighbours on a line",
         COMPOSED_OF(USING(exchange, USES_ONCE)))
MEASURED(many_to_many_staged, "many-to-many-staged", MEAN_PARTICIPANTS, .partners = PARTNERS_ALL,
         .among = AMONG_ALL, .rate_messages = each_to_all_others, .under_way = of_all,
         .interval = &law_stages, .delivery = DELIVERY_OF_EACH_OTHER, .plausible = PLAUSIBLE_ANY,
         .same_of_two = &pattern_exchange,
         .beware = "p - 1 calls of MPI_Sendrecv: many-to-many is MPI_Alltoall",
         COMPOSED_OF(USING(shift, USES_FOR_EACH_OTHER)))
/* The fastest protocol of each size, of what the suite "swap" measured. */
PATTERN(exchange_best, "exchange-best", MEAN_PARTICIPANTS, .among = AMONG_TWO,
        .rate_messages = both_ways, .under_way = pattern_not_known, .interval = &law_one_message,
        .delivery = DELIVERY_NOT_LOOKED_AT, .plausible = PLAUSIBLE_ANY)
/* The message goes along a ring, whole: from each to the next one when it has it. In k parts it is
   p - 2 + k shifts of n / k (doc/segment-description.md, rule "Composition"). */
PATTERN(broadcast_ring, "broadcast-ring", MEAN_PARTICIPANTS, .among = AMONG_ALL,
        .rate_messages = one_message, .under_way = one_message, .interval = &law_in_turn,
        .delivery = DELIVERY_NOT_LOOKED_AT, .plausible = PLAUSIBLE_ANY,
        COMPOSED_OF(USING(point_to_point, USES_FOR_EACH_OTHER)))
PATTERN(all_reduce, "all-reduce", MEAN_PARTICIPANTS, .among = AMONG_ALL,
        .rate_messages = one_message, .under_way = of_all, .interval = &law_not_known,
        .delivery = DELIVERY_NOT_LOOKED_AT, .plausible = PLAUSIBLE_TO_REDUCE_BROADCAST,
        COMPOSED_OF(USING_BOTH(reduce, broadcast, BYTES_THE_SAME), USING(combine, USES_ONCE)))
