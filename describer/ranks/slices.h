/* What the processes of a run do in one stretch of the program, as messages that one process after
   the other has to wait for. */
#ifndef DESCRIBER_RANKS_SLICES_H
#define DESCRIBER_RANKS_SLICES_H

#include "describer/ranks/run.h"

/* From when to when, by process. */
struct slice {
    const struct run *run;
    struct moment *begin, *end; /* in an arena */
};

/* Calls of one utility with so many bytes each, one after the other. */
struct group {
    const char *utility;
    polynomial form; /* of the bytes, or NULL */
    double bytes;
    double count;
    bool is_message;           /* not a collective operation */
    double members;            /* processes that take part in a collective operation */
    bool is_part;              /* of a collective operation: these are not all */
    const struct syntax *call; /* the first */
    polynomial loops[4];       /* how often shortened loops around all of them really run */
    int loop_count;
    bool is_odd; /* more loops, or not the same ones around all */
    /* of a group that stands for calls of several sizes (merge_sizes): */
    double least;     /* the smallest size */
    polynomial total; /* bytes of all, or NULL */
    double all;       /* the same as a number */
};

enum { TALLY_MOST = 64 };

struct tally {
    struct group groups[TALLY_MOST];
    int count;
    bool is_full;
};

/* All of a run. */
struct slice slice_of_run(const struct run *run);
/* The k-th time through what a segment is, by the calls that this way stands for (NULL: by any);
   nothing of a process that does not come there so often. false: none does. */
bool slice_of_segment(const struct run *run, const struct syntax *syntax, const unsigned *way,
                      int k, struct slice *slice);
/* Whether every process comes there. */
bool slice_is_of_all(const struct slice *slice);
/* Whether the processes do the same in both, message by message. */
bool slice_is_same(const struct slice *one, const struct slice *other);
/* The only time through a statement in it, by process; false: some process comes there not once. */
bool slice_instances(const struct slice *slice, const struct syntax *syntax, int *instances);
struct slice slice_of_instances(const struct slice *slice, const int *instances);
/* One iteration of these instances, and how many all of them have; -1: not all have as many. */
int slice_iterations(const struct slice *slice, const int *instances);
/* How often the process that does so most goes through a loop in it; -1: not known, or one comes
   there more than once. */
int slice_most_iterations(const struct slice *slice, const struct syntax *syntax);
/* Whether one of these loops was left by break or return, and whether any within the slice was. */
bool slice_is_left(const struct slice *slice, const int *instances);
bool slice_has_left(const struct slice *slice);
struct slice slice_iteration(const struct slice *slice, const int *instances, int i);

/* Whether the parts of a collective operation in it are not all of one size. */
bool slice_has_parts(const struct slice *slice);
/* Whether what is sent in it is received in it, if ever; otherwise *open is an end that is not. */
bool slice_is_closed(const struct slice *slice, const struct event **open);

/* What takes the time of it, but for what happens in `without` (count of them): the busiest
   process's messages, where what it sends and what it receives at once in return is one; or, where
   this is longer, the messages that wait for one another. Collective operations are those of the
   process that has most of them, and gives most in them. */
void slice_tally(const struct slice *slice, const struct slice *without, int without_count,
                 struct tally *tally);
/* The same of the messages that wait for one another, however long others take. */
void slice_chain(const struct slice *slice, const struct slice *without, int without_count,
                 struct tally *tally);
/* How often the processes take a way of an `if` that asks whose turn it is: the one that does so
   most, all together, and one after the other, where each waits for what others send before; and
   how often one comes to it. */
struct turns {
    double busiest, all, longest, asked;
};
struct turns slice_turns(const struct slice *slice, const struct syntax *turn, int way);
/* What the messages of it take on a machine of everyday. */
double tally_time(const struct tally *tally);
/* How many messages, or collective operations, it has. */
double tally_calls(const struct tally *tally, bool are_messages);
/* Whether both have as many calls of each kind and size. */
bool tally_is_same(const struct tally *one, const struct tally *other);

#endif
