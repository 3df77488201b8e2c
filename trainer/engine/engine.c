#include "trainer/engine/engine.h"

#include "model/base/allocation.h"
#include "model/base/number.h"
#include "trainer/base/delay.h"
#include "trainer/base/provenance.h"
#include "trainer/base/watchdog.h"
#include "trainer/engine/begin.h"
#include "trainer/engine/measure.h"
#include "trainer/engine/own_times.h"
#include "trainer/utilities/utilities.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum what { CHOOSE, DISTANCES, PARTS, BATCH, SWITCH, ACT, REST, DISMISS };

struct command {
    enum what what;
    int utility, participants, bytes, status;
    int partner; /* of rank 0 in a pair; 0: the first ranks take part */
    long times;
    double near_us, far_us;
    bool is_first;  /* a batch: the first of its message size */
    double begin_s; /* a batch: when all begin; 0: once they are lined up */
    enum act_number act;
    char order[ACT_ORDER_BYTES];
};

enum { TAG_WAKE = 92, PAGE = 4096 };

/* Until a command has reached all, before any has: doubled until nobody is late. */
static const double reach_s_least = 1e-6;

struct crew {
    int rank, size;
    struct clock clock;
    const struct utility *utility;
    MPI_Comm comm, mirrored; /* of the participants; MPI_COMM_NULL on the others */
    int participants, partner;
    struct site site;
    size_t buffer_bytes;
    bool is_set_up;
    struct own_times_reduction own_times;
    struct own_times since_size; /* of all batches, on rank 0 */
    double reach_s; /* until a command has reached all; 0: where the clock is not exact */
    bool was_late;  /* somebody began the last batch too late; on rank 0 */
    int next_bytes; /* of the next batch; -1: as of the last one; on rank 0 */
    struct protocol_switch found;
    struct stage stage;
    void *acts[ACT_COUNT]; /* the memory of each; NULL: not begun, or none */
    double results[ACT_RESULTS];
};

struct crew *crew_new(void)
{
    struct crew *crew = memory_new(1, sizeof *crew);
    crew->own_times = own_times_begin();
    MPI_Comm_rank(MPI_COMM_WORLD, &crew->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &crew->size);
    crew->comm = crew->mirrored = MPI_COMM_NULL;
    crew->next_bytes = -1;
    crew->clock = clock_measure();
    crew->stage = (struct stage){MPI_COMM_WORLD, crew->rank, crew->size,
                                 1e-6 * crew->clock.reading_us, provenance_is_simulated()};
    if (crew->stage.simulated && begin_clock_is_global())
        crew->reach_s = reach_s_least;
    return crew;
}

const struct clock *crew_clock(const struct crew *crew)
{
    return &crew->clock;
}

static void end_setup(struct crew *crew)
{
    if (crew->is_set_up && crew->utility->teardown)
        crew->utility->teardown(&crew->site);
    crew->is_set_up = false;
}

static void part_company(struct crew *crew)
{
    if (crew->comm == MPI_COMM_NULL)
        return;
    MPI_Comm_free(&crew->comm);
    MPI_Comm_free(&crew->mirrored);
}

static const struct act *const acts[] = {
#define ACT_ROW(NAME, variable) &variable,
    ACTS(ACT_ROW)
#undef ACT_ROW
};

static void end_acts(struct crew *crew)
{
    for (int i = 0; i < ACT_COUNT; i++)
        if (crew->acts[i] && acts[i]->end)
            acts[i]->end(crew->acts[i]);
}

void crew_free(struct crew *crew)
{
    end_setup(crew);
    end_acts(crew);
    part_company(crew);
    own_times_end(&crew->own_times);
    free(crew->site.send);
    free(crew->site.receive);
    free(crew);
}

/* ---- what every rank does at a command ---- */

static bool takes_part(int rank, const struct command *command)
{
    if (command->partner > 0)
        return rank == 0 || rank == command->partner;
    return rank < command->participants;
}

static void do_choose(struct crew *crew, const struct command *command)
{
    end_setup(crew);
    crew->utility = utilities[command->utility];
    if (crew->participants != command->participants || crew->partner != command->partner) {
        part_company(crew);
        const int color = takes_part(crew->rank, command) ? 0 : MPI_UNDEFINED;
        MPI_Comm_split(MPI_COMM_WORLD, color, crew->rank, &crew->comm);
        if (crew->comm != MPI_COMM_NULL)
            MPI_Comm_split(crew->comm, 0, -crew->rank, &crew->mirrored);
        crew->participants = command->participants;
        crew->partner = command->partner;
    }
    crew->site.comm = crew->comm;
    crew->site.mirrored = crew->mirrored;
    if (crew->comm != MPI_COMM_NULL)
        MPI_Comm_rank(crew->comm, &crew->site.rank);
    crew->site.processors = command->participants;
}

