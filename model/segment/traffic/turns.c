#include "model/segment/traffic/turns.h"

#include "model/base/allocation.h"
#include "model/base/keyed.h"
#include "model/segment/traffic/alike.h"
#include "model/segment/traffic/enumerate.h"
#include "model/segment/traffic/recall.h"
#include "model/segment/traffic/shift.h"
#include "model/segment/traffic/stretch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Turns that are derived sooner than anybody is asked whether they are enough. */
enum { TURNS_FEW = 128 };

struct run {
    const struct message *message;
    const struct layout *layout;
    const struct array_layout *lies, *home_lies;
    const struct program *program;
    const struct segment *segment;
    const struct turn_taker *taker;
    bool matters[LOOPS_MOST], carries[LOOPS_MOST];
    bool enumerated;
    bool is_each_other; /* no turn is like another: not looked for */
    bool is_even;       /* and bounds follow the loop evenly: turns go in stretches */
    double last;        /* of its values */
    double further;     /* turns that the present one told of, too */
    double turns, times;
    bool is_together; /* times are of iterations that go on together */
    double asks_at;   /* so many turns whether they are enough */
    struct recall recall;
    struct alike alike;
    struct alike_turns *now; /* that the turn belongs to, NULL: to none */
    struct error *error;
};

static const struct nest *nest_of(const struct run *run)
{
    return &run->message->reader->nest;
}

/* ---- which of the loops outside make a difference ---- */

static bool is_in(const struct reference *reference, int loop)
{
    for (int d = 0; reference && d < reference->dimensions; d++)
        if (reference->subscripts[d].by[loop] != 0.0)
            return true;
    return false;
}

/* A loop matters where the references name it, or the bounds of another loop do. */
static void find_what_matters(struct run *run)
{
    const struct nest *nest = nest_of(run);
    for (int l = 0; l < nest->depth; l++) {
        run->matters[l] =
            is_in(run->message->home, l) || is_in(run->message->reads.references[0], l);
        for (int inner = l + 1; inner < nest->depth; inner++)
            run->matters[l] |= nest->outer[inner][l];
        for (int outer = 0; outer < l; outer++)
            run->matters[l] |= nest->outer[l][outer];
    }
}

static bool is_triangular(const struct nest *nest, const struct turn *turn)
{
    for (int l = 0; l < nest->depth; l++)
        if (!turn->fixed[l] && nest_is_triangular(nest, l, turn->fixed))
            return true;
    return false;
}

/* The ranges of the loops without a value, where no bounds couple them. */
static int find_ranges(const struct run *run, struct turn *turn)
{
    for (int l = 0; l < nest_of(run)->depth; l++)
        if (!turn->fixed[l] &&
            nest_range(nest_of(run), l, turn->at, &turn->ranges[l], run->error) != 0)
            return -1;
    return 0;
}

/* ---- one turn ---- */

static int take(const struct run *run, const struct traffic *traffic, const struct reads *reads,
                int grid_dimension)
{
    if (traffic->class == TRAFFIC_LOCAL)
        return 0;
    if (run->now) {
        alike_add(run->now, traffic, reads, grid_dimension);
        return 0;
    }
    return run->taker->take(run->taker->taker, traffic, reads, grid_dimension, run->times,
                            run->error);
}

static int outside(const struct run *run)
{
    const struct formula *text = run->message->reads.references[0]->text;
    return error_at(run->error, program_place(run->program, text->place),
                    "'%.60s' leaves its array", text->text);
}

static int too_many_turns(const struct run *run)
{
    const struct formula *text = run->message->reads.references[0]->text;
    return error_particular_at(
        run->error, program_place(run->program, text->place),
        "'%.60s' is sent too often, each time otherwise, or in too many pieces: write "
        "its communication as a call",
        text->text);
}

