#include "trainer/node/pairs.h"

#include <math.h>

static void derive_pair(const struct chains *chains, int a, int b,
                        struct operation_pairs *latencies)
{
    const double in_turn = chains->in_turn.from[a].of[b];
    const double *alone = chains->alone.of;
    if (in_turn <= 0.0 || alone[a] <= 0.0 || alone[b] <= 0.0)
        return;
    const double more = (in_turn - alone[a] - alone[b]) / 2.0;
    latencies->from[a].of[b] = fmax(0.0, alone[a] + more);
    latencies->from[b].of[a] = fmax(0.0, alone[b] + more);
}

static void derive_load_use(const struct chains *chains, int operation,
                            struct operation_pairs *latencies)
{
    const double *alone = chains->alone.of, *use = chains->load_use.of;
    if (use[operation] <= 0.0 || use[OPERATION_LOAD] <= 0.0 || alone[operation] <= 0.0 ||
        alone[OPERATION_LOAD] <= 0.0)
        return;
    const double more = use[operation] - use[OPERATION_LOAD] - alone[operation];
    latencies->from[OPERATION_LOAD].of[operation] = fmax(0.0, alone[OPERATION_LOAD] + more);
}

void pairs_derive(const struct chains *chains, struct operation_pairs *latencies)
{
    *latencies = (struct operation_pairs){0};
    for (int a = 0; a < OPERATION_LOAD; a++) {
        latencies->from[a].of[a] = chains->alone.of[a];
        for (int b = a + 1; b < OPERATION_LOAD; b++)
            derive_pair(chains, a, b, latencies);
        derive_load_use(chains, a, latencies);
    }
    latencies->from[OPERATION_LOAD].of[OPERATION_LOAD] = chains->alone.of[OPERATION_LOAD];
    latencies->from[OPERATION_STORE].of[OPERATION_LOAD] =
        chains->in_turn.from[OPERATION_LOAD].of[OPERATION_STORE];
}