/* Page-aligned, and every page written by the rank that uses it: untouched pages would share one
   page of zeros; a simulated machine has no pages. Grows only, so that a run does not move its
   buffers from size to size. */
static void make_room(struct crew *crew, size_t bytes)
{
    if (bytes <= crew->buffer_bytes)
        return;
    char **buffers[] = {&crew->site.send, &crew->site.receive};
    const size_t room = (2 * bytes + PAGE) / PAGE * PAGE;
    for (size_t i = 0; i < 2; i++) {
        free(*buffers[i]);
        *buffers[i] = aligned_alloc(PAGE, room);
        if (!*buffers[i])
            MPI_Abort(MPI_COMM_WORLD, 2);
        if (!crew->stage.simulated)
            memset(*buffers[i], (int)i + 1, room);
    }
    crew->buffer_bytes = room;
}

static void do_size(struct crew *crew, const struct command *command)
{
    end_setup(crew);
    crew->since_size = (struct own_times){0};
    if (crew->comm == MPI_COMM_NULL)
        return;
    const int messages = crew->utility->messages ? crew->utility->messages(crew->participants) : 1;
    make_room(crew, (size_t)messages * (size_t)command->bytes + 1);
    crew->site.bytes = command->bytes;
    crew->site.is_exact = crew->stage.simulated;
    crew->site.reading_s = 1e-6 * crew->clock.reading_us;
    crew->site.uses_per_run = crew->utility->uses_per_run;
    if (crew->utility->setup)
        crew->utility->setup(&crew->site);
    crew->is_set_up = true;
}

/* Whether rank 0 alone reads the clock. */
static bool is_roots(const struct crew *crew)
{
    return crew->utility->across != ACROSS_MAXIMUM && crew->utility->across != ACROSS_MEAN;
}

/* Whether the ranks tell one another that they are there, and no more. */
static bool is_told(const struct crew *crew)
{
    return crew->participants == 2 || is_roots(crew);
}

static double across(struct crew *crew, double mine_s, bool late)
{
    if (is_roots(crew))
        return mine_s;
    const struct own_times all = own_times_reduce(&crew->own_times, mine_s, late, crew->comm);
    crew->was_late = all.late > 0.0;
    crew->since_size.longest_s += crew->was_late ? 0.0 : all.longest_s;
    crew->since_size.sum_s += crew->was_late ? 0.0 : all.sum_s;
    return crew->utility->across == ACROSS_MAXIMUM ? all.longest_s : all.sum_s / crew->participants;
}

static double do_batch(struct crew *crew, const struct command *command)
{
    if (command->is_first)
        do_size(crew, command);
    if (crew->comm == MPI_COMM_NULL)
        return 0.0;
    struct site *site = &crew->site;
    const struct delayer delayer = {site->reading_s, crew->stage.simulated};
    const bool late = command->begin_s > 0.0 && MPI_Wtime() > command->begin_s;
    site->excluded_s = 0.0;
    if (command->begin_s > 0.0)
        begin_at(&delayer, command->begin_s);
    else
        begin_lined_up(site, &delayer, is_told(crew));
    const double start_s = MPI_Wtime();
    crew->utility->run(site, command->times);
    const double end_s = MPI_Wtime();
    return across(crew, end_s - start_s - site->excluded_s, late);
}

static void do_act(struct crew *crew, const struct command *command)
{
    const struct act *act = acts[command->act];
    void **state = &crew->acts[command->act];
    if (!*state && act->begin)
        *state = act->begin(&crew->stage);
    act->perform(*state, &crew->stage, command->order, crew->results);
    for (int i = 0; i < ACT_RESULTS; i++)
        crew->results[i] = number_rounded(crew->results[i], MEASURE_DIGITS);
}

/* A library that waits keeps its core busy, or half of it where the system calls two threads two
   cores: whoever is not needed sleeps. */
