#include "model/segment/traffic/alike.h"

#include "model/base/allocation.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- keys ---- */

static void push(struct turn_key *key, double number)
{
    if (key->count < TURN_KEY_MOST)
        key->numbers[key->count] = number;
    key->count++;
}

/* Of an element that no running loop moves only its owner counts, of others where they begin. False
   where loops are coupled, or it is outside. */
static bool push_subscript(struct turn_key *key, const struct reference *reference, int dimension,
                           const struct array_layout *lies, const struct turn *turn)
{
    const struct distribution *along = &lies->along[dimension];
    struct subscript subscript;
    if (!reference_subscript(reference, dimension, lies, turn->fixed, turn->at, &subscript) ||
        subscript.constant != subscript.constant)
        return false;
    if (subscript.loop >= 0) {
        push(key, subscript.constant);
        return true;
    }
    if (subscript.constant < 0.0 || subscript.constant >= along->elements)
        return false;
    if (along->grid_dimension >= 0)
        push(key, distribution_owner(along, subscript.constant));
    return true;
}

static bool push_home(struct turn_key *key, const struct reference *home,
                      const struct array_layout *lies, const struct turn *turn)
{
    bool told = true;
    for (int d = 0; home && d < home->dimensions; d++)
        if (lies->along[d].grid_dimension >= 0)
            told &= push_subscript(key, home, d, lies, turn);
    return told;
}

static bool push_reads(struct turn_key *key, const struct reads *reads,
                       const struct array_layout *lies, const struct turn *turn)
{
    bool told = true;
    for (size_t k = 0; k < reads->count; k++)
        for (int d = 0; d < lies->dimensions; d++)
            told &= push_subscript(key, reads->references[k], d, lies, turn);
    return told;
}

/* *told: unless bounds couple loops that run. */
static int push_ranges(struct turn_key *key, const struct nest *nest, const struct turn *turn,
                       bool *told, struct error *error)
{
    for (int l = 0; l < nest->depth; l++) {
        struct range range;
        if (turn->ordinal[l])
            push(key, turn->at[l]);
        if (turn->fixed[l])
            continue;
        if (nest_is_triangular(nest, l, turn->fixed)) {
            *told = false;
            continue;
        }
        if (nest_range(nest, l, turn->at, &range, error) != 0)
            return -1;
        push(key, range.first);
        push(key, range.last);
    }
    return 0;
}

int turn_key_make(struct turn_key *key, const struct reads *reads, const struct reference *home,
                  const struct array_layout *home_lies, const struct array_layout *lies,
                  const struct nest *nest, const struct turn *turn, const bool *matters,
                  struct error *error)
{
    key->count = 0;
    bool told = push_home(key, home, home_lies, turn);
    told &= push_reads(key, reads, lies, turn);
    if (push_ranges(key, nest, turn, &told, error) != 0)
        return -1;
    for (int l = 0; l < nest->depth && !told; l++)
        if (turn->fixed[l] && matters[l])
            push(key, turn->at[l]);
    return 0;
}

/* ---- values of one loop ---- */

/* Of one reference, as digits of a number that goes on. */
static bool add_owners(const struct reference *reference, const struct array_layout *lies, int loop,
                       double value, double *owners, double *most)
{
    for (int d = 0; reference && d < reference->dimensions; d++) {
        const struct distribution *along = &lies->along[d];
        const struct affine *subscript = &reference->subscripts[d];
        if (subscript->by[loop] == 0.0)
            continue;
        if (affine_loop(subscript, 0) != loop || affine_loop(subscript, loop + 1) >= 0)
            return false;
        if (along->grid_dimension < 0)
            continue;
        const double element = subscript->constant + along->offset + subscript->by[loop] * value;
        const bool is_inside = element >= 0.0 && element < along->elements;
        *owners = *owners * (along->processors + 1.0) +
                  (is_inside ? distribution_owner(along, element) : along->processors);
        *most *= along->processors + 1.0;
    }
    return *most < 0x1p53;
}

bool turn_owners(const struct reads *reads, const struct reference *home,
                 const struct array_layout *home_lies, const struct array_layout *lies, int loop,
                 double value, double *owners)
{
    double most = 1.0;
    *owners = 0.0;
    bool told = add_owners(home, home_lies, loop, value, owners, &most);
    for (size_t k = 0; k < reads->count && told; k++)
        told = add_owners(reads->references[k], lies, loop, value, owners, &most);
    return told;
}

/* ---- turns by keys ---- */

struct alike_turns *alike_find(struct alike *alike, const struct turn_key *key, bool *known)
{
    const size_t before = alike->keys.count;
    const size_t number = lookup_add(&alike->keys, key->numbers, key->count);
    *known = number < before;
    if (!*known && (before & (before - 1)) == 0)
        alike->turns = memory_grow(alike->turns, 2 * before + 1, sizeof *alike->turns);
    if (!*known)
        alike->turns[number] = (struct alike_turns){0};
    return &alike->turns[number];
}

void alike_add(struct alike_turns *turns, const struct traffic *traffic, const struct reads *reads,
               int grid_dimension)
{
    turns->moved = memory_grow(turns->moved, turns->moved_count + 1, sizeof *turns->moved);
    turns->moved[turns->moved_count++] = (struct moved){*traffic, *reads, grid_dimension};
}

int alike_hand_over(const void *known, const struct turn_taker *taker, struct error *error)
{
    const struct alike *alike = known;
    for (size_t i = 0; i < alike->keys.count; i++) {
        const struct alike_turns *turns = &alike->turns[i];
        for (size_t k = 0; k < turns->moved_count; k++)
            if (taker->take(taker->taker, &turns->moved[k].traffic, &turns->moved[k].reads,
                            turns->moved[k].grid_dimension, turns->times, error) != 0)
                return -1;
    }
    return 0;
}

void alike_free(struct alike *alike)
{
    for (size_t i = 0; i < alike->keys.count; i++)
        free(alike->turns[i].moved);
    free(alike->turns);
    lookup_free(&alike->keys);
    *alike = (struct alike){0};
}
