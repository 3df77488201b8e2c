#include "trainer/rehearsal/deadline.h"

#include "trainer/base/clock.h"
#include "trainer/base/interruption.h"

#include <math.h>
#include <mpi.h>
#include <stddef.h>

/* Operations between two looks at the clock: a millisecond or some, beside which a look is nothing.
 */
static const double operations_most = 1e6;

/* So many elements are done at a time. */
enum { BLOCK = 8 };

bool deadline_seen(struct deadline *deadline)
{
    if (!deadline)
        return false;
    if (interruption_signal())
        deadline->seen = 128 + interruption_signal();
    else if (!deadline->seen && clock_s() > deadline->end_s)
        deadline->seen = DEADLINE_OVER;
    return deadline->seen != 0;
}

int deadline_agree(struct deadline *deadline)
{
    if (!deadline)
        return 0;
    deadline_seen(deadline);
    MPI_Allreduce(&deadline->seen, &deadline->over, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    deadline->seen = deadline->over;
    return deadline->over;
}

bool deadline_is_over(const struct deadline *deadline)
{
    return deadline && deadline->over != 0;
}

bool deadline_agrees(const struct deadline *deadline)
{
    return deadline && deadline->agrees;
}

/* ---- loops ---- */

static double operations_each(const struct walk *walk)
{
    double each = 1.0 + walk->read_count;
    for (int k = OPERATION_ADD; k <= OPERATION_SQRT; k++)
        each += walk->operations.of[k];
    return each;
}

/* Of an element with very many operations a share at a time. */
static void walk_in_passes(struct deadline *deadline, struct walk *walk, double row, long from,
                           long to, double passes)
{
    struct walk part = *walk;
    for (int k = OPERATION_ADD; k <= OPERATION_SQRT; k++) {
        part.operations.of[k] /= passes;
        part.chain.of[k] /= passes;
    }
    for (double pass = 0.0; pass < passes && !deadline_seen(deadline); pass += 1.0)
        walk_parts(&part, row, row + 1.0, from, to);
    walk->value = part.value;
}

static void walk_row(struct deadline *deadline, struct walk *walk, double row, long from, long to)
{
    const double each = operations_each(walk), passes = floor(each * BLOCK / operations_most);
    const long step = (long)fmax(BLOCK, floor(operations_most / each));
    for (long k = from; k < to && !deadline_seen(deadline); k += step) {
        const long end = k + step < to ? k + step : to;
        if (passes > 1.0)
            walk_in_passes(deadline, walk, row, k, end, passes);
        else
            walk_parts(walk, row, row + 1.0, k, end);
    }
}

void deadline_walk(struct deadline *deadline, struct walk *walk, double first, double end,
                   long from, long to)
{
    const double of_row = operations_each(walk) * fmax(1.0, (double)(to - from));
    const double rows = floor(operations_most / of_row);
    if (!deadline || end - first <= rows) { /* where a look would take a share of the time */
        if (!deadline || !deadline->seen)
            walk_parts(walk, first, end, from, to);
        return;
    }
    for (double row = first; row < end && !deadline_seen(deadline); row += fmax(1.0, rows))
        if (rows < 1.0)
            walk_row(deadline, walk, row, from, to);
        else
            walk_parts(walk, row, fmin(row + rows, end), from, to);
}
