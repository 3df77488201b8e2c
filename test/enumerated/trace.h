/* A segment executed statement by statement: who reads and writes which element, and who wrote it
   last. */
#ifndef TEST_ENUMERATED_TRACE_H
#define TEST_ENUMERATED_TRACE_H

#include "test/enumerated/world.h"
#include "test/expected.h"

enum { READS = 8, DEPTH = 4, STATEMENTS = 8, CARRYING = 8 };

struct access {
    int array, element; /* array -1: none */
};

struct event {
    const struct statement *statement;
    int depth, at[DEPTH];
    const struct loop *loops[DEPTH];
    struct access home, writes, reads[READS];
    int writers[READS]; /* the event that wrote what is read last; -1: none of the segment */
    int read_count;
};

struct trace {
    struct world *world;
    struct event *events; /* owned */
    size_t count, size;
    struct event now; /* the loops that are being executed */
    struct tally calls;
    const struct statement *statements[STATEMENTS];
    int statement_count;
    const struct loop *carrying[CARRYING]; /* a dependence from one iteration to another */
    int carrying_count;
};

/* Executes the body; release the events with free. */
void trace_execute(struct trace *trace, const struct list *body);

/* Who wrote last what each event reads. */
void trace_find_writers(struct trace *trace);

/* Within how many loops what an event reads was written; *carrier: the loop that carries it from
   one iteration to another, or NULL. */
int depth_between(const struct event *reader, const struct event *writer,
                  const struct loop **carrier);

/* Whether a loop carries any dependence. */
bool trace_carries(const struct trace *trace, const struct loop *loop);

/* Whether a processor executes the statement of an event: it owns what its home is. */
bool trace_executes(const struct world *it, const struct event *event, int processor);

#endif
