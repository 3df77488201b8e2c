#include "model/segment/traffic/shift.h"

#include <math.h>

enum { GRID_MOST = 4 };

/* What everything here is asked of. */
struct corner {
    const struct home *home;
    const struct array_layout *lies;
    const struct turn *turn;
    bool to_itself; /* around a periodic array, along a dimension with one processor */
};

/* ---- the parts of reads ---- */

/* By how much a read is shifted along each grid dimension. Returns the set of those dimensions. */
static unsigned offsets_of(double offsets[DIMENSIONS_MOST], const struct reference *read,
                           const struct corner *it)
{
    unsigned set = 0;
    for (int g = 0; g < it->home->grid_dimensions; g++) {
        const int d = array_layout_along(it->lies, g);
        offsets[g] = 0.0;
        if (d >= 0 && (it->home->grid[g] > 1.0 || (it->to_itself && read->wraps)))
            shift_offset(read, d, &it->home->axes[g], it->lies, it->turn, &offsets[g]);
        set |= offsets[g] != 0.0 ? 1u << g : 0;
    }
    return set;
}

static bool is_one(unsigned set)
{
    return (set & (set - 1)) == 0;
}

/* The read as it would be without its offsets along the other dimensions. */
static struct reference part_of(const struct reference *read, unsigned set,
                                const double offsets[DIMENSIONS_MOST], const struct corner *it)
{
    struct reference part = *read;
    for (int g = 0; g < it->home->grid_dimensions; g++)
        if ((set >> g & 1) == 0 && offsets[g] != 0.0)
            part.subscripts[array_layout_along(it->lies, g)].constant -= offsets[g];
    return part;
}

static bool is_known(const struct reads *reads, const struct reference *read)
{
    for (size_t k = 0; k < reads->count; k++)
        if (reference_same_subscripts(reads->references[k], read))
            return true;
    return false;
}

/* All parts of all reads, each once. False where there are too many. */
static bool find_parts(struct reads *parts, struct reference made[READS_MOST],
                       const struct reads *reads, const struct corner *it)
{
    double offsets[DIMENSIONS_MOST];
    for (size_t k = 0; k < reads->count; k++) {
        const unsigned whole = offsets_of(offsets, reads->references[k], it);
        for (unsigned set = whole;; set = (set - 1) & whole) {
            const struct reference part = part_of(reads->references[k], set, offsets, it);
            if ((set != 0 || whole == 0) && !is_known(parts, &part)) {
                if (parts->count == READS_MOST)
                    return false;
                made[parts->count] = part;
                parts->references[parts->count] = &made[parts->count];
                parts->count++;
            }
            if (set == 0)
                break;
        }
    }
    return true;
}

/* The reads that are shifted along these dimensions and no others; of at most one: along any. */
static struct reads along(const struct reads *reads, unsigned set, const struct corner *it)
{
    struct reads chosen = {.array = reads->array};
    double offsets[DIMENSIONS_MOST];
    for (size_t k = 0; k < reads->count; k++) {
        const unsigned its = offsets_of(offsets, reads->references[k], it);
        if (is_one(set) ? is_one(its) : its == set)
            chosen.references[chosen.count++] = reads->references[k];
    }
    return chosen;
}

/* ---- across a corner ---- */

/* Which of 2 ^ dimensions corners of a block it is that a read goes to. */
static unsigned side_of(const double offsets[DIMENSIONS_MOST], int grid_dimensions)
{
    unsigned side = 0;
    for (int g = 0; g < grid_dimensions; g++)
        side |= offsets[g] > 0.0 ? 1u << g : 0;
    return side;
}

/* Of two processors along an open line, one has its neighbour above, the other below. */
static unsigned one_sided(const struct reads *reads, unsigned set, const struct home *home)
{
    unsigned open = 0;
    for (int g = 0; g < home->grid_dimensions; g++)
        open |= home->grid[g] == 2.0 ? 1u << g : 0;
    for (size_t k = 0; k < reads->count; k++)
        open = reads->references[k]->wraps ? 0 : open;
    return open & set;
}

/* The most neighbours that one processor has across such corners. */
static double count_neighbours(const struct reads *reads, unsigned set, const struct corner *it)
{
    bool wanted[1u << GRID_MOST] = {false};
    double offsets[DIMENSIONS_MOST], most = 0.0;
    const unsigned open = one_sided(reads, set, it->home);
    for (size_t k = 0; k < reads->count; k++) {
        offsets_of(offsets, reads->references[k], it);
        wanted[side_of(offsets, it->home->grid_dimensions)] = true;
    }
    for (unsigned where = open;; where = (where - 1) & open) {
        double count = 0.0;
        for (unsigned side = 0; side < 1u << GRID_MOST; side++)
            count += wanted[side] && (side & open) == where;
        most = fmax(most, count);
        if (where == 0)
            return most;
    }
}

