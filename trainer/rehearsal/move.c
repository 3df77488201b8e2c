#include "trainer/rehearsal/move.h"

#include "trainer/base/clock.h"
#include "trainer/rehearsal/delivery.h"
#include "trainer/utilities/utilities.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* As the strided utilities (utilities/express.c) by which estimators price packing. */
enum { STRIDE = 32, PAGE = 4096, ELEMENT = sizeof(double) };

/* ---- what runs ---- */

/* A redistribution of what does not lie together is packed, turned and unpacked. */
static const char *wanted(const struct demand *demand, const struct use *use)
{
    if (demand->utility)
        return demand->utility;
    if (use->class == TRAFFIC_MANY_TO_MANY && use->pieces != PIECES_ONE)
        return pattern_many_to_many.packed->name;
    return traffic_name(use->class);
}

/* Whole granules; a library that skips empty messages gets one. */
static double bytes_for(const struct utility *utility, const struct use *use)
{
    if (utility->granule_bytes == 0.0)
        return 0.0;
    const double granules = ceil(use->bytes / utility->granule_bytes);
    return utility->granule_bytes * (utility->empty_is_nothing ? fmax(1.0, granules) : granules);
}

static const char *check_use(const struct utility *utility, const struct use *use, int ranks)
{
    const double bytes = bytes_for(utility, use);
    if (utility->pattern->near)
        return "it is between the farthest two processors, not between those of a segment";
    if (use->processors != floor(use->processors) || use->processors < 2.0 ||
        use->processors > ranks)
        return "its groups are not of 2 to all processors";
    if (utility->suits && utility->suits((int)use->processors) == SUITS_NOT)
        return "its utility cannot be run with so many processors";
    if (bytes > INT_MAX - ELEMENT || (utility->bytes_most > 0.0 && bytes > utility->bytes_most))
        return "its messages are longer than its utility takes";
    return NULL;
}

static void join(struct move *move, const struct subcommunicator *subcommunicator)
{
    move->subcommunicator = subcommunicator;
    move->site = (struct site){.comm = subcommunicator->group.comm,
                               .mirrored = subcommunicator->group.mirrored,
                               .rank = subcommunicator->rank,
                               .processors = subcommunicator->size,
                               .bytes = move->site.bytes,
                               .part_bytes = INT_MAX,
                               .uses_per_run = move->utility->uses_per_run};
}

const char *move_make(struct move *move, struct subcommunicators *subcommunicators,
                      const struct demand *demand, const struct use *use)
{
    const int number = utilities_named(wanted(demand, use));
    if (number < 0)
        return "the trainer has no utility of that name";
    const struct utility *utility = utilities[number];
    const char *wrong = check_use(utility, use, subcommunicators->processors);
    if (wrong)
        return wrong;
    *move = (struct move){.utility = utility,
                          .delivery = delivery_of(utility->pattern),
                          .times = use->times,
                          .at_once = fmax(1.0, use->at_once)};
    move->subcommunicator = subcommunicators_take(
        subcommunicators, utility->pattern->among == AMONG_TWO ? 2 : (int)use->processors);
    move->strided = !demand->utility && use->pieces != PIECES_ONE && move->delivery &&
                    pattern_is_of_pairs(utility->pattern->name);
    const double bytes = bytes_for(utility, use);
    if (use->processors_most > use->processors &&
        use->processors_most <= subcommunicators->processors)
        move->wider = subcommunicators_take(subcommunicators, (int)use->processors_most);
    move->site.bytes = (int)(move->strided ? ELEMENT * ceil(bytes / ELEMENT) : bytes);
    join(move, move->subcommunicator);
    return NULL;
}

bool move_packs(const struct move *move, const struct demand *demand, const struct use *use)
{
    return demand->utility || use->pieces == PIECES_ONE || move->strided ||
           use->class == TRAFFIC_MANY_TO_MANY;
}

/* ---- memory ---- */

double move_bytes(const struct move *move)
{
    const int processors = move->wider ? move->wider->size : move->site.processors;
    const int messages = move->utility->messages ? move->utility->messages(processors) : 1;
    return (double)messages * move->site.bytes + ELEMENT;
}

double move_field_doubles(const struct move *move)
{
    return move->strided ? STRIDE * ceil((double)move->site.bytes / ELEMENT) : 0.0;
}

static void *pages(size_t bytes)
{
    const size_t room = (bytes + PAGE) / PAGE * PAGE;
    void *memory = aligned_alloc(PAGE, room);
    if (memory)
        memset(memory, 0, room);
    return memory;
}

bool buffers_new(struct buffers *buffers, double bytes, double field_doubles)
{
    *buffers = (struct buffers){0};
    if (bytes + ELEMENT * field_doubles > (double)(SIZE_MAX / 4))
        return false;
    buffers->bytes = (size_t)bytes;
    buffers->field_doubles = (size_t)field_doubles;
    buffers->send = pages(buffers->bytes);
    buffers->receive = pages(buffers->bytes);
    buffers->field = pages(buffers->field_doubles * ELEMENT);
    buffers->landing = pages(buffers->field_doubles * ELEMENT);
    if (buffers->send && buffers->receive && buffers->field && buffers->landing)
        return true;
    buffers_free(buffers);
    return false;
}