static int enumerate(struct run *run, const struct turn *turn, struct traffic *traffic)
{
    if (message_goes_around(run->message))
        return message_goes_too_far(run->message, run->error);
    if (!effort_take(run->program->effort, run->layout->processors))
        return too_many_turns(run);
    run->enumerated = true;
    return enumerate_traffic(traffic, &run->message->reads, run->message->home, nest_of(run), turn,
                             run->lies, run->layout, run->error);
}

static int take_shift(const struct run *run, const struct shift *shift)
{
    for (size_t i = 0; i < shift->count; i++)
        if (take(run, &shift->phases[i].traffic, &shift->phases[i].reads,
                 shift->phases[i].grid_dimension) != 0)
            return -1;
    return 0;
}

static void take_stretch(struct run *run, const struct turn *turn, const struct sole_source *source,
                         struct traffic *traffic)
{
    struct sole_source last;
    *traffic = traffic_of_source(source, run->message->reads.array, run->lies);
    const struct stretch stretch = {run->message, run->layout, run->lies, run->last};
    run->further = run->is_even ? stretch_find(&stretch, turn, source, &last) : 0.0;
    if (run->further == 0.0)
        return;
    const struct traffic end = traffic_of_source(&last, run->message->reads.array, run->lies);
    traffic->further = run->further;
    traffic->elements_step = (end.elements - traffic->elements) / run->further;
}

/* What is read where it lies is not sent: in strides it has other elements than what is, and the
   union would have all rows of the one with all columns of the other. False where nothing is sent.
 */
static bool need_elsewhere_alone(const struct run *run, const struct home *home,
                                 const struct turn *turn, struct needs *needs)
{
    const struct reads elsewhere = message_reads_elsewhere(run->message, run->layout, run->program);
    if (elsewhere.count == run->message->reads.count)
        return true;
    needs_free(needs);
    return elsewhere.count > 0 &&
           needs_make(needs, &elsewhere, home, run->lies, turn) == NEEDS_MADE;
}

/* The factorised derivation where it holds, else the enumeration. *done: all was taken. */
static int derive(struct run *run, struct turn *turn, struct traffic *traffic, bool *done)
{
    const struct message *message = run->message;
    struct home home;
    struct needs needs;
    struct shift shift;
    struct sole_source source;
    *done = false;
    if (is_triangular(nest_of(run), turn) ||
        !home_of(&home, message->home, run->layout, run->program, turn->fixed, turn->at))
        return enumerate(run, turn, traffic);
    if (find_ranges(run, turn) != 0)
        return -1;
    if (sole_source_find(&source, &message->reads, &home, run->lies, turn)) {
        take_stretch(run, turn, &source, traffic);
        return 0;
    }
    const enum needs_status status = needs_make(&needs, &message->reads, &home, run->lies, turn);
    if (!effort_take(run->program->effort, needs_processors(&needs))) {
        needs_free(&needs);
        return too_many_turns(run);
    }
    if (status == NEEDS_OUTSIDE)
        return outside(run);
    if (status == NEEDS_COUPLED)
        return enumerate(run, turn, traffic);
    if (run->taker &&
        (run->segment->corners == CORNERS_DIRECT ? corners_derive : shift_derive)(
            &shift, &message->reads, &home, run->lies, turn, run->segment->to_itself)) {
        needs_free(&needs);
        *done = true;
        return take_shift(run, &shift);
    }
    if (!need_elsewhere_alone(run, &home, turn, &needs))
        return 0;
    if (message->depth > 0 && run->taker) {
        *traffic = recall_traffic(&run->recall, &needs, message->reads.array, run->lies);
        return 0;
    }
    *traffic = traffic_of(&needs, message->reads.array, run->lies);
    needs_free(&needs);
    return 0;
}

/* Hands over what was moved by all turns that are known, and forgets them. */
static int settle(struct run *run)
{
    const int status = alike_hand_over(&run->alike, run->taker, run->error);
    alike_free(&run->alike);
    return status;
}

/* Asked when there are twice as many turns as before: together that takes no longer than the turns
   themselves. */
