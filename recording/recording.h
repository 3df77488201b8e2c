/* A recording: what the processes of one run of an MPI program did, as forecost-record writes it
   (doc/record.md). No MPI. */
#ifndef RECORDING_RECORDING_H
#define RECORDING_RECORDING_H

#include "model/base/error.h"
#include "model/cost/pattern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { RECORDING_GRID = 8, RECORDING_NOBODY = -1, RECORDING_ANYBODY = -2, RECORDING_ANY_TAG = -1 };

enum operation_recorded {
    RECORDED_SEND,
    RECORDED_RECEIVE,
    RECORDED_START_SEND,
    RECORDED_START_RECEIVE,
    RECORDED_DONE, /* nothing is under way any more */
    RECORDED_PROBE,
    RECORDED_COLLECTIVE /* the first of the collective ones; its number more: which */
};

/* A communication pattern of the catalogue that a collective call is. */
struct collective {
    const char *word; /* in the file */
    const struct pattern *pattern;
    bool has_parts; /* `most` is the largest of them */
};
extern const struct collective collectives[]; /* by operation - RECORDED_COLLECTIVE; NULL ends */

/* Calls that are alike in all but when they come. */
struct recorded_kind {
    int operation;    /* enum operation_recorded, or beyond */
    int communicator; /* of the process */
    int partner;      /* or root: a process; RECORDING_NOBODY, RECORDING_ANYBODY */
    int tag;
    size_t site; /* of the recording's places */
    double bytes, most;
};

struct recorded_communicator {
    int copy;
    int dimensions; /* of its grid of processes; 0: it has none */
    int sides[RECORDING_GRID];
    bool rings[RECORDING_GRID];
    int size, *members; /* owned */
    size_t group;       /* the same for the same communicator on other processes */
};

/* A call, or a loop over nodes. */
struct recorded_node {
    uint32_t kind, length;      /* length 0: a call */
    double count, us;           /* us: computing time before the call, over all times */
    struct recorded_node *body; /* owned */
};

struct recorded_process {
    double wall_us, computing_us, last_us; /* last_us: computing behind the last call */
    struct recorded_communicator *communicators;
    size_t communicator_count;
    struct recorded_kind *kinds;
    size_t kind_count;
    struct recorded_node *nodes;
    size_t node_count;
};

struct recorded_parameter {
    char *name; /* owned */
    double value;
};

/* Calls that are counted and not recorded, over all processes. */
struct recorded_count {
    char *name; /* owned */
    double count;
};

struct recording {
    const char *path; /* borrowed */
    char *program;    /* owned: its command */
    int processes;
    struct recorded_parameter *parameters;
    size_t parameter_count;
    struct recorded_process *each;
    /* Places, each once, from the call outwards: "MODULE+OFFSET ...", owned, as the file has them
       and without the modules' folders, or by lines. */
    char **places, **sites;
    size_t site_count;
    size_t group_count; /* communicators */
    struct recorded_count *counted;
    size_t counted_count;
};

/* Whether a file begins as a recording does. False of what cannot be read. */
bool recording_is(const char *path);

/* Reads a recording; on success release with recording_free. Errors: no such file, what is not as
   the format says, with its line. */
int recording_read(struct recording *recording, const char *path, struct error *error);
void recording_free(struct recording *recording);

/* Names places by lines of the source, "cg.f90:847", as far as their modules tell them. */
void recording_find_lines(struct recording *recording);

/* Goes through the calls of a process in their order, loops written out. Ends early where take
   returns not 0, and returns that. */
typedef int recorded_taker(void *with, const struct recorded_kind *kind);
int recording_walk(const struct recorded_process *process, recorded_taker *take, void *with);

/* How often a call of each kind was made and what was computed before it, by kind; arrays of
   kind_count, added to. */
void recording_count(const struct recorded_process *process, double *calls, double *us);

/* What each process sends, as CSV with a head: rank, messages, bytes, partners, collectives, and
   the bytes that it gives in these. */
void recording_messages(const struct recording *recording, FILE *out);

#endif
