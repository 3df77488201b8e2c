/* libforecost-record: what a running MPI program does, for programs that know nothing of it
   (LD_PRELOAD). From MPI_Init to MPI_Finalize. */
#include "recorder/record.h"

#include "model/base/allocation.h"
#include "recorder/stream.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *const operation_words[] = {
#define OPERATION(NAME, word) word,
    RECORD_OPERATIONS(OPERATION)
#undef OPERATION
};

struct counted {
    const char *name;
    uint64_t count;
};

/* The wrappers have no argument to carry it: the state of the recorder. */
static struct {
    bool is_on;
    const char *path;
    MPI_Comm comm; /* its own */
    pthread_t thread;
    int depth;         /* of wrappers: a library may call MPI from within MPI */
    double left_us;    /* processor time when the last wrapper ended */
    double gap_us;     /* processor time between that and the present one */
    double clock_us;   /* of which reading the clock takes */
    double total_us;   /* of all gaps */
    double started_us; /* wall clock */
    struct stream stream;
    struct record_kind *kinds;
    size_t kind_count, kind_room;
    uint32_t *table; /* the number of a kind and 1, by its hash; as large as 2 * kind_room */
    struct counted *counted;
    size_t counted_count;
    uint64_t other_threads; /* calls of threads that are not recorded */
} state;

static double clock_us(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return 1e6 * (double)now.tv_sec + 1e-3 * (double)now.tv_nsec;
}

bool record_enter(void)
{
    if (!state.is_on)
        return false;
    if (!pthread_equal(pthread_self(), state.thread)) {
        __atomic_add_fetch(&state.other_threads, 1, __ATOMIC_RELAXED);
        return false;
    }
    if (state.depth++ > 0)
        return false;
    const double gap_us =
        fmax(0.0, clock_us(CLOCK_THREAD_CPUTIME_ID) - state.left_us - state.clock_us);
    state.gap_us += gap_us;
    state.total_us += gap_us;
    return true;
}

void record_leave(void)
{
    if (state.is_on && pthread_equal(pthread_self(), state.thread) && --state.depth == 0)
        state.left_us = clock_us(CLOCK_THREAD_CPUTIME_ID);
}

uint64_t record_bytes(MPI_Count count, MPI_Datatype type)
{
    MPI_Count size = 0;
    if (type != MPI_DATATYPE_NULL)
        PMPI_Type_size_x(type, &size);
    return count > 0 && size > 0 ? (uint64_t)(count * size) : 0;
}

/* ---- kinds of calls ---- */

static size_t slot_of(const struct record_kind *kind)
{
    const unsigned char *bytes = (const unsigned char *)kind;
    uint64_t hash = 1469598103934665603u;
    for (size_t i = 0; i < sizeof *kind; i++)
        hash = (hash ^ bytes[i]) * 1099511628211u;
    size_t at = hash % (2 * state.kind_room);
    while (state.table[at] && memcmp(&state.kinds[state.table[at] - 1], kind, sizeof *kind) != 0)
        at = (at + 1) % (2 * state.kind_room);
    return at;
}

static uint32_t kind_number(const struct record_kind *kind)
{
    if (state.kind_count == state.kind_room) {
        state.kind_room = state.kind_room ? 2 * state.kind_room : 128;
        state.kinds = memory_grow(state.kinds, state.kind_room, sizeof *state.kinds);
        free(state.table);
        state.table = memory_new(2 * state.kind_room, sizeof *state.table);
        for (size_t i = 0; i < state.kind_count; i++)
            state.table[slot_of(&state.kinds[i])] = (uint32_t)i + 1;
    }
    uint32_t *slot = &state.table[slot_of(kind)];
    if (!*slot) {
        state.kinds[state.kind_count++] = *kind;
        *slot = (uint32_t)state.kind_count;
    }
    return *slot - 1;
}

void record_call(enum record_operation operation, MPI_Comm comm, int partner, int tag,
                 uint64_t bytes, uint64_t most)
{
    struct record_kind kind;
    memset(&kind, 0, sizeof kind); /* what lies between its members counts, too */
    const int number = comm == MPI_COMM_NULL ? 0 : communicator_number(comm);
    kind.operation = (int32_t)operation;
    kind.communicator = number;
    kind.partner = comm == MPI_COMM_NULL ? RECORD_NOBODY : communicator_world_rank(number, partner);
    kind.tag = tag == MPI_ANY_TAG ? RECORD_ANY_TAG : tag;
    kind.site = operation == RECORD_DONE ? 0 : site_here();
    kind.bytes = bytes;
    kind.most = most;
    stream_add(&state.stream, kind_number(&kind), state.gap_us);
    state.gap_us = 0.0;
}

