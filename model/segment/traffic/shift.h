/* Shifts (rules "Union of reads" and "Class of a turn"): reads of an array that lies as the
   statement's home does, at constant offsets along distributed dimensions. Neighbours exchange
   boundaries grid dimension by grid dimension, one message a neighbour, its width the union of the
   offsets; what goes round a corner travels with the faces of the later dimensions, which are
   extended by what came before. */
#ifndef MODEL_SEGMENT_TRAFFIC_SHIFT_H
#define MODEL_SEGMENT_TRAFFIC_SHIFT_H

#include "model/segment/traffic/traffic.h"

/* As many as there are sets of the dimensions of a box of four. */
enum { SHIFT_PHASES_MOST = 16 };

struct shift {
    size_t count; /* of phases */
    struct phase {
        int grid_dimension;               /* -1: across corners */
        double reach_around;              /* both ways along a ring; 0: not so */
        bool is_one_way;                  /* all reads reach to the same side */
        struct traffic traffic;           /* MESSAGES, EXCHANGE or TO_ITSELF */
        struct reads reads;               /* those that are shifted along it */
        double elements[DIMENSIONS_MOST]; /* of the largest message along each array dimension */
    } phases[SHIFT_PHASES_MOST];
};

/* Whether the reads are a shift, and if so what moves; no phase where no offset crosses a block.
   The reads were found to factorise. to_itself: along a dimension with one processor, what is read
   around a periodic array is a message, too, to oneself; these phases come last. */
bool shift_derive(struct shift *shift, const struct reads *reads, const struct home *home,
                  const struct array_layout *lies, const struct turn *turn, bool to_itself);

/* The same where what goes round a corner is a message of its own (`corners: direct`; corners.c):
   of a read that is shifted along several grid dimensions each part beyond some of them, an edge or
   a corner of a block, comes from the neighbour that it lies with; the part beyond one is a face.
   Behind the phases of the lines there is one of no grid dimension for each set of
   dimensions that reads go round a corner of: a message to each neighbour across it. False also
   where no line is exchanged, or there is too much to be told apart. */
bool corners_derive(struct shift *shift, const struct reads *reads, const struct home *home,
                    const struct array_layout *lies, const struct turn *turn, bool to_itself);

/* The processors along a grid dimension of a home; side 0 where its blocks are dealt round, so that
   neighbours are at both ends too. */
struct grid_line shift_line(const struct home *home, int grid_dimension);

/* Tells the phases' messages of what exchange they are part. */
void shift_describe_halo(struct shift *shift, const struct home *home);

/* Whether all reads are at constant offsets along the distributed dimensions. */
bool shift_is_straight(const struct reads *reads, const struct home *home,
                       const struct array_layout *lies, const struct turn *turn);

/* The most elements of a message along another dimension: what the processor needs of what it has
   after earlier phases, or what of its own anybody needs before later ones. */
double shift_face(const struct factor *factor, int g, const double *active);

/* One read along one distributed dimension: its constant offset from the home along the same grid
   dimension. False where there is none such. */
bool shift_offset(const struct reference *read, int dimension, const struct home_axis *axis,
                  const struct array_layout *lies, const struct turn *turn, double *offset);

#endif
