/* The statements and calls of a segment in the order of the text, each with the loops about it and
   its references: what is derived from a segment before it lies on any processors. */
#ifndef MODEL_SEGMENT_LOOPS_INSTANCE_H
#define MODEL_SEGMENT_LOOPS_INSTANCE_H

#include "model/segment/loops/coupling.h"
#include "model/segment/loops/reference.h"

/* A statement where it stands. */
struct instance {
    const struct statement *statement; /* borrowed; NULL: a call */
    const struct call *call;           /* borrowed; NULL: a statement */
    struct nest nest;
    double probability; /* of the branches about it */
    bool has_writes, has_home;
    struct reference writes,
        home;     /* home: where it runs (rule "Work"); has_home false: everywhere */
    bool chooses; /* a reduction whose home is its result: where it runs depends on the layout
                     (settle.h) */
    size_t read_count;
    struct reference reads[READS_MOST];
    /* What dependences say (dependence.h); of all layouts alike. */
    int needed_within; /* of one that sends its result: how many of the loops, from the outermost,
                          a later read of it stands within */
    struct placement {
        int depth;    /* a message for the read is sent within so many of the loops */
        bool carried; /* the innermost of those carries the dependence that holds it there */
        double apart; /* where it comes of what it is for, some iterations of that loop before, or
                         of what is done after it: a chain, of so many iterations at once; 0: it is
                         none */
        bool is_brought; /* nothing is sent for it: an earlier message is taken to bring it */
    } placements[READS_MOST];
    bool carries[LOOPS_MOST]; /* whether the loop carries any dependence */
    /* Whether some dependence runs against a loop and one that carries a read's: [loop][carrier].
     */
    bool crosses[LOOPS_MOST][LOOPS_MOST];
};

extern const struct record instance_record; /* instances own nothing */

/* Appends the instances of a segment, without what dependences say. Errors are at the place of what
 * is wrong. */
int instances_make(struct list *instances, const struct program *program,
                   const struct segment *segment, struct scope *scope, struct error *error);

/* Whether what it writes may have to be sent to where it lives: it is combined, or does not run
   there. */
bool instance_sends_result(const struct instance *instance);

#endif
