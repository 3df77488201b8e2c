#include "describer/count/count.h"

/* Loops that calibrated tables know, by what they take and, where that is not enough, their shape.
   One row a kind; the first that fits is it. */
enum shape { ANY, ONTO_ITSELF, TWO_READS, OF_ZERO };

static const struct {
    const char *name;
    struct tally tally;
    int stores;
    enum shape shape;
} kernels[] = {
    {"axpy",       {.multiply_add = 1, .load = 2, .store = 1},                1, ONTO_ITSELF},
    {"triad",      {.multiply_add = 1, .load = 2, .store = 1},                1, ANY        },
    {"triad",      {.multiply_add = 2, .load = 4, .store = 2},                2, ANY        },
    {"scale",      {.multiply = 1, .load = 1, .store = 1},                    1, ANY        },
    {"divide",     {.divide = 1, .load = 1, .store = 1},                      1, ANY        },
    {"add-three",  {.add = 2, .load = 3, .store = 1},                         1, ANY        },
    {"difference", {.add = 1, .load = 1, .store = 1},                         1, TWO_READS  },
    {"clear",      {.store = 1},                                              1, OF_ZERO    },
    {"hydro",      {.multiply = 1, .multiply_add = 2, .load = 2, .store = 1}, 1, ANY        },
};

static bool is_same_tally(const struct tally *a, const struct tally *b)
{
    return a->add == b->add && a->multiply == b->multiply && a->multiply_add == b->multiply_add &&
           a->divide == b->divide && a->root == b->root && a->load == b->load &&
           a->store == b->store;
}

static const struct reference *loaded(const struct count *count, int i)
{
    return &count->describer->graph.nodes[count->loads[i]].reference;
}

/* Dimensions along which elements of one array that are loaded differ. */
static int spread_of(struct count *count)
{
    struct algebra *algebra = &count->describer->algebra;
    unsigned moved = 0;
    for (int i = 0; i < count->load_count; i++)
        for (int j = 0; j < i; j++) {
            const struct reference *a = loaded(count, i), *b = loaded(count, j);
            for (int d = 0; a->array == b->array && d < a->count && d < b->count; d++)
                if (!polynomial_equal(algebra, a->subscripts[d], b->subscripts[d]))
                    moved |= 1U << d;
        }
    int dimensions = 0;
    for (; moved; moved &= moved - 1)
        dimensions++;
    return dimensions;
}

static bool accumulates(struct count *count)
{
    const struct part *part = count->part;
    for (int i = 0; i < part->link_count; i++)
        if (accumulation_of(count, part->links[i].from, part->links[i].to))
            return true;
    for (int i = 0; i < part->statement_count; i++)
        if (!part->statements[i].is_dropped && count->index &&
            !reference_has(&part->statements[i].to, count->index))
            return true;
    return false;
}

/* An element that an iteration stores and a later one loads makes none of these. */
static bool is_recurrence(const struct count *count)
{
    int distance;
    for (int i = 0; i < count->part->statement_count; i++)
        for (int j = 0; j < count->load_count && count->index; j++)
            if (reference_shift(&count->describer->algebra, &count->part->statements[i].to,
                                loaded(count, j), count->index, &distance) &&
                distance > 0)
                return true;
    return false;
}

static int stored_last(const struct part *part, const struct reference **to)
{
    int stores = 0;
    for (int i = 0; i < part->statement_count; i++)
        if (!part->statements[i].is_dropped) {
            stores++;
            *to = &part->statements[i].to;
        }
    return stores;
}

/* Whether a loop does nothing but store 0, all bytes of which are alike, to elements side by side:
   compilers call memset for it. */
static bool clears(const struct count *count, const struct reference *to)
{
    const struct part *part = count->part;
    for (int i = 0; i < part->statement_count; i++) {
        const struct node *value = &count->describer->graph.nodes[part->statements[i].value];
        if (!part->statements[i].is_dropped &&
            (value->kind != NODE_CONSTANT || value->constant != 0.0))
            return false;
    }
    return count->is_alone && count->index && to->count > 0 &&
           polynomial_has(to->subscripts[to->count - 1], count->index);
}

static bool has_shape(const struct count *count, enum shape shape, const struct reference *to)
{
    bool is_own = false;
    for (int i = 0; i < count->load_count && to; i++)
        is_own = is_own || reference_equal(&count->describer->algebra, loaded(count, i), to);
    return shape == ANY || (shape == ONTO_ITSELF && is_own) ||
           (shape == TWO_READS && count->load_count == 2) ||
           (shape == OF_ZERO && to && clears(count, to));
}

/* Elements copied from where the index runs along another dimension than in what is stored. */
static bool is_transpose(const struct count *count, const struct reference *to)
{
    const struct tally *tally = &count->tally;
    if (count->load_count < 1 || tally->load != tally->store || !count->index ||
        tally->add + tally->multiply + tally->multiply_add + tally->divide + tally->root > 0)
        return false;
    const struct reference *from = loaded(count, 0);
    for (int d = 0; d < to->count && d < from->count; d++)
        if (polynomial_has(to->subscripts[d], count->index) !=
            polynomial_has(from->subscripts[d], count->index))
            return from->count > 1 && to->count > 1;
    return false;
}

const char *kernel_of(struct count *count)
{
    const struct tally *tally = &count->tally;
    const struct reference *to = NULL;
    const int stores = stored_last(count->part, &to), spread = spread_of(count);
    if (is_recurrence(count))
        return NULL;
    if (accumulates(count) && tally->store == 0 && tally->multiply_add >= 1 && tally->divide == 0)
        return "dot";
    if (spread == 2 && tally->load == 3 && stores == 1 && tally->divide == 0)
        return "stencil-5";
    if (spread == 3 && tally->load == 5 && stores == 1 && tally->divide == 0)
        return "stencil-7";
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (stores == kernels[i].stores && is_same_tally(tally, &kernels[i].tally) &&
            has_shape(count, kernels[i].shape, to))
            return kernels[i].name;
    return to && is_transpose(count, to) ? "transpose" : NULL;
}
