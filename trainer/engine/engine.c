#include "trainer/engine/engine.h"

#include "model/base/allocation.h"
#include "model/base/number.h"
#include "trainer/base/clock.h"
#include "trainer/base/delay.h"
#include "trainer/base/group.h"
#include "trainer/base/provenance.h"
#include "trainer/base/watchdog.h"
#include "trainer/engine/in_situ.h"
#include "trainer/engine/kept_groups.h"
#include "trainer/engine/measure.h"
#include "trainer/engine/message_buffers.h"
#include "trainer/engine/own_times.h"
#include "trainer/engine/rest.h"
#include "trainer/utilities/begin.h"
#include "trainer/utilities/utilities.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum what { CHOOSE, DISTANCES, PARTS, BATCH, IN_SITU, SWITCH, PROBE, REST, DISMISS };

struct command {
    enum what what;
    int utility, participants, bytes, status;
    int partner; /* of rank 0 in a pair; 0: the first ranks take part */
    long times;
    double near_us, far_us;
    bool is_first;   /* a batch: the first of its message size */
    double begin_s;  /* a batch: when all begin; 0: once they are lined up */
    bool is_written; /* in situ: buffers are written and read between two uses */
    size_t work_bytes;
    enum probe_number probe;
    char order[PROBE_ORDER_BYTES];
};

/* Until a command has reached all, before any has, for each of them: doubled until nobody is late.
   Who is late comes in between: of 128 with ten times as many events and more. */
static const double reach_s_each = 0.25e-6;

struct engine {
    int rank, size;
    struct clock clock;
    const struct utility *utility;
    struct group group; /* of the participants; a pair's own, else one of those kept */
    int participants, partner;
    struct kept_groups kept;
    struct site site;
    struct message_buffers buffers; /* the site borrows them */
    bool is_set_up;
    struct own_times_reduction own_times;
    struct own_times since_size; /* of all batches, on rank 0 */
    double reach_s; /* until a command has reached all; 0: where the clock is not exact */
    bool was_late;  /* somebody began the last batch too late; on rank 0 */
    bool was_first; /* the last batch set its message size up before; on rank 0 */
    int next_bytes; /* of the next batch; -1: as of the last one; on rank 0 */
    struct protocol_switch found;
    struct probe_context context;
    void *probes[PROBE_COUNT]; /* the memory of each; NULL: not begun, or none */
    double results[PROBE_RESULTS];
};

struct engine *engine_new(void)
{
    struct engine *engine = memory_new(1, sizeof *engine);
    engine->own_times = own_times_begin();
    MPI_Comm_rank(MPI_COMM_WORLD, &engine->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &engine->size);
    engine->group = group_none();
    engine->next_bytes = -1;
    engine->clock = clock_measure(provenance_is_simulated());
    engine->context =
        (struct probe_context){MPI_COMM_WORLD, engine->rank, engine->size,
                               1e-6 * engine->clock.reading_us, provenance_is_simulated()};
    if (engine->context.simulated && begin_clock_is_global())
        engine->reach_s = reach_s_each * engine->size;
    return engine;
}

const struct clock *engine_clock(const struct engine *engine)
{
    return &engine->clock;
}

static void end_setup(struct engine *engine)
{
    if (engine->is_set_up && engine->utility->teardown)
        engine->utility->teardown(&engine->site);
    engine->is_set_up = false;
}

static const struct probe *const probes[] = {
#define PROBE_ROW(NAME, variable) &variable,
    PROBES(PROBE_ROW)
#undef PROBE_ROW
};

static void end_probes(struct engine *engine)
{
    for (int i = 0; i < PROBE_COUNT; i++)
        if (engine->probes[i] && probes[i]->end)
            probes[i]->end(engine->probes[i]);
}

static void free_groups(struct engine *engine)
{
    if (engine->partner > 0)
        group_free(&engine->group);
    kept_groups_free(&engine->kept);
}

void engine_free(struct engine *engine)
{
    end_setup(engine);
    end_probes(engine);
    free_groups(engine);
    own_times_end(&engine->own_times);
    message_buffers_free(&engine->buffers);
    free(engine);
}

/* ---- what every rank does at a command ---- */

