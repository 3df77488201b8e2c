#include "model/segment/program/distribution.h"

#include "model/base/allocation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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
    bool sizes_tried; /* a search tries it with blocks of several sizes */
} kinds[] = {
    {"BLOCK",  block_of_share, true,  false},
    {"CYCLIC", block_of_one,   false, true },
};

enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

const char *distribution_kind(size_t kind)
{
    return kind < KIND_COUNT ? kinds[kind].name : NULL;
}

bool distribution_sizes_are_tried(size_t kind)
{
    return kinds[kind].sizes_tried;
}

const char *distribution_kinds(char text[NAMES_TEXT])
{
    char sized[KIND_COUNT][40];
    const char *names[2 * KIND_COUNT + 1] = {0};
    for (size_t i = 0; i < KIND_COUNT; i++) {
        snprintf(sized[i], sizeof sized[i], "%s(b)", kinds[i].name);
        names[2 * i] = kinds[i].name;
        names[2 * i + 1] = sized[i];
    }
    return names_listed(text, names);
}

/* ---- as it is written ---- */

void spelling_free(struct spelling *spelling)
{
    if (!spelling)
        return;
    expression_free(spelling->block);
    expression_free(spelling->dimension);
    free(spelling);
}

/* What stands behind the kind: "(b)", "@dimension", both or nothing. */
static int read_rest(struct spelling *it, const char *rest, struct place place, struct error *error)
{
    const char *close = strrchr(rest, ')');
    rest += strspn(rest, " ");
    if (*rest == '(' && close) {
        char *block = memory_format("%.*s", (int)(close - rest - 1), rest + 1);
        it->block = expression_read(block, place, error);
        free(block);
        if (!it->block)
            return -1;
        rest = close + 1;
        rest += strspn(rest, " ");
    }
    if (*rest == '@')
        return (it->dimension = expression_read(rest + 1, place, error)) ? 0 : -1;
    return *rest == '\0'
               ? 0
               : error_at(error, place, "'%.60s' after a distribution: expected (b) or @dimension",
                          rest);
}

struct spelling *spelling_read(const char *text, struct place place, struct error *error)
{
    struct spelling *spelling = memory_new(1, sizeof *spelling);
    spelling->is_all = strcmp(text, "*") == 0;
    if (spelling->is_all)
        return spelling;
    const size_t length = strcspn(text, "(@ ");
    while (spelling->kind < KIND_COUNT && (strlen(kinds[spelling->kind].name) != length ||
                                           memcmp(text, kinds[spelling->kind].name, length) != 0))
        spelling->kind++;
    char all[NAMES_TEXT];
    const int status =
        spelling->kind < KIND_COUNT
            ? read_rest(spelling, text + length, place, error)
            : error_at(error, place, "'%.60s' is not a distribution: expected %s or *", text,
                       distribution_kinds(all));
    if (status == 0)
        return spelling;
    spelling_free(spelling);
    return NULL;
}

int spelling_check(const struct spelling *spelling, const struct scope *scope, struct place place,
                   struct error *error)
{
    if (spelling->block && expression_check(spelling->block, scope, place, error) != 0)
        return -1;
    return spelling->dimension ? expression_check(spelling->dimension, scope, place, error) : 0;
}

/* ---- what it is on a grid ---- */

static int find_dimension(const struct spelling *spelling, struct place place,
                          const struct scope *scope, int dimensions, int *next, int *dimension,
                          struct error *error)
{
    double named = *next;
    if (spelling->dimension &&
        expression_whole(spelling->dimension, scope, place, &named, error) != 0)
        return -1;
    if (named < 0.0 || named >= dimensions)
        return error_at(error, place, "grid dimension %g: the grid has %d", named, dimensions);
    *dimension = (int)named;
    *next = *dimension + 1;
    return 0;
}

/* Blocks of a size may hold all elements on more processors. */
static int find_block(struct distribution *it, const struct spelling *spelling, struct place place,
                      const struct scope *scope, struct error *error)
{
    const size_t kind = spelling->kind;
    it->block = kinds[kind].block(it->elements, it->processors);
    if (!spelling->block)
        return 0;
    if (expression_whole(spelling->block, scope, place, &it->block, error) != 0)
        return -1;
    if (it->block < 1.0)
        return error_at(error, place, "a block of %g elements: expected at least 1", it->block);
    if (kinds[kind].one_round && it->block * it->processors < it->elements) {
        error_fill(error, place, "%g blocks of %g do not hold %g elements", it->processors,
                   it->block, it->elements);
        return error_particular(error);
    }
    return 0;
}

int distribution_make(struct distribution *it, const struct spelling *spelling, struct place place,
                      const struct scope *scope, const double *grid, int grid_dimensions,
                      int *next_dimension, struct error *error)
{
    if (!spelling || spelling->is_all) {
        *it = (struct distribution){-1, it->elements, 1.0, it->elements, 0.0};
        return 0;
    }
    if (find_dimension(spelling, place, scope, grid_dimensions, next_dimension, &it->grid_dimension,
                       error) != 0)
        return -1;
    it->processors = grid[it->grid_dimension];
    return find_block(it, spelling, place, scope, error);
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

double distribution_owners_within(const struct distribution *it, double first, double last)
{
    return last < first
               ? 0.0
               : fmin(it->processors, floor(last / it->block) - floor(first / it->block) + 1.0);
}

/* All coordinates own as much of whole rounds. What is left begins within a block, which is the
   largest piece of a coordinate unless the block behind it is; where blocks follow one another on
   one coordinate, all of it is. */
double distribution_most(const struct distribution *it, double first, double last)
{
    const double round = it->block * it->processors;
    const double rounds = last < first ? 0.0 : floor((last - first + 1.0) / round);
    const double from = first + rounds * round, left = fmax(0.0, last - from + 1.0);
    const double before_end = (floor(from / it->block) + 1.0) * it->block - from;
    const double head = fmin(left, it->processors == 1.0 ? left : before_end);
    return rounds * it->block + fmax(head, fmin(left - head, it->block));
}

double distribution_owners(const struct distribution *it)
{
    return fmin(it->processors, ceil(it->elements / it->block));
}

bool distribution_is_contiguous(const struct distribution *it)
{
    return it->block * it->processors >= it->elements;
}