static bool is_enough(struct run *run)
{
    const struct turn_taker *taker = run->taker;
    if (run->turns < run->asks_at || !taker->is_enough)
        return false;
    run->asks_at = 2.0 * run->turns;
    return taker->is_enough(taker->taker, alike_hand_over, &run->alike);
}

static int derive_turn(struct run *run, struct turn *turn)
{
    struct traffic traffic = {0};
    bool done;
    if (derive(run, turn, &traffic, &done) != 0)
        return -1;
    return done ? 0 : take(run, &traffic, &run->message->reads, -1);
}

static int take_turn(struct run *run, struct turn *turn)
{
    const struct message *message = run->message;
    struct turn_key key;
    bool known;
    if (++run->turns > TURNS_MOST || !effort_take(run->program->effort, 1.0))
        return too_many_turns(run);
    if (is_enough(run))
        return error_set(run->error, "enough is known");
    run->now = NULL;
    if (message->depth == 0 || run->is_each_other)
        return derive_turn(run, turn);
    if (turn_key_make(&key, &message->reads, message->home, run->home_lies, run->lies, nest_of(run),
                      turn, run->matters, run->error) != 0)
        return -1;
    if (key.count > TURN_KEY_MOST)
        return derive_turn(run, turn);
    if (run->alike.keys.count == ALIKE_MOST && settle(run) != 0)
        return -1;
    run->now = alike_find(&run->alike, &key, &known);
    run->now->times += run->times;
    return known ? 0 : derive_turn(run, turn);
}

/* ---- all turns ---- */

/* ---- iterations of a chain that go on together ---- */

/* Where along the grid a loop alone leads in a reference; NULL: nowhere, or that is not all. */
static const struct affine *subscript_along(const struct reference *reference,
                                            const struct array_layout *lies, int loop,
                                            const struct distribution **along)
{
    const struct affine *found = NULL;
    for (int d = 0; reference && d < reference->dimensions; d++) {
        const struct affine *subscript = &reference->subscripts[d];
        if (lies->along[d].grid_dimension < 0 || subscript->by[loop] == 0.0)
            continue;
        if (found || affine_loop(subscript, 0) != loop || affine_loop(subscript, loop + 1) >= 0)
            return NULL;
        found = subscript;
        *along = &lies->along[d];
    }
    return found;
}

static double owner_at(const struct affine *subscript, const struct distribution *along, int loop,
                       double value)
{
    return distribution_owner(along,
                              subscript->constant + along->offset + subscript->by[loop] * value);
}

/* Of the messages of all iterations those that a processor sends or receives one after the other,
   where so many iterations as the chain is apart go on together. */
static double share_in_turn(const struct run *run, int loop, struct range range)
{
    const struct message *message = run->message;
    const struct distribution *to = NULL, *from = NULL;
    const struct affine *home = subscript_along(message->home, run->home_lies, loop, &to);
    const struct affine *read =
        subscript_along(message->reads.references[0], run->lies, loop, &from);
    if (!home || !read || to->grid_dimension != from->grid_dimension)
        return 1.0;
    const size_t processors = (size_t)to->processors;
    /* After so many all is the same again. */
    const double period =
        message->apart * to->block * to->processors * from->block * from->processors;
    if (range_count(range) > 16.0 * period)
        range.last = range.first + 16.0 * period - 1.0;
    double *in = memory_new(processors, sizeof *in), *out = memory_new(processors, sizeof *out);
    double all = 0.0, in_turn = 0.0, most = 0.0;
    for (double value = range.first; value <= range.last; value += 1.0) {
        const double receiver = owner_at(home, to, loop, value);
        const double sender = owner_at(read, from, loop, value);
        if (receiver != sender) {
            all++;
            most = fmax(most, fmax(++in[(size_t)receiver], ++out[(size_t)sender]));
        }
        if (value < range.last && fmod(value - range.first + 1.0, message->apart) != 0.0)
            continue;
        in_turn += most;
        most = 0.0;
        memset(in, 0, processors * sizeof *in);
        memset(out, 0, processors * sizeof *out);
    }
    free(in);
    free(out);
    return all > 0.0 ? in_turn / all : 1.0;
}

