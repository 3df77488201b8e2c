/* What the wrappers of MPI's calls share: the call that is under way, communicators, requests. A
   process records its main thread. */
#ifndef RECORDER_RECORD_H
#define RECORDER_RECORD_H

#include <mpi.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define EXPORTED __attribute__((visibility("default")))

/* What a call does, by the words of the file (doc/recording.md). */
#define RECORD_OPERATIONS(OPERATION)                                                               \
    OPERATION(SEND, "send")                                                                        \
    OPERATION(RECEIVE, "receive")                                                                  \
    OPERATION(START_SEND, "start-send")                                                            \
    OPERATION(START_RECEIVE, "start-receive")                                                      \
    OPERATION(DONE, "done")                                                                        \
    OPERATION(PROBE, "probe")                                                                      \
    OPERATION(BARRIER, "barrier")                                                                  \
    OPERATION(BROADCAST, "broadcast")                                                              \
    OPERATION(REDUCE, "reduce")                                                                    \
    OPERATION(ALLREDUCE, "allreduce")                                                              \
    OPERATION(SCAN, "scan")                                                                        \
    OPERATION(ALLTOALL, "alltoall")                                                                \
    OPERATION(ALLTOALLV, "alltoallv")                                                              \
    OPERATION(ALLGATHER, "allgather")                                                              \
    OPERATION(ALLGATHER_IN_PLACE, "allgather-in-place")                                            \
    OPERATION(GATHER, "gather")                                                                    \
    OPERATION(SCATTER, "scatter")                                                                  \
    OPERATION(REDUCE_SCATTER, "reduce-scatter")
enum record_operation {
#define OPERATION(NAME, word) RECORD_##NAME,
    RECORD_OPERATIONS(OPERATION)
#undef OPERATION
};

enum { RECORD_NOBODY = -1, RECORD_ANYBODY = -2, RECORD_ANY_TAG = -1 };

/* A call as it is told apart from others: all of it but when it came. */
struct record_kind {
    int32_t operation, communicator, partner, tag; /* partner: a rank of MPI_COMM_WORLD */
    uint32_t site;
    uint64_t bytes, most; /* most: of the parts of an alltoallv, the largest; else 0 */
};

/* Before and after what the wrapper does: what the processor does between the two is MPI's. enter
   is false in threads that are not recorded, and before MPI_Init and after MPI_Finalize. */
bool record_enter(void);
void record_leave(void);

/* Notes a call: message is the count and type of what goes to or comes from the partner. */
void record_call(enum record_operation operation, MPI_Comm comm, int partner, int tag,
                 uint64_t bytes, uint64_t most);
uint64_t record_bytes(MPI_Count count, MPI_Datatype type);

/* A call that is not recorded, by its name: named and counted in the file. */
void record_count(const char *name);

/* Waits for one request, or for all, giving the processor away meanwhile. */
int record_wait(MPI_Request *request, MPI_Status *status);
int record_wait_all(int count, MPI_Request requests[], MPI_Status statuses[]);

/* ---- communicators.c ---- */

/* The number of a communicator that the process belongs to, in order of first sight. */
int communicator_number(MPI_Comm comm);
int communicator_size(int number);
/* The rank in MPI_COMM_WORLD, or RECORD_NOBODY, RECORD_ANYBODY. */
int communicator_world_rank(int number, int rank);
void communicators_write(FILE *out);

/* ---- requests.c ---- */

/* A request was made. operation: what it starts; persistent: only MPI_Start starts it. */
void request_open(MPI_Request request, enum record_operation operation, MPI_Comm comm, int partner,
                  int tag, uint64_t bytes, bool is_persistent);
void request_start(MPI_Request request);

/* A request ended; requests_note_done notes that nothing is under way any more, if that is so and
   something was (has_moved: also beside the requests). */
void request_close(MPI_Request request);
void requests_note_done(bool has_moved);

/* ---- site.c ---- */

/* The number of the place in the program from where the wrapper was called: all places on the
   stack. */
uint32_t site_here(void);
void sites_write(FILE *out);

/* ---- file.c ---- */

/* Gathers what all processes have recorded, `text` being this one's, and writes it on rank 0. */
void file_write(const char *text, size_t bytes, MPI_Comm comm, const char *path);

#endif
