/* What the processors' needs make of a turn: its class (rule D9), the largest message, and the
   group that takes part. */
#ifndef MODEL_SEGMENT_TRAFFIC_H
#define MODEL_SEGMENT_TRAFFIC_H

#include "model/segment/groups.h"
#include "model/segment/needs.h"

enum traffic_class {
    TRAFFIC_LOCAL,        /* nothing moves */
    TRAFFIC_MESSAGES,     /* a processor has few partners: messages to one after the other */
    TRAFFIC_EXCHANGE,     /* the same, and partners need from one another */
    TRAFFIC_BROADCAST,    /* one source a group, the same for all */
    TRAFFIC_ONE_TO_MANY,  /* one source a group, to each its own */
    TRAFFIC_MANY_TO_ONE,  /* one destination a group */
    TRAFFIC_ALL_GATHER,   /* every source sends the same to all */
    TRAFFIC_MANY_TO_MANY, /* everything else */
    TRAFFIC_COMBINE,      /* partial results of a group are combined: never found by a profile */
    TRAFFIC_CLASSES
};

/* "broadcast", ...: the name that a utility for it has. */
const char *traffic_name(enum traffic_class class);

struct traffic {
    enum traffic_class class;
    double partners; /* messages of the busiest processor, of MESSAGES and EXCHANGE; else 1 */
    double elements; /* in the largest message from one processor to another */
    double group;    /* processors in the largest group that takes part */
    bool strided;    /* the largest message is known to be of several pieces of memory */
    double single;   /* elements that one processor sends or receives in all: the most (rule D7) */
};

/* What one processor has to do with others. */
struct degree {
    double in, out; /* from how many it receives, to how many it sends */
    double elements_in, elements_out;
    size_t source; /* where in is 1: from whom */
};

/* Collected over the processors of a turn; begun zeroed with processors and groups set. */
struct profile {
    size_t processors;
    struct degree *degrees;
    struct groups groups;
    double largest; /* elements in a message */
    bool same;      /* every source sends all its destinations the same */
};

/* The class of what a profile shows. */
struct traffic profile_classify(struct profile *profile);
struct profile profile_new(size_t processors);
void profile_free(struct profile *profile);

/* Without enumerating pairs of processors. */
struct traffic traffic_of(const struct needs *needs);

#endif
