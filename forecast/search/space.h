/* All layouts that the language can express on one grid: for each array that segments use, and
   those aligned to it, every way to distribute its dimensions. */
#ifndef FORECAST_SEARCH_SPACE_H
#define FORECAST_SEARCH_SPACE_H

#include "forecast/predict/study.h"

enum { LEADERS_MOST = 32, OPTIONS_MOST = 3000 };

/* One way to distribute an array. */
struct option {
    char *texts[DIMENSIONS_MOST]; /* "BLOCK@0"; owned */
    struct array_layout *lies;    /* of the leader's members; owned */
    double fill_us;               /* what broadcasting it before the program takes */
};

/* Which distributions of a dimension are looked at: simple ones first, which already tell what is
   not worth a look among the others. */
enum kinds_level { KINDS_BLOCK, KINDS_SIMPLE, KINDS_ALL };

/* An array that is aligned to none. Its first option is to be replicated. */
struct leader {
    const struct array *array; /* borrowed */
    size_t member_count;
    size_t *members; /* numbers of the arrays that lie as it does, itself included; owned */
    size_t option_count;
    struct option *options; /* owned; OPTIONS_MOST at most */
    double ways;            /* how many there would be */
};

struct space {
    const struct program *program; /* borrowed */
    enum kinds_level level;
    struct layout layout;    /* everything replicated, until space_choose */
    struct layout *schedule; /* the same layout for each segment; owned */
    size_t leader_count;
    struct leader leaders[LEADERS_MOST];
    double count; /* of layouts */
    double ways;  /* more, where leaders have more ways than options */
};

/* The leaders of a program that may be distributed: not aligned, used by a segment, and not ruled
   out by the limits of the search. numbers: of the program's arrays, LEADERS_MOST at most: the
   others remain replicated. *left_out: how many those are. */
void space_leaders(const struct program *program, const struct subject *subject, size_t *numbers,
                   size_t *count, size_t *left_out);

/* Everything on one grid. Errors: what an array cannot be laid out by. Leaves the grid's sizes in
   the study's scope. Release with space_free. */
int space_make(struct space *space, struct study *study, const double *grid, int grid_dimensions,
               const size_t *leaders, size_t leader_count, enum kinds_level level,
               struct error *error);
void space_free(struct space *space);

/* Puts the sizes of its grid into the study's scope again. */
int space_enter(const struct space *space, struct study *study, struct error *error);

/* Lays a leader and its members out by one of its options. */
void space_choose(struct space *space, size_t leader, size_t option);

/* The leader of an array; leader_count where it always is replicated. */
size_t space_leader(const struct space *space, const struct array *array);

/* Grid dimensions of equal size can be exchanged: whether this choice can be the first of its
   equals, in which they are first used in order. chosen: by leader; NULL: all are. */
bool space_may_be_first_of_equals(const struct space *space, const size_t *choice,
                                  const bool *chosen);

/* Adds the choice as a candidate, or to a list of struct distribute what it distributes otherwise
   than the choice before (NULL: everything). */
struct candidate *space_candidate(const struct space *space, const size_t *choice,
                                  struct list *candidates, const char *name);
void space_distribute(const struct space *space, const size_t *choice, const size_t *before,
                      struct list *distributes);

#endif
