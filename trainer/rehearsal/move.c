#include "trainer/rehearsal/move.h"

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
        return "many-to-many-packed";
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
    if (utility->far)
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

static void join(struct move *move, const struct company *company)
{
    move->company = company;
    move->site = (struct site){.comm = company->comm,
                               .mirrored = company->mirrored,
                               .rank = company->rank,
                               .processors = company->size,
                               .bytes = move->site.bytes,
                               .part_bytes = INT_MAX,
                               .uses_per_run = move->utility->uses_per_run};
}

const char *move_make(struct move *move, struct companies *companies, const struct demand *demand,
                      const struct use *use)
{
    const int number = utilities_named(wanted(demand, use));
    if (number < 0)
        return "the trainer has no utility of that name";
    const struct utility *utility = utilities[number];
    const char *wrong = check_use(utility, use, companies->processors);
    if (wrong)
        return wrong;
    *move = (struct move){.utility = utility,
                          .delivery = delivery_of(utility->name),
                          .times = use->times,
                          .at_once = fmax(1.0, use->at_once)};
    move->company = companies_take(companies, utility->pair ? 2 : (int)use->processors);
    move->strided = !demand->utility && use->pieces != PIECES_ONE && move->delivery &&
                    move->delivery->scattered;
    const double bytes = bytes_for(utility, use);
    if (use->processors_most > use->processors && use->processors_most <= companies->processors)
        move->wider = companies_take(companies, (int)use->processors_most);
    move->site.bytes = (int)(move->strided ? ELEMENT * ceil(bytes / ELEMENT) : bytes);
    join(move, move->company);
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

bool luggage_new(struct luggage *luggage, double bytes, double field_doubles)
{
    *luggage = (struct luggage){0};
    if (bytes + ELEMENT * field_doubles > (double)(SIZE_MAX / 4))
        return false;
    luggage->bytes = (size_t)bytes;
    luggage->field_doubles = (size_t)field_doubles;
    luggage->send = pages(luggage->bytes);
    luggage->receive = pages(luggage->bytes);
    luggage->field = pages(luggage->field_doubles * ELEMENT);
    luggage->landing = pages(luggage->field_doubles * ELEMENT);
    if (luggage->send && luggage->receive && luggage->field && luggage->landing)
        return true;
    luggage_free(luggage);
    return false;
}

static void fill_ones(double *memory, size_t count)
{
    for (size_t i = 0; i < count; i++)
        memory[i] = 1.0;
}

void luggage_clear(struct luggage *luggage)
{
    fill_ones((double *)(void *)luggage->send, luggage->bytes / ELEMENT);
    fill_ones((double *)(void *)luggage->receive, luggage->bytes / ELEMENT);
    fill_ones(luggage->field, luggage->field_doubles);
}

void luggage_free(struct luggage *luggage)
{
    free(luggage->send);
    free(luggage->receive);
    free(luggage->field);
    free(luggage->landing);
    *luggage = (struct luggage){0};
}

/* ---- running ---- */

void move_begin(struct move *move, const struct luggage *luggage)
{
    move->site.send = luggage->send;
    move->site.receive = luggage->receive;
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

static void pack(const struct move *move, const struct luggage *luggage)
{
    double *to = (double *)(void *)luggage->send;
    for (size_t i = 0; i < doubles_of(move); i++)
        to[i] = luggage->field[i * STRIDE];
}

static void unpack(const struct move *move, const struct luggage *luggage)
{
    const double *from = (const double *)(void *)luggage->receive;
    for (size_t i = 0; i < doubles_of(move); i++)
        luggage->landing[i * STRIDE] = from[i];
}

static int root_of(const struct move *move)
{
    return (int)fmod(move->begun, move->site.processors);
}

static void run_once(struct move *move, const struct luggage *luggage)
{
    if (move->strided)
        pack(move, luggage);
    if (move->delivery && move->delivery->run)
        move->delivery->run(&move->site, root_of(move));
    else
        move->utility->run(&move->site, 1);
    if (move->strided)
        unpack(move, luggage);
}

/* Groups come and go so that, over the uses, as many as described are at it; the first one, which
   is the busiest, always. */
static bool takes_part(const struct move *move)
{
    const double groups =
        floor((move->begun + 1.0) * move->at_once) - floor(move->begun * move->at_once);
    return move->site.comm != MPI_COMM_NULL && move->company->number < fmax(1.0, groups);
}

void move_run(struct move *move, const struct luggage *luggage, long units)
{
    for (long i = 0; i < units; i++) {
        if (takes_part(move))
            run_once(move, luggage);
        move->begun += 1.0;
    }
}

/* ---- who takes part ---- */

/* The quickest of some runs, of which the first warm up. */
static double time_move(struct move *move, const struct luggage *luggage)
{
    double least_s = INFINITY;
    for (int i = 0; i < 5; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double start_s = MPI_Wtime();
        move_run(move, luggage, 1);
        double run_s = MPI_Wtime() - start_s;
        MPI_Allreduce(MPI_IN_PLACE, &run_s, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        least_s = fmin(least_s, run_s);
    }
    move->begun = 0.0;
    return least_s;
}

void move_choose_company(struct move *move, const struct luggage *luggage)
{
    const struct company *narrow = move->company;
    if (!move->wider)
        return;
    const double narrow_s = time_move(move, luggage);
    move_end(move);
    join(move, move->wider);
    move_begin(move, luggage);
    if (time_move(move, luggage) < narrow_s)
        return;
    move_end(move);
    join(move, narrow);
    move_begin(move, luggage);
}

/* ---- looking ---- */

bool move_check(struct move *move, const struct luggage *luggage)
{
    if (!move->delivery || !takes_part(move))
        return true;
    memset(luggage->receive, 0, luggage->bytes);
    move->delivery->fill(&move->site);
    if (move->strided) {
        const double *marked = (const double *)(void *)luggage->send;
        for (size_t i = 0; i < doubles_of(move); i++)
            luggage->field[i * STRIDE] = marked[i];
        memset(luggage->send, 0, doubles_of(move) * ELEMENT);
        memset(luggage->landing, 0, luggage->field_doubles * ELEMENT);
    }
    const int root = root_of(move);
    run_once(move, luggage);
    if (move->strided) {
        double *landed = (double *)(void *)luggage->receive;
        for (size_t i = 0; i < doubles_of(move); i++)
            landed[i] = luggage->landing[i * STRIDE];
    }
    return move->delivery->right(&move->site, root);
}