static void do_choose(struct engine *engine, const struct command *command)
{
    end_setup(engine);
    engine->utility = utilities[command->utility];
    if (engine->participants != command->participants || engine->partner != command->partner) {
        if (engine->partner > 0)
            group_free(&engine->group);
        engine->group = command->partner > 0
                            ? group_new((struct group_ranks){0, command->partner, command->partner})
                            : kept_groups_first(&engine->kept, command->participants);
        engine->participants = command->participants;
        engine->partner = command->partner;
    }
    engine->site.comm = engine->group.comm;
    engine->site.mirrored = engine->group.mirrored;
    if (engine->site.comm != MPI_COMM_NULL)
        MPI_Comm_rank(engine->site.comm, &engine->site.rank);
    engine->site.processors = command->participants;
}

static void do_size(struct engine *engine, const struct command *command)
{
    end_setup(engine);
    engine->since_size = (struct own_times){0};
    if (engine->site.comm == MPI_COMM_NULL)
        return;
    const struct utility *utility = engine->utility;
    struct site *site = &engine->site;
    message_buffers_grow(&engine->buffers,
                         message_buffers_room(utility, engine->participants, command->bytes) + 1,
                         engine->context.simulated);
    site->send = engine->buffers.send;
    site->receive = engine->buffers.receive;
    site->bytes = command->bytes;
    site->is_exact = engine->context.simulated;
    site->reading_s = 1e-6 * engine->clock.reading_us;
    site->uses_per_run = utility->uses_per_run;
    if (utility->setup)
        utility->setup(site);
    engine->is_set_up = true;
}

/* Whether rank 0 alone reads the clock. */
static bool is_roots(const struct engine *engine)
{
    return engine->utility->across != ACROSS_MAXIMUM && engine->utility->across != ACROSS_MEAN;
}

/* Whether the ranks tell one another that they are there, and no more. */
static bool is_told(const struct engine *engine)
{
    return engine->participants == 2 || is_roots(engine);
}

static double across(struct engine *engine, double mine_s, bool late)
{
    if (is_roots(engine))
        return mine_s;
    const struct own_times all =
        own_times_reduce(&engine->own_times, mine_s, late, engine->site.comm);
    engine->was_late = all.late > 0.0;
    engine->since_size.longest_s += engine->was_late ? 0.0 : all.longest_s;
    engine->since_size.sum_s += engine->was_late ? 0.0 : all.sum_s;
    const double mean_s = all.sum_s / engine->participants;
    return engine->utility->across == ACROSS_MAXIMUM ? all.longest_s : mean_s;
}

static double do_batch(struct engine *engine, const struct command *command)
{
    if (command->is_first)
        do_size(engine, command);
    if (engine->site.comm == MPI_COMM_NULL)
        return 0.0;
    struct site *site = &engine->site;
    const struct delayer delayer = {site->reading_s, engine->context.simulated};
    const bool late = command->begin_s > 0.0 && clock_s() > command->begin_s;
    site->excluded_s = 0.0;
    if (command->begin_s > 0.0)
        begin_at(&delayer, command->begin_s);
    else
        begin_lined_up(site, &delayer, is_told(engine));
    const double start_s = clock_s();
    engine->utility->run(site, command->times);
    const double end_s = clock_s();
    return across(engine, end_s - start_s - site->excluded_s, late);
}

static double do_in_situ(struct engine *engine, const struct command *command)
{
    do_size(engine, command);
    if (engine->site.comm == MPI_COMM_NULL)
        return 0.0;
    const size_t room = message_buffers_room(engine->utility, engine->participants, command->bytes);
    return in_situ_use_us(&engine->site, engine->utility, command->is_written ? room : 0,
                          command->work_bytes);
}

static void do_probe(struct engine *engine, const struct command *command)
{
    const struct probe *probe = probes[command->probe];
    void **state = &engine->probes[command->probe];
    if (!*state && probe->begin)
        *state = probe->begin(&engine->context);
    probe->perform(*state, &engine->context, command->order, engine->results);
    for (int i = 0; i < PROBE_RESULTS; i++)
        engine->results[i] = number_rounded(engine->results[i], MEASURE_DIGITS);
}

/* ---- saying and following ---- */

static double carry_out(struct engine *engine, const struct command *command)
{
    switch (command->what) {
    case CHOOSE:
        do_choose(engine, command);
        break;
    case DISTANCES:
        engine->site.together = command->participants;
        engine->site.near_us = command->near_us;
        engine->site.far_us = command->far_us;
        break;
    case PARTS:
        engine->site.part_bytes = command->bytes;
        break;
    case BATCH:
        return do_batch(engine, command);
    case IN_SITU:
        return do_in_situ(engine, command);
    case SWITCH:
        engine->found = protocol_switch_find(MPI_COMM_WORLD, command->bytes);
        break;
    case PROBE:
        do_probe(engine, command);
        break;
    case REST:
        rest_until_woken(engine->rank); /* for as long as rank 0 likes */
        break;
    case DISMISS:
        break;
    }
    return 0.0;
}