static void do_rest(const struct crew *crew)
{
    static const struct timespec nap = {.tv_nsec = 1000 * 1000};
    int woken = crew->rank == 0;
    watchdog_rest(); /* for as long as rank 0 likes */
    while (!woken) {
        nanosleep(&nap, NULL);
        MPI_Iprobe(0, TAG_WAKE, MPI_COMM_WORLD, &woken, MPI_STATUS_IGNORE);
    }
    if (crew->rank != 0)
        MPI_Recv(NULL, 0, MPI_BYTE, 0, TAG_WAKE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* ---- saying and following ---- */

static double carry_out(struct crew *crew, const struct command *command)
{
    switch (command->what) {
    case CHOOSE:
        do_choose(crew, command);
        break;
    case DISTANCES:
        crew->site.together = command->participants;
        crew->site.near_us = command->near_us;
        crew->site.far_us = command->far_us;
        break;
    case PARTS:
        crew->site.part_bytes = command->bytes;
        break;
    case BATCH:
        return do_batch(crew, command);
    case SWITCH:
        crew->found = protocol_switch_find(MPI_COMM_WORLD, command->bytes);
        break;
    case ACT:
        do_act(crew, command);
        break;
    case REST:
        do_rest(crew);
        break;
    case DISMISS:
        break;
    }
    return 0.0;
}

static double say(struct crew *crew, struct command command)
{
    watchdog_wait();
    MPI_Bcast(&command, sizeof command, MPI_BYTE, 0, MPI_COMM_WORLD);
    const double result = carry_out(crew, &command);
    watchdog_rest();
    return result;
}

int crew_follow(struct crew *crew)
{
    struct command command;
    do {
        watchdog_wait();
        MPI_Bcast(&command, sizeof command, MPI_BYTE, 0, MPI_COMM_WORLD);
        carry_out(crew, &command);
    } while (command.what != DISMISS);
    watchdog_rest();
    return command.status;
}

void crew_dismiss(struct crew *crew, int status)
{
    say(crew, (struct command){.what = DISMISS, .status = status});
}

void crew_choose(struct crew *crew, int utility, int participants)
{
    say(crew, (struct command){.what = CHOOSE, .utility = utility, .participants = participants});
}

void crew_choose_pair(struct crew *crew, int utility, int partner)
{
    say(crew, (struct command){
                  .what = CHOOSE, .utility = utility, .participants = 2, .partner = partner});
}

void crew_tell_distances(struct crew *crew, int together, double near_us, double far_us)
{
    say(crew,
        (struct command){
            .what = DISTANCES, .participants = together, .near_us = near_us, .far_us = far_us});
}

void crew_parts(struct crew *crew, int part_bytes)
{
    say(crew, (struct command){.what = PARTS, .bytes = part_bytes});
}

void crew_size(struct crew *crew, int bytes)
{
    crew->next_bytes = bytes;
}

/* When the command will have reached everybody, where that is foretold: on a simulated machine
   lining up takes more messages than most utilities, and lets one of two go a message's time before
   the other. Whoever is late makes the batch void, and the next one is told twice as long before.
 */
static double begin_of_batch(struct crew *crew)
{
    if (crew->reach_s == 0.0 || is_roots(crew))
        return 0.0;
    if (crew->was_late)
        crew->reach_s *= 2.0;
    crew->was_late = false;
    return MPI_Wtime() + crew->reach_s;
}

int crew_batch(void *state, long times, double *elapsed_us, struct error *error)
{
    struct crew *crew = state;
    (void)error;
    double batch_s;
    do {
        const struct command command = {.what = BATCH,
                                        .times = times,
                                        .is_first = crew->next_bytes >= 0,
                                        .bytes = crew->next_bytes,
                                        .begin_s = begin_of_batch(crew)};
        crew->next_bytes = -1;
        batch_s = say(crew, command);
    } while (crew->was_late);
    const double uses = crew->site.uses_per_run;
    *elapsed_us = fmax(0.0, 1e6 * batch_s - crew->clock.reading_us) / uses;
    return 0;
}

void crew_rest(struct crew *crew)
{
    say(crew, (struct command){.what = REST});
}

void crew_wake(struct crew *crew)
{
    for (int rank = 1; rank < crew->size; rank++)
        MPI_Send(NULL, 0, MPI_BYTE, rank, TAG_WAKE, MPI_COMM_WORLD);
}

double crew_mean_over_maximum(const struct crew *crew)
{
    const struct own_times *all = &crew->since_size;
    return all->longest_s > 0.0 ? all->sum_s / (crew->participants * all->longest_s) : 0.0;
}

struct protocol_switch crew_find_switch(struct crew *crew, int bytes_most)
{
    say(crew, (struct command){.what = SWITCH, .bytes = bytes_most});
    return crew->found;
}

void crew_act(struct crew *crew, enum act_number act, const void *order, size_t order_bytes,
              double results[ACT_RESULTS])
{
    struct command command = {.what = ACT, .act = act};
    memcpy(command.order, order, order_bytes);
    say(crew, command);
    memcpy(results, crew->results, sizeof crew->results);
}
