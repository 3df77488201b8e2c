#include "model/segment/distribution.h"

#include <math.h>
#include <string.h>

static double block_of_share(double elements, double processors)
{
    return fmax(1.0, ceil(elements / processors));
}

static double block_of_one(double elements, double processors)
{
    (void)elements;
    (void)processors;
    return 1.0;
}

static const struct {
    const char *name;
    double (*block)(double elements, double processors); /* where none is given */
    bool one_round;                                      /* a block a processor: b p must reach n */
} kinds[] = {
    {"BLOCK",  block_of_share, true },
    {"CYCLIC", block_of_one,   false},
};

enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

/* "(b)" after the kind: the text between the brackets into argument. */
static bool take_argument(const char **rest, char *argument, size_t size)
{
    const char *close = strrchr(*rest, ')');
    if (**rest != '(' || !close || (size_t)(close - *rest) >= size)
        return false;
    memcpy(argument, *rest + 1, (size_t)(close - *rest) - 1);
    argument[close - *rest - 1] = '\0';
    *rest = close + 1;
    return true;
}

static int take_dimension(const char *rest, struct place place, struct scope *scope, int dimensions,
                          int *next, int *dimension, struct error *error)
{
    double named = *next;
    if (*rest == '@' && expression_whole(scope, rest + 1, place, &named, error) != 0)
        return -1;
    if (*rest != '@' && *rest != '\0')
        return error_at(error, place, "'%.60s' after a distribution: expected (b) or @dimension",
                        rest);
    if (named < 0.0 || named >= dimensions)
        return error_at(error, place, "grid dimension %g: the grid has %d", named, dimensions);
    *dimension = (int)named;
    *next = *dimension + 1;
    return 0;
}

static int parse_block(struct distribution *it, size_t kind, const char *argument,
                       struct place place, struct scope *scope, struct error *error)
{
    it->block = kinds[kind].block(it->elements, it->processors);
    if (!argument)
        return 0;
    if (expression_whole(scope, argument, place, &it->block, error) != 0)
        return -1;
    if (it->block < 1.0)
        return error_at(error, place, "a block of %g elements: expected at least 1", it->block);
    if (kinds[kind].one_round && it->block * it->processors < it->elements)
        return error_at(error, place, "%g blocks of %g do not hold %g elements", it->processors,
                        it->block, it->elements);
    return 0;
}

int distribution_parse(struct distribution *it, const char *text, struct place place,
                       struct scope *scope, const double *grid, int grid_dimensions,
                       int *next_dimension, struct error *error)
{
    char argument[200];
    if (strcmp(text, "*") == 0) {
        *it = (struct distribution){-1, it->elements, 1.0, it->elements, 0.0};
        return 0;
    }
    for (size_t kind = 0; kind < KIND_COUNT; kind++) {
        const size_t length = strlen(kinds[kind].name);
        if (strncmp(text, kinds[kind].name, length) != 0)
            continue;
        const char *rest = text + length;
        const bool given = take_argument(&rest, argument, sizeof argument);
        if (take_dimension(rest, place, scope, grid_dimensions, next_dimension, &it->grid_dimension,
                           error) != 0)
            return -1;
        it->processors = grid[it->grid_dimension];
        return parse_block(it, kind, given ? argument : NULL, place, scope, error);
    }
    return error_at(error, place,
                    "'%.60s' is not a distribution: expected BLOCK, BLOCK(b), "
                    "CYCLIC, CYCLIC(b) or *",
                    text);
}

double distribution_owner(const struct distribution *it, double element)
{
    const double block = floor(element / it->block);
    return block - it->processors * floor(block / it->processors);
}

/* The elements below x: whole rounds, and what the last one has. */
struct below {
    double rounds, rest;
};

static struct below below(const struct distribution *it, double x)
{
    const double round = it->block * it->processors, rounds = floor(x / round);
    return (struct below){rounds, x - rounds * round};
}

/* How many of them coordinate q owns. */
static double owned(const struct distribution *it, const struct below *below, double q)
{
    const double rest = below->rest - q * it->block;
    const double part = rest < 0.0 ? 0.0 : rest < it->block ? rest : it->block;
    return below->rounds * it->block + part;
}

double distribution_count(const struct distribution *it, double coordinate, double first,
                          double last)
{
    const struct below end = below(it, last + 1.0), begin = below(it, first);
    return last < first ? 0.0 : owned(it, &end, coordinate) - owned(it, &begin, coordinate);
}

void distribution_counts(const struct distribution *it, double first, double last, double *counts)
{
    const struct below end = below(it, last + 1.0), begin = below(it, first);
    for (size_t q = 0; q < (size_t)it->processors; q++)
        counts[q] = last < first ? 0.0 : owned(it, &end, (double)q) - owned(it, &begin, (double)q);
}

bool distribution_is_contiguous(const struct distribution *it)
{
    return it->block * it->processors >= it->elements;
}