static double say(struct engine *engine, struct command command)
{
    watchdog_wait();
    MPI_Bcast(&command, sizeof command, MPI_BYTE, 0, MPI_COMM_WORLD);
    const double result = carry_out(engine, &command);
    watchdog_rest();
    return result;
}

int engine_follow(struct engine *engine)
{
    struct command command;
    do {
        watchdog_wait();
        MPI_Bcast(&command, sizeof command, MPI_BYTE, 0, MPI_COMM_WORLD);
        carry_out(engine, &command);
    } while (command.what != DISMISS);
    watchdog_rest();
    return command.status;
}

void engine_dismiss(struct engine *engine, int status)
{
    say(engine, (struct command){.what = DISMISS, .status = status});
}

void engine_choose(struct engine *engine, int utility, int participants)
{
    say(engine, (struct command){.what = CHOOSE, .utility = utility, .participants = participants});
}

void engine_choose_pair(struct engine *engine, int utility, int partner)
{
    const struct command pair = {
        .what = CHOOSE, .utility = utility, .participants = 2, .partner = partner};
    say(engine, pair);
}

void engine_tell_distances(struct engine *engine, int together, double near_us, double far_us)
{
    const struct command told = {
        .what = DISTANCES, .participants = together, .near_us = near_us, .far_us = far_us};
    say(engine, told);
}

void engine_parts(struct engine *engine, int part_bytes)
{
    say(engine, (struct command){.what = PARTS, .bytes = part_bytes});
}

void engine_size(struct engine *engine, int bytes)
{
    engine->next_bytes = bytes;
}

double engine_in_situ_us(struct engine *engine, int bytes, bool is_written, size_t work_bytes)
{
    const struct command command = {
        .what = IN_SITU, .bytes = bytes, .is_written = is_written, .work_bytes = work_bytes};
    return say(engine, command);
}

/* When the command will have reached everybody, where that is foretold: on a simulated machine
   lining up takes more messages than most utilities, and lets one of two go a message's time before
   the other. Whoever is late makes the batch void, and the next one is told twice as long before;
   not after the first batch of a size, which is late for setting up and no batch behind it is. */
static double begin_of_batch(struct engine *engine)
{
    if (engine->reach_s == 0.0 || is_roots(engine))
        return 0.0;
    if (engine->was_late && !engine->was_first)
        engine->reach_s *= 2.0;
    engine->was_late = false;
    return clock_s() + engine->reach_s;
}

/* Less than a thousandth of a reading is no time: an exact clock's numbers are rounded, the more so
   the later it is, and a sender that is busy for no time took 3e-11 us. */
static double without_reading(double batch_us, double reading_us)
{
    const double left_us = batch_us - reading_us;
    return left_us > 1e-3 * reading_us ? left_us : 0.0;
}

int engine_batch(void *state, long times, struct batch_time *took, struct error *error)
{
    struct engine *engine = state;
    (void)error;
    double batch_s;
    do {
        const struct command command = {.what = BATCH,
                                        .times = times,
                                        .is_first = engine->next_bytes >= 0,
                                        .bytes = engine->next_bytes,
                                        .begin_s = begin_of_batch(engine)};
        engine->next_bytes = -1;
        engine->was_first = command.is_first;
        batch_s = say(engine, command);
    } while (engine->was_late);
    took->uses = engine->site.uses_per_run;
    took->elapsed_us = without_reading(1e6 * batch_s, engine->clock.reading_us);
    return 0;
}

void engine_rest(struct engine *engine)
{
    say(engine, (struct command){.what = REST});
}

void engine_wake(struct engine *engine)
{
    rest_wake(engine->size);
}

double engine_mean_over_maximum(const struct engine *engine)
{
    const struct own_times *all = &engine->since_size;
    return all->longest_s > 0.0 ? all->sum_s / (engine->participants * all->longest_s) : 0.0;
}

struct protocol_switch engine_find_switch(struct engine *engine, int bytes_most)
{
    say(engine, (struct command){.what = SWITCH, .bytes = bytes_most});
    return engine->found;
}

void engine_probe(struct engine *engine, enum probe_number probe, const void *order,
                  size_t order_bytes, double results[PROBE_RESULTS])
{
    struct command command = {.what = PROBE, .probe = probe};
    memcpy(command.order, order, order_bytes);
    say(engine, command);
    memcpy(results, engine->results, sizeof engine->results);
}