static int take_loop(struct run *run, int l, struct turn *turn);

static int take_values(struct run *run, int l, struct turn *turn, struct range range)
{
    turn->fixed[l] = true;
    run->last = range.last;
    for (turn->at[l] = range.first; turn->at[l] <= range.last; turn->at[l] += 1.0 + run->further) {
        run->further = 0.0;
        if (take_loop(run, l + 1, turn) != 0)
            return -1;
    }
    run->further = 0.0;
    turn->fixed[l] = false;
    return 0;
}

/* The dimension of the data along the grid whose subscript is of the loop alone; -1: none. */
static int dimension_along(const struct run *run, int loop)
{
    const struct reference *read = run->message->reads.references[0];
    for (int d = 0; d < read->dimensions; d++)
        if (run->lies->along[d].grid_dimension >= 0 && read->subscripts[d].by[loop] != 0.0 &&
            affine_loop(&read->subscripts[d], loop + 1) < 0 &&
            affine_loop(&read->subscripts[d], 0) == loop)
            return d;
    return -1;
}

static bool bounds_depend_on(const struct nest *nest, int loop)
{
    for (int l = loop + 1; l < nest->depth; l++)
        if (nest->outer[l][loop])
            return true;
    return false;
}

/* Whether the range of some loop further in is another one for each value of the loop. */
static bool changes_ranges(const struct nest *nest, int loop)
{
    for (int l = loop + 1; l < nest->depth; l++)
        if (nest->outer[l][loop] && nest->first[l].is_affine && nest->last[l].is_affine)
            return true;
    return false;
}

static bool are_bounds_affine(const struct nest *nest)
{
    bool affine = true;
    for (int l = 0; l < nest->depth; l++)
        affine &= nest->first[l].is_affine && nest->last[l].is_affine;
    return affine;
}

/* One value for all that have the same owners. */
static int take_owners(struct run *run, int l, struct turn *turn, struct range range)
{
    struct keyed classes = {0};
    double *firsts = NULL, owners;
    const double before = run->times;
    int status = 0;
    for (double value = range.first; value <= range.last && status == 0; value++) {
        if (classes.count == KEYED_MOST || !effort_take(run->program->effort, 1.0))
            status = too_many_turns(run);
        else if (turn_owners(&run->message->reads, run->message->home, run->home_lies, run->lies, l,
                             value, &owners) &&
                 keyed_add(&classes, (uint64_t)owners, 1.0)) {
            firsts = memory_grow(firsts, classes.count, sizeof *firsts);
            firsts[classes.count - 1] = value;
        }
    }
    for (size_t i = 0; i < classes.count && status == 0; i++) {
        run->times = before * classes.sums[i].sum;
        status = take_values(run, l, turn, (struct range){firsts[i], firsts[i]});
    }
    run->times = before;
    keyed_free(&classes);
    free(firsts);
    return status;
}

static int take_ordinals(struct run *run, int l, struct turn *turn, struct range range,
                         int dimension)
{
    const struct affine *subscript = &run->message->reads.references[0]->subscripts[dimension];
    const struct line line = {.range = range,
                              .coefficient = subscript->by[l],
                              .count = 1,
                              .constants = {subscript->constant},
                              .effort = run->program->effort};
    const double ordinals = coupling_ordinals(&line, &run->lies->along[dimension]);
    turn->ordinal[l] = true;
    for (turn->at[l] = 0.0; turn->at[l] < ordinals; turn->at[l] += 1.0)
        if (take_loop(run, l + 1, turn) != 0)
            return -1;
    turn->ordinal[l] = false;
    return 0;
}

