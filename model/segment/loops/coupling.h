/* How one loop couples the processors along one dimension (rule "Counting"): C[q][r], how many of
   the elements that coordinate q needs lie on coordinate r. Sparse, by rows; counted by runs of
   elements between block ends, never pair by pair. */
#ifndef MODEL_SEGMENT_LOOPS_COUPLING_H
#define MODEL_SEGMENT_LOOPS_COUPLING_H

#include "model/segment/loops/home.h"

enum { READS_MOST = 32 };

/* The elements coefficient x + constants[k], for x in the range and all k: several reads. */
struct line {
    struct range range;
    double coefficient;
    size_t count;
    double constants[READS_MOST];
    /* Of a periodic array its extent: elements beyond first ... first + period - 1 are those at the
       other end, at most one period away. 0: not periodic. Of a scalar's array its extent, too,
       where ends is set: nothing lies beyond. */
    double first, period;
    bool ends;
    struct effort *effort; /* borrowed; where it is spent, what is made of the line is of no use */
};

struct coupling_entry {
    size_t column;
    double count;
};

struct coupling {
    size_t rows, columns;
    size_t *start;                  /* rows + 1; owned */
    struct coupling_entry *entries; /* by row, ascending columns; owned */
    double *all;                    /* columns: distinct elements that any row needs; owned */
};

/* axis: the home's that follows x, or NULL (one row: every coordinate needs all). data: how the
   dimension lies, or NULL (one column: it is not distributed). False where an element lies outside
   the data's. */
bool coupling_make(struct coupling *coupling, const struct line *line, const struct home_axis *axis,
                   const struct distribution *data);

/* The same where x has, at each column, one value alone: the one that comes `ordinal`-th (from 0)
   of those whose element lies there. data may not be NULL. */
void coupling_make_ordinal(struct coupling *coupling, const struct line *line,
                           const struct home_axis *axis, const struct distribution *data,
                           double ordinal);

/* The largest number of values of x on any column. */
double coupling_ordinals(const struct line *line, const struct distribution *data);

/* The count at (row, column), 0 where there is no entry. */
double coupling_at(const struct coupling *coupling, size_t row, size_t column);

void coupling_free(struct coupling *coupling);

#endif