static void fill_ones(double *memory, size_t count)
{
    for (size_t i = 0; i < count; i++)
        memory[i] = 1.0;
}

void buffers_clear(struct buffers *buffers)
{
    fill_ones((double *)(void *)buffers->send, buffers->bytes / ELEMENT);
    fill_ones((double *)(void *)buffers->receive, buffers->bytes / ELEMENT);
    fill_ones(buffers->field, buffers->field_doubles);
}

void buffers_free(struct buffers *buffers)
{
    free(buffers->send);
    free(buffers->receive);
    free(buffers->field);
    free(buffers->landing);
    *buffers = (struct buffers){0};
}

/* ---- running ---- */

void move_begin(struct move *move, const struct buffers *buffers)
{
    move->site.send = buffers->send;
    move->site.receive = buffers->receive;
    move->begun = 0.0;
    if (move->site.comm == MPI_COMM_NULL || (move->delivery && move->delivery->run))
        return;
    if (move->utility->setup)
        move->utility->setup(&move->site);
    move->is_set_up = true;
}

void move_end(struct move *move)
{
    if (move->is_set_up && move->utility->teardown)
        move->utility->teardown(&move->site);
    move->is_set_up = false;
}

static size_t doubles_of(const struct move *move)
{
    return (size_t)move->site.bytes / ELEMENT;
}

static void pack(const struct move *move, const struct buffers *buffers)
{
    double *to = (double *)(void *)buffers->send;
    for (size_t i = 0; i < doubles_of(move); i++)
        to[i] = buffers->field[i * STRIDE];
}

static void unpack(const struct move *move, const struct buffers *buffers)
{
    const double *from = (const double *)(void *)buffers->receive;
    for (size_t i = 0; i < doubles_of(move); i++)
        buffers->landing[i * STRIDE] = from[i];
}

static int root_of(const struct move *move)
{
    return (int)fmod(move->begun, move->site.processors);
}

static void run_once(struct move *move, const struct buffers *buffers)
{
    if (move->strided)
        pack(move, buffers);
    if (move->delivery && move->delivery->run)
        move->delivery->run(&move->site, root_of(move));
    else
        move->utility->run(&move->site, 1);
    if (move->strided)
        unpack(move, buffers);
}

/* Groups come and go so that, over the uses, as many as described are at it; the first one, which
   is the busiest, always. */
static bool takes_part(const struct move *move)
{
    const double groups =
        floor((move->begun + 1.0) * move->at_once) - floor(move->begun * move->at_once);
    return move->site.comm != MPI_COMM_NULL && move->subcommunicator->number < fmax(1.0, groups);
}

void move_run(struct move *move, const struct buffers *buffers, long units)
{
    for (long i = 0; i < units; i++) {
        if (takes_part(move))
            run_once(move, buffers);
        move->begun += 1.0;
    }
}

/* ---- who takes part ---- */

/* The quickest of some runs, of which the first warm up. */
static double time_move(struct move *move, const struct buffers *buffers)
{
    double least_s = INFINITY;
    for (int i = 0; i < 5; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double start_s = clock_s();
        move_run(move, buffers, 1);
        double run_s = clock_s() - start_s;
        MPI_Allreduce(MPI_IN_PLACE, &run_s, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        least_s = fmin(least_s, run_s);
    }
    move->begun = 0.0;
    return least_s;
}

void move_choose_subcommunicator(struct move *move, const struct buffers *buffers)
{
    const struct subcommunicator *narrow = move->subcommunicator;
    if (!move->wider)
        return;
    const double narrow_s = time_move(move, buffers);
    move_end(move);
    join(move, move->wider);
    move_begin(move, buffers);
    if (time_move(move, buffers) < narrow_s)
        return;
    move_end(move);
    join(move, narrow);
    move_begin(move, buffers);
}

/* ---- looking ---- */

bool move_check(struct move *move, const struct buffers *buffers)
{
    if (!move->delivery || !takes_part(move))
        return true;
    memset(buffers->receive, 0, buffers->bytes);
    move->delivery->fill(&move->site);
    if (move->strided) {
        const double *marked = (const double *)(void *)buffers->send;
        for (size_t i = 0; i < doubles_of(move); i++)
            buffers->field[i * STRIDE] = marked[i];
        memset(buffers->send, 0, doubles_of(move) * ELEMENT);
        memset(buffers->landing, 0, buffers->field_doubles * ELEMENT);
    }
    const int root = root_of(move);
    run_once(move, buffers);
    if (move->strided) {
        double *landed = (double *)(void *)buffers->receive;
        for (size_t i = 0; i < doubles_of(move); i++)
            landed[i] = buffers->landing[i * STRIDE];
    }
    return move->delivery->right(&move->site, root);
}