static int take_loop(struct run *run, int l, struct turn *turn)
{
    struct range range;
    if (l == run->message->depth)
        return take_turn(run, turn);
    if (nest_range(nest_of(run), l, turn->at, &range, run->error) != 0)
        return -1;
    if (l == run->message->depth - 1 && run->message->apart > 1.0 && !run->is_together) {
        const double before = run->times;
        run->times *= share_in_turn(run, l, range);
        run->is_together = true;
        const int status = take_loop(run, l, turn);
        run->is_together = false;
        run->times = before;
        return status;
    }
    if (!run->matters[l]) {
        const double before = run->times;
        run->times *= range_count(range);
        const int status = run->times > 0.0
                               ? take_values(run, l, turn, (struct range){range.first, range.first})
                               : 0;
        run->times = before;
        return status;
    }
    const int dimension = dimension_along(run, l);
    double owners;
    if (!bounds_depend_on(nest_of(run), l) && (run->carries[l] || dimension < 0) &&
        turn_owners(&run->message->reads, run->message->home, run->home_lies, run->lies, l,
                    range.first, &owners))
        return take_owners(run, l, turn, range);
    if (run->carries[l] || dimension < 0 || bounds_depend_on(nest_of(run), l))
        return take_values(run, l, turn, range);
    return take_ordinals(run, l, turn, range, dimension);
}

int turns_take(const struct message *message, const struct layout *layout,
               const struct segment *segment, const struct turn_taker *taker, bool *enumerated,
               struct error *error)
{
    const struct program *program = message->reader->nest.program;
    struct run run = {.message = message,
                      .layout = layout,
                      .lies = message->lies,
                      .program = program,
                      .segment = segment,
                      .home_lies =
                          message->home ? layout_of(layout, program, message->home->array) : NULL,
                      .taker = taker,
                      .times = 1.0,
                      .asks_at = TURNS_FEW,
                      .error = error};
    struct turn turn = {.depth = message->reader->nest.depth, .effort = program->effort};
    find_what_matters(&run);
    for (int l = 0; l < message->depth; l++)
        run.carries[l] = message->reader->carries[l] && !message_goes_on(message, l);
    run.is_each_other = message->depth == 1 && changes_ranges(nest_of(&run), 0);
    run.is_even = run.is_each_other && are_bounds_affine(nest_of(&run));
    int status = take_loop(&run, 0, &turn);
    if (status == 0)
        status = settle(&run);
    alike_free(&run.alike);
    recall_free(&run.recall);
    *enumerated = run.enumerated;
    return status;
}

/* Every iteration of a loop that the references do not name sends everything again. */
static int fix_the_rest(struct run *run, struct turn *turn, double *again)
{
    for (int l = 0; l < turn->depth; l++) {
        struct range range;
        if (run->matters[l])
            continue;
        if (nest_range(nest_of(run), l, turn->at, &range, run->error) != 0)
            return -1;
        *again *= range_count(range);
        turn->fixed[l] = true;
        turn->at[l] = range.first;
    }
    return 0;
}

int turns_single(const struct message *message, const struct layout *layout,
                 struct traffic *traffic, bool *enumerated, struct error *error)
{
    const struct program *program = message->reader->nest.program;
    struct run run = {.message = message,
                      .layout = layout,
                      .lies = message->lies,
                      .program = program,
                      .error = error};
    struct turn turn = {.depth = message->reader->nest.depth, .effort = program->effort};
    struct traffic all = {0};
    double again = 1.0;
    bool done;
    find_what_matters(&run);
    *traffic = (struct traffic){.class = TRAFFIC_MESSAGES, .elements = 1.0, .group = 2.0};
    *enumerated = false;
    if (fix_the_rest(&run, &turn, &again) != 0 || again == 0.0)
        return again == 0.0 ? 0 : -1;
    if (derive(&run, &turn, &all, &done) != 0)
        return -1;
    traffic->partners = again * all.single;
    traffic->at_once = all.single_at_once;
    *enumerated = run.enumerated;
    return 0;
}
