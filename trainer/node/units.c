#include "trainer/node/units.h"

#include "model/base/allocation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* In quiet runs, additions, multiplications and chains of them are within 0.5 % of what the
   hardware has. What disturbs makes operations dearer, seldom the clock beside them slower: a value
   may lie farther above than below, and a bound must not come out above what can be reached. */
static const double above = 0.05, below = 0.01;

/* Rows whose cycles differ by less say the same. */
static const double same = 0.07;

double units_round(double cycles)
{
    const double whole = cycles >= 0.75 ? 0.5 * round(2.0 * cycles) : 1.0 / round(1.0 / cycles);
    return cycles <= (1.0 + above) * whole && cycles >= (1.0 - below) * whole ? whole : cycles;
}

static double alone(const struct timings *timings, int operation)
{
    for (size_t i = 0; i < timings->count; i++)
        if (timings->items[i].which == 1U << operation)
            return timings->items[i].cycles;
    return NAN;
}

static int count_of(unsigned which)
{
    int count = 0;
    for (; which; which &= which - 1)
        count++;
    return count;
}

/* ---- rows ---- */

static char *name_of(unsigned which)
{
    char *name = memory_copy_text("");
    for (int k = 0; k < OPERATION_COUNT; k++) {
        if (!(which & 1U << k))
            continue;
        char *longer =
            memory_format("%s%s%s", name, *name ? "+" : "", operation_name((enum operation)k));
        free(name);
        name = longer;
    }
    return name;
}

/* What one operation in a timing keeps the pipes that it shares with the others busy: its own time
   where they follow one another on one pipe, else an equal share. */
static struct operations shares_of(const struct timings *timings, const struct timing *timing)
{
    struct operations cycles = {{0}};
    double sum = 0.0;
    for (int k = 0; k < OPERATION_COUNT; k++)
        if (timing->which & 1U << k)
            sum += alone(timings, k);
    const bool in_turn = timing->cycles >= (1.0 - same) * sum;
    for (int k = 0; k < OPERATION_COUNT; k++)
        if (timing->which & 1U << k)
            cycles.of[k] = in_turn ? units_round(alone(timings, k))
                                   : units_round(timing->cycles / count_of(timing->which));
    return cycles;
}

/* Whether a row is never busier than another one. */
static bool implies(const struct unit *other, const struct operations *cycles)
{
    for (int k = 0; k < OPERATION_COUNT; k++)
        if (cycles->of[k] > (1.0 + same) * other->cycles.of[k])
            return false;
    return true;
}

static double cycles_by(const struct unit *row, unsigned which)
{
    double cycles = 0.0;
    for (int k = 0; k < OPERATION_COUNT; k++)
        if (which & 1U << k)
            cycles += row->cycles.of[k];
    return cycles;
}

/* Whether the rows so far say how long the operations take together. */
static bool is_explained(const struct list *units, const struct timing *timing)
{
    const struct unit *rows = units->items;
    for (size_t i = 0; i < units->count; i++)
        if (timing->cycles <= (1.0 + same) * cycles_by(&rows[i], timing->which))
            return true;
    return false;
}

/* A row may not say that an operation takes longer than it does alone. */
static bool is_possible(const struct timings *timings, const struct operations *cycles)
{
    for (int k = 0; k < OPERATION_COUNT; k++)
        if (cycles->of[k] > 0.0 && !(cycles->of[k] <= (1.0 + same) * alone(timings, k)))
            return false;
    return true;
}

/* Rows that another is never less busy than. */
static void drop_implied(struct list *units)
{
    struct unit *rows = units->items;
    for (size_t i = units->count; i-- > 0;)
        for (size_t j = 0; j < units->count; j++)
            if (j != i && implies(&rows[j], &rows[i].cycles)) {
                free(rows[i].name);
                memmove(&rows[i], &rows[i + 1], (--units->count - i) * sizeof *rows);
                break;
            }
}

static void add_row(struct list *units, char *name, const struct operations *cycles)
{
    struct unit *row = list_add(&unit_record, units);
    row->name = name;
    row->cycles = *cycles;
}

static void add_issue(const struct timings *timings, struct list *units)
{
    struct operations cycles = {{0}};
    if (isnan(timings->issue_cycles))
        return;
    for (int k = 0; k < OPERATION_COUNT; k++)
        if (!isnan(alone(timings, k)))
            cycles.of[k] = units_round(timings->issue_cycles);
    add_row(units, memory_copy_text("issue"), &cycles);
}

/* Few operations first: what they explain needs no row of more. */
void units_derive(const struct timings *timings, struct list *units)
{
    for (int size = 1; size <= OPERATION_COUNT; size++)
        for (size_t i = 0; i < timings->count; i++) {
            const struct timing *timing = &timings->items[i];
            if (count_of(timing->which) != size || is_explained(units, timing))
                continue;
            const struct operations cycles = shares_of(timings, timing);
            if (is_possible(timings, &cycles))
                add_row(units, name_of(timing->which), &cycles);
        }
    drop_implied(units);
    add_issue(timings, units);
}