/* As wide as the farthest reads, and along other dimensions as a face. */
static double count_elements(struct phase *phase, const struct corner *it)
{
    struct needs needs;
    double reach[DIMENSIONS_MOST] = {0.0}, offsets[DIMENSIONS_MOST], product = 1.0;
    for (size_t k = 0; k < phase->reads.count; k++) {
        offsets_of(offsets, phase->reads.references[k], it);
        for (int g = 0; g < it->home->grid_dimensions; g++)
            reach[g] = fmax(reach[g], fabs(offsets[g]));
    }
    if (needs_make(&needs, &phase->reads, it->home, it->lies, it->turn) != NEEDS_MADE)
        return 0.0;
    for (size_t i = 0; i < needs.factor_count; i++) {
        const int to = needs.factors[i].to;
        phase->elements[i] =
            to >= 0 && reach[to] > 0.0 ? reach[to] : shift_face(&needs.factors[i], -1, NULL);
        product *= phase->elements[i];
    }
    needs_free(&needs);
    return product;
}

/* Whether one processor stands at all corners across these dimensions. */
static bool is_of_itself(unsigned set, const struct home *home)
{
    for (int g = 0; g < home->grid_dimensions; g++)
        if ((set >> g & 1) != 0 && home->grid[g] > 1.0)
            return false;
    return true;
}

/* One message to each neighbour across such a corner, all of them under way with those along the
   lines. */
static void add_corners(struct shift *shift, const struct reads *reads, unsigned set,
                        const struct corner *it)
{
    struct phase *phase = &shift->phases[shift->count];
    phase->grid_dimension = -1;
    phase->reads = *reads;
    phase->traffic =
        is_of_itself(set, it->home)
            ? (struct traffic){.class = TRAFFIC_TO_ITSELF, .group = 2.0, .at_once = 1.0}
            : shift->phases[0].traffic;
    phase->traffic.partners = count_neighbours(reads, set, it);
    phase->traffic.elements = count_elements(phase, it);
    phase->traffic.pieces = pieces_of(reads->array, it->lies, phase->elements);
    phase->traffic.halo.own = (struct grid_line){0};
    if (phase->traffic.elements > 0.0)
        shift->count++;
}

/* What is handed on are the program's reads, which outlive their parts. */
static void show_reads(struct phase *phase, const struct reads *reads, const struct corner *it)
{
    double offsets[DIMENSIONS_MOST];
    phase->reads.count = 0;
    for (size_t k = 0; k < reads->count; k++) {
        const unsigned set = offsets_of(offsets, reads->references[k], it);
        if (phase->grid_dimension < 0 ? !is_one(set) : (set >> phase->grid_dimension & 1) != 0)
            phase->reads.references[phase->reads.count++] = reads->references[k];
    }
    for (size_t k = 0; k < reads->count && phase->reads.count == 0; k++)
        phase->reads.references[phase->reads.count++] = reads->references[k];
}

/* What lies across corners is not sent along the lines: only where lines are exchanged, too. */
bool corners_derive(struct shift *shift, const struct reads *reads, const struct home *home,
                    const struct array_layout *lies, const struct turn *turn, bool to_itself)
{
    const struct corner it = {home, lies, turn, to_itself};
    struct reference made[READS_MOST];
    struct reads parts = {.array = reads->array};
    if (!shift_is_straight(reads, home, lies, turn) || home->grid_dimensions > GRID_MOST ||
        !find_parts(&parts, made, reads, &it))
        return false;
    const struct reads lines = along(&parts, 0, &it);
    if (lines.count == 0 || !shift_derive(shift, &lines, home, lies, turn, to_itself) ||
        shift->count == 0)
        return false;
    for (unsigned set = 3; set < 1u << home->grid_dimensions; set++) {
        const struct reads corners = is_one(set) ? (struct reads){0} : along(&parts, set, &it);
        if (corners.count > 0)
            add_corners(shift, &corners, set, &it);
    }
    for (size_t i = 0; i < shift->count; i++)
        show_reads(&shift->phases[i], reads, &it);
    return true;
}
