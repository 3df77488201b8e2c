/* What the processors' needs make of a turn: its class (rule "Class of a turn"), the largest
   message, and the group that takes part. */
#ifndef MODEL_SEGMENT_TRAFFIC_TRAFFIC_H
#define MODEL_SEGMENT_TRAFFIC_TRAFFIC_H

#include "model/base/groups.h"
#include "model/cost/pattern.h"
#include "model/segment/loops/needs.h"
#include "model/segment/loops/sole_source.h"

#include <stdint.h>

/* What is known of how the elements of a message lie in memory. */
enum pieces {
    PIECES_ONE,      /* one after the other, or not known: the order of the array is not told */
    PIECES_ELEMENTS, /* each alone, a distance apart */
    PIECES_RUNS      /* several of several elements */
};

/* Of a message of so many elements along each dimension, within what a processor has of the array
   under the layout. */
enum pieces pieces_of(const struct array *array, const struct array_layout *lies,
                      const double *elements);

/* The name of the utility for it, by the catalogue; "local". */
const char *traffic_name(enum traffic_class class);

/* Processors along one grid dimension, as they are numbered. */
struct grid_line {
    double side, stride; /* how many, and by how much the numbers of neighbours differ */
    bool is_ring;        /* both ends exchange, too */
    bool is_one_way;     /* everybody sends to the same side, and receives from the other */
};

/* What a message to a neighbour is part of. */
struct halo_exchange {
    int directions;       /* along so many grid dimensions at once; 0: of no halo */
    double neighbours;    /* of the busiest processor, in all of them */
    double processors;    /* of the grid */
    struct grid_line own; /* along which the message goes; side 0: of none, or not to the next */
    struct grid_line lines[DIMENSIONS_MOST]; /* of all directions */
};

/* The same along the message's own dimension alone, with so many neighbours. */
struct halo_exchange halo_exchange_alone(const struct halo_exchange *halo, double neighbours);

struct traffic {
    enum traffic_class class;
    double partners;      /* messages of the busiest processor, of MESSAGES and EXCHANGE; else 1 */
    double elements;      /* in the largest message from one processor to another */
    double further;       /* so many turns after this one differ in the number of elements alone */
    double elements_step; /* by so many from one to the next */
    double group;         /* processors in the largest group that takes part */
    double at_once;       /* how many of these go on at the same time, on average over the partners:
                             pairs of processors, messages, or groups of the largest size */
    double group_most;    /* of COMBINE: the group with those that have nothing to contribute */
    enum pieces pieces;   /* of a message: the largest */
    struct halo_exchange halo;
    double single_at_once; /* all elements that move, over the following */
    double single; /* elements that one processor sends or receives in all: the most (rule "Single
                      elements") */
};

/* What one processor has to do with others. */
struct degree {
    double elements_in, elements_out;
    float in, out;   /* from how many it receives, to how many it sends: whole, to 2^24 */
    uint32_t source; /* where in is 1: from which member */
};

/* Collected over the processors of a turn that send or receive: of millions most do neither. */
struct profile {
    uint32_t *members; /* by processor: the number of its degree and 1; 0: it has none; owned */
    size_t room;
    struct degree *degrees; /* of the members; owned */
    struct groups groups;   /* of the members, and how many there are */
    double largest;         /* elements in a message */
    bool same;              /* every source sends all its destinations the same */
};

/* The class of what a profile shows. */
struct traffic profile_classify(struct profile *profile);
struct profile profile_new(size_t processors);

/* The member that a processor is, or becomes. */
size_t profile_member(struct profile *profile, size_t processor);

void profile_free(struct profile *profile);

/* Without enumerating pairs of processors. Its pieces are those of a message within what a
   processor has under the layout. */
struct traffic traffic_of(const struct needs *needs, const struct array *array,
                          const struct array_layout *lies);

/* The same of a turn with a sole source. */
struct traffic traffic_of_source(const struct sole_source *source, const struct array *array,
                                 const struct array_layout *lies);

/* The same of its messages within another layout: where they come to lie. */
enum pieces needs_pieces(const struct needs *needs, const struct array *array,
                         const struct array_layout *lies);

#endif