void record_count(const char *name)
{
    size_t i = 0;
    while (i < state.counted_count && strcmp(state.counted[i].name, name) != 0)
        i++;
    if (i == state.counted_count) {
        state.counted = memory_grow(state.counted, i + 1, sizeof *state.counted);
        state.counted[state.counted_count++] = (struct counted){name, 0};
    }
    state.counted[i].count++;
}

/* ---- waiting ---- */

/* constant: looks at a request before the processor is given away: 50 looks
   a threshold: a look takes 0.2 us and a message between two cores 1 us, a change of processes some
   3 us: of processes that have cores of their own few give them away. */
enum { LOOKS = 50 };

static void give_way(int looks)
{
    if (looks % LOOKS == LOOKS - 1)
        sched_yield();
}

int record_wait(MPI_Request *request, MPI_Status *status)
{
    for (int is_done = 0, looks = 0;; looks++) {
        const int result = PMPI_Test(request, &is_done, status);
        if (result != MPI_SUCCESS || is_done)
            return result;
        give_way(looks);
    }
}

int record_wait_all(int count, MPI_Request requests[], MPI_Status statuses[])
{
    for (int is_done = 0, looks = 0;; looks++) {
        const int result = PMPI_Testall(count, requests, &is_done, statuses);
        if (result != MPI_SUCCESS || is_done)
            return result;
        give_way(looks);
    }
}

/* ---- begin and end ---- */

/* What the clock shows between two readings with nothing in between: the least of several. */
static double clock_reading_us(void)
{
    double least_us = INFINITY;
    for (int i = 0; i < 100; i++) {
        const double from_us = clock_us(CLOCK_THREAD_CPUTIME_ID);
        least_us = fmin(least_us, clock_us(CLOCK_THREAD_CPUTIME_ID) - from_us);
    }
    return least_us;
}

static void begin(void)
{
    state.path = getenv("FORECOST_RECORD");
    if (!state.path || !*state.path)
        return;
    PMPI_Comm_dup(MPI_COMM_WORLD, &state.comm);
    state.thread = pthread_self();
    communicator_number(MPI_COMM_WORLD);
    communicator_number(MPI_COMM_SELF);
    state.clock_us = clock_reading_us();
    state.started_us = clock_us(CLOCK_MONOTONIC);
    state.left_us = clock_us(CLOCK_THREAD_CPUTIME_ID);
    state.is_on = true;
}

/* What this process has recorded, as it stands in the file. */
static char *text_of_process(size_t *bytes)
{
    char *text;
    int rank;
    FILE *out = memory_stream(&text, bytes);
    PMPI_Comm_rank(state.comm, &rank);
    fprintf(out, "process %d wall_us %.0f computing_us %.0f last_us %.4g\n", rank,
            clock_us(CLOCK_MONOTONIC) - state.started_us, state.total_us, state.gap_us);
    if (state.other_threads > 0)
        fprintf(out, "counted %" PRIu64 " calls in other threads\n", state.other_threads);
    for (size_t i = 0; i < state.counted_count; i++)
        fprintf(out, "counted %" PRIu64 " %s\n", state.counted[i].count, state.counted[i].name);
    communicators_write(out);
    sites_write(out);
    for (size_t i = 0; i < state.kind_count; i++) {
        const struct record_kind *kind = &state.kinds[i];
        fprintf(out, "kind %zu %s %d %d %d %" PRIu32 " %" PRIu64 " %" PRIu64 "\n", i,
                operation_words[kind->operation], kind->communicator, kind->partner, kind->tag,
                kind->site, kind->bytes, kind->most);
    }
    fputs("stream ", out);
    stream_write(&state.stream, out);
    fputs("\nend\n", out);
    memory_stream_end(out);
    return text;
}

static void end(void)
{
    size_t bytes;
    if (!record_enter())
        return;
    state.is_on = false;
    char *text = text_of_process(&bytes);
    file_write(text, bytes, state.comm, state.path);
    free(text);
    stream_free(&state.stream);
    PMPI_Comm_free(&state.comm);
}

EXPORTED int MPI_Init(int *argc, char ***argv)
{
    const int status = PMPI_Init(argc, argv);
    if (status == MPI_SUCCESS)
        begin();
    return status;
}

EXPORTED int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    const int status = PMPI_Init_thread(argc, argv, required, provided);
    if (status == MPI_SUCCESS)
        begin();
    return status;
}

EXPORTED int MPI_Finalize(void)
{
    end();
    return PMPI_Finalize();
}
