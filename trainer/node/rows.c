#include "trainer/node/rows.h"

#include "trainer/node/opaque.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>

/* ---- rows ---- */

#ifdef FLOATING_REGISTER

/* The compiler may not make one loop of two, nor know how long a row is. */
#define ROWS(name, fillers)                                                                        \
    static void name(long rows, long iterations)                                                   \
    {                                                                                              \
        double c = 0.7312345, d = 0.6123457;                                                       \
        OPAQUE(c);                                                                                 \
        OPAQUE(d);                                                                                 \
        for (long row = 0; row < rows; row++) {                                                    \
            double x = d;                                                                          \
            OPAQUE(x);                                                                             \
            for (long i = 0; i < iterations; i++) {                                                \
                x = x + c;                                                                         \
                OPAQUE(x);                                                                         \
                x = x * d;                                                                         \
                OPAQUE(x);                                                                         \
                fillers                                                                            \
            }                                                                                      \
            USED(x);                                                                               \
        }                                                                                          \
    }
#define FOUR_NOPS NOP NOP NOP NOP

ROWS(run_bare, )
ROWS(run_thinned, FOUR_NOPS FOUR_NOPS FOUR_NOPS)

static void (*const runs[ROWS_KINDS])(long, long) = {run_bare, run_thinned};

/* One row for what a chain takes alone; then rows that overlap by less than a half on cores that
   hold 20 to 300 operations, and 100 to 1500 instructions. */
const struct rows_item rows_items[] = {
    {ROWS_BARE,    3072, 1  },
    {ROWS_BARE,    24,   128},
    {ROWS_BARE,    48,   64 },
    {ROWS_BARE,    96,   32 },
    {ROWS_BARE,    192,  16 },
    {ROWS_BARE,    384,  8  },
    {ROWS_THINNED, 3072, 1  },
    {ROWS_THINNED, 16,   192},
    {ROWS_THINNED, 32,   96 },
    {ROWS_THINNED, 64,   48 },
    {ROWS_THINNED, 128,  24 },
    {ROWS_THINNED, 256,  12 },
};
enum { ITEMS = sizeof rows_items / sizeof *rows_items };
const size_t rows_count = ITEMS;

void rows_run(void *item)
{
    const struct rows_item *it = &rows_items[*(const size_t *)item];
    runs[it->kind](it->rows, it->iterations);
}

#else

const struct rows_item rows_items[] = {{0}};
enum { ITEMS = 1 };
const size_t rows_count = 0;

void rows_run(void *item)
{
    (void)item;
}

#endif

double rows_iterations(size_t item)
{
    return (double)(rows_items[item].rows * rows_items[item].iterations);
}

/* ---- how far they overlap ---- */

/* Of what a row takes alone. Shorter than half, and several rows overlap, for which more counts
   than the window; nearly all, and the overlap is within what samples differ by. */
static const double share_least = 0.5, share_most = 0.94;

/* Of what the scheduler alone lets overlap. */
static const double hidden_share = 0.9;

/* From one row's end to the next one's over what a row takes alone: the first has none before. */
static double share_of(const struct rows_item *it, double cycles, double alone_cycles)
{
    const double rows = (double)it->rows;
    return (rows * cycles / alone_cycles - 1.0) / (rows - 1.0);
}

/* The middle over lengths of how many iterations of a row overlap the one before; NAN: none. */
static double overlap(enum rows_kind kind, const double *cycles)
{
    double seen[ITEMS], alone_cycles = NAN;
    size_t count = 0;
    for (size_t i = 0; i < rows_count; i++) {
        const struct rows_item *it = &rows_items[i];
        if (it->kind != kind)
            continue;
        if (it->rows == 1) {
            alone_cycles = cycles[i];
            continue;
        }
        const double share = share_of(it, cycles[i], alone_cycles);
        if (share >= share_least && share <= share_most)
            seen[count++] = (double)it->iterations * (1.0 - share);
    }
    gsl_sort(seen, 1, count);
    return count > 0 ? gsl_stats_median_from_sorted_data(seen, 1, count) : (double)NAN;
}

/* Rows that the scheduler ends where it does without fillers do not show the reorder buffer, which
   holds the oldest iteration as well. */
void rows_set(struct node *node, const double *cycles)
{
    const double bare = overlap(ROWS_BARE, cycles), thinned = overlap(ROWS_THINNED, cycles);
    node->scheduler_operations = ROWS_WAITING * bare;
    node->window_instructions =
        thinned > hidden_share * bare ? (double)NAN : ROWS_INSTRUCTIONS * (thinned + 1.0);
}
