#include "model/segment/traffic/pipeline.h"

#include "model/base/allocation.h"
#include "model/segment/loops/dependence.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is known of the loops about a message. */
struct search {
    const struct message *message;
    const struct list *instances;
    const struct layout *layout;
    const struct nest *nest;
    int carrier; /* the loop that carries the dependence */
    struct home home;
    struct turn turn;
    struct error *error;
};

/* ---- the two loops ---- */

static bool is_rectangular(const struct nest *nest)
{
    for (int l = 0; l < nest->depth; l++)
        if (nest_is_triangular(nest, l, NULL))
            return false;
    return true;
}

/* The dimension of the array that is read along a loop; -1: none. */
static int dimension_read_by(const struct message *message, int loop)
{
    const struct reference *read = message->reads.references[0];
    for (int d = 0; loop >= 0 && d < read->dimensions; d++)
        if (read->subscripts[d].by[loop] != 0.0)
            return d;
    return -1;
}

static bool may_cut(const struct search *it, int loop)
{
    return loop != it->carrier && !it->message->reader->crosses[loop][it->carrier];
}

/* Whether all that stands in a loop about the carrier stands in the carrier: what else there is may
   have messages of its own, for which processors wait for one another. */
static bool stands_alone(const struct search *it, int loop)
{
    const struct instance *all = it->instances->items;
    for (size_t i = 0; i < it->instances->count; i++) {
        const int common = nest_common(&all[i].nest, it->nest);
        if (common > loop && common <= it->carrier)
            return false;
    }
    return true;
}

/* The loop to cut, of those that no dependence forbids and that what is read lies along: the
   outermost that carries nothing; else the outermost that lies whole on each processor; else the
   outermost. Without such a one what is read is sent again in each iteration of the loops about
   the carrier, of which the outermost with nothing beside is cut; -1: none. */
static int find_strips(const struct search *it)
{
    int whole = -1, any = -1, again = -1;
    for (int l = it->nest->depth - 1; l >= 0; l--) {
        if (!may_cut(it, l))
            continue;
        if (dimension_read_by(it->message, l) < 0) {
            again = l < it->carrier && stands_alone(it, l) ? l : again;
            continue;
        }
        any = l;
        if (home_following(&it->home, l) < 0)
            whole = l;
    }
    for (int l = 0; l < it->nest->depth; l++)
        if (may_cut(it, l) && dimension_read_by(it->message, l) >= 0 &&
            !it->message->reader->carries[l])
            return l;
    return whole >= 0 ? whole : any >= 0 ? any : again;
}

/* The outermost loop of all that goes through at once: beyond carrier and strips those that carry
   along a grid dimension too, and are another side of the same wave. */
static int find_band(const struct search *it, int strips)
{
    int band = strips >= 0 && strips < it->carrier ? strips : it->carrier;
    while (band > 0 && home_following(&it->home, band - 1) >= 0 &&
           it->message->reader->carries[band - 1] &&
           !it->message->reader->crosses[band - 1][it->carrier])
        band--;
    return band;
}

static int read_strip(const struct search *it, struct pipeline *pipeline)
{
    return statement_strip(it->message->reader->statement, it->nest->program, it->nest->scope,
                           &pipeline->strip, it->error);
}

/* ---- counts ---- */

/* How many values of a loop the busiest coordinate has, all together, and how many have any. */
static void count_loop(const struct search *it, int loop, double *most, double *sum, double *active)
{
    const int g = home_following(&it->home, loop);
    *most = *sum = range_count(it->turn.ranges[loop]);
    *active = 1.0;
    if (g < 0)
        return;
    double *counts = memory_new((size_t)it->home.grid[g], sizeof *counts);
    home_counts(&it->home.axes[g], it->turn.ranges, it->home.grid[g], counts);
    *most = *active = 0.0;
    for (size_t q = 0; q < (size_t)it->home.grid[g]; q++) {
        *most = fmax(*most, counts[q]);
        *active += counts[q] > 0.0;
    }
    free(counts);
}

/* The outer loops stand at their first values, and count as runs. */
static void fix_outside(struct search *it, int band, struct pipeline *pipeline)
{
    pipeline->runs = 1.0;
    for (int l = 0; l < band; l++) {
        pipeline->runs *= range_count(it->turn.ranges[l]);
        it->turn.fixed[l] = true;
        it->turn.at[l] = it->turn.ranges[l].first;
    }
}

static void describe(struct pipeline *pipeline, const struct message *message)
{
    reads_print(&message->reads, pipeline->reads, sizeof pipeline->reads);
    snprintf(pipeline->along, sizeof pipeline->along, "%d", pipeline->grid_dimension);
    pipeline->place = message->reads.references[0]->text->place;
}

/* Whether what a loop's iterations read goes against the loop that carries the reads. */
static bool goes_against(const struct search *it, int grid_dimension)
{
    const struct home_axis *axis = &it->home.axes[grid_dimension];
    return axis->kind != AXIS_LOOP ||
           it->message->reader->crosses[axis->subscript.loop][it->carrier];
}

static struct strip_message strip_message(const struct search *it, const struct phase *phase,
                                          int strips, double bytes)
{
    const struct array *array = it->message->reads.array;
    const struct array_layout *lies = it->message->lies;
    const int d = dimension_read_by(it->message, strips);
    const enum pieces all = phase->traffic.pieces;
    struct strip_message message = {.bytes = bytes, .one = all, .some = all, .all = all};
    double elements[DIMENSIONS_MOST];
    if (d < 0)
        return message;
    memcpy(elements, phase->elements, sizeof elements);
    elements[d] = fmax(1.0, elements[d] - 1.0);
    message.some = pieces_of(array, lies, elements);
    elements[d] = 1.0;
    message.one = pieces_of(array, lies, elements);
    return message;
}

/* What travels along the pipeline's grid dimension and, where the reads are diagonal, along the
   strips; both for all values of the strips' loop. Along a third grid dimension diagonals travel
   with the faces. False where it is no pipeline: nothing travels along it, or something against
   it. */
static bool find_messages(const struct search *it, int strips, struct pipeline *pipeline)
{
    struct shift shift;
    struct strip_message along = {0};
    if (!shift_derive(&shift, &it->message->reads, &it->home, it->message->lies, &it->turn, false))
        return false;
    for (size_t i = 0; i < shift.count; i++) {
        const int g = shift.phases[i].grid_dimension;
        const double bytes =
            shift.phases[i].traffic.elements * it->message->reads.array->element_bytes;
        if (g == pipeline->grid_dimension)
            along = strip_message(it, &shift.phases[i], strips, bytes);
        else if (goes_against(it, g))
            return false;
        else if (strips >= 0 && home_following(&it->home, strips) == g) {
            pipeline->across_bytes = bytes;
            pipeline->across_pieces = shift.phases[i].traffic.pieces;
        }
    }
    pipeline->messages[0] = along;
    return along.bytes > 0.0;
}

/* How many processors have a pipeline of their own: those at work along the other grid dimensions.
 */
static double lines_of(const struct search *it, const struct pipeline *pipeline)
{
    double lines = 1.0;
    for (int g = 0; g < it->home.grid_dimensions; g++) {
        const struct home_axis *axis = &it->home.axes[g];
        double most, sum, active;
        if (g == pipeline->grid_dimension || axis->kind == AXIS_ONE)
            continue;
        if (axis->kind == AXIS_LOOP)
            count_loop(it, axis->subscript.loop, &most, &sum, &active);
        else
            active = it->home.grid[g];
        lines *= active;
    }
    return lines;
}

/* Whether a statement runs along the grid dimension as the carrying loop goes. */
static bool follows(const struct search *it, const struct instance *writer, int grid_dimension)
{
    const bool fixed[LOOPS_MOST] = {false};
    const double zero[LOOPS_MOST] = {0.0};
    struct home home;
    return writer->has_home &&
           home_of(&home, &writer->home, it->layout, it->nest->program, fixed, zero) &&
           home_following(&home, it->carrier) == grid_dimension;
}

/* Whether all that writes what later iterations of the carrying loop read follows it: otherwise a
   processor cannot do its part before the next begins. Most follow, which is found sooner than what
   they write. */
static bool writers_follow(const struct search *it, int grid_dimension)
{
    const struct instance *writers = it->instances->items;
    for (size_t w = 0; w < it->instances->count; w++) {
        if (nest_common(&writers[w].nest, it->nest) <= it->carrier ||
            follows(it, &writers[w], grid_dimension))
            continue;
        for (size_t k = 0; k < it->message->reads.count; k++)
            if (dependence_carried(&writers[w], it->message->reader,
                                   it->message->reads.references[k], it->carrier))
                return false;
    }
    return true;
}

/* ---- the whole ---- */

static bool begin(struct search *it)
{
    const bool fixed[LOOPS_MOST] = {false};
    const double zero[LOOPS_MOST] = {0.0};
    it->nest = &it->message->reader->nest;
    it->carrier = it->message->depth - 1;
    it->turn = (struct turn){.depth = it->nest->depth};
    return it->message->apart > 0.0 && it->message->home && is_rectangular(it->nest) &&
           home_of(&it->home, it->message->home, it->layout, it->nest->program, fixed, zero);
}

static int fill(struct search *it, struct pipeline *pipeline, bool *found)
{
    double most, sum, active;
    const int strips = find_strips(it);
    const int band = find_band(it, strips);
    fix_outside(it, band, pipeline);
    *found = find_messages(it, strips, pipeline);
    if (!*found)
        return 0;
    pipeline->band = it->nest->loops[band];
    pipeline->carrier = it->nest->loops[it->carrier];
    pipeline->lines = lines_of(it, pipeline);
    pipeline->apart = shift_line(&it->home, pipeline->grid_dimension).stride;
    count_loop(it, it->carrier, &most, &sum, &pipeline->active);
    pipeline->fill = pipeline->active - 1.0;
    pipeline->chain = most > 0.0 ? sum / most : 1.0;
    pipeline->outer = pipeline->across = 1.0;
    pipeline->message_count = 1;
    pipeline->messages[0].apart = pipeline->apart;
    pipeline->messages[0].side = pipeline->active;
    if (strips >= 0) {
        pipeline->strips = it->nest->loops[strips];
        count_loop(it, strips, &pipeline->outer, &sum, &active);
        if (dimension_read_by(it->message, strips) >= 0)
            pipeline->messages[0].bytes /= fmax(1.0, pipeline->outer);
        pipeline->across = pipeline->across_bytes > 0.0 ? active : 1.0;
        pipeline->lines /= pipeline->across;
    }
    describe(pipeline, it->message);
    return read_strip(it, pipeline);
}

int pipeline_find(struct pipeline *pipeline, bool *found, const struct message *message,
                  const struct list *instances, const struct layout *layout, struct error *error)
{
    struct search it = {
        .message = message, .instances = instances, .layout = layout, .error = error};
    const double zero[LOOPS_MOST] = {0.0};
    *pipeline = (struct pipeline){0};
    *found = false;
    if (!begin(&it))
        return 0;
    pipeline->grid_dimension = home_following(&it.home, it.carrier);
    if (pipeline->grid_dimension < 0 ||
        !distribution_is_contiguous(&it.home.axes[pipeline->grid_dimension].along) ||
        !writers_follow(&it, pipeline->grid_dimension))
        return 0;
    for (int l = 0; l < it.nest->depth; l++)
        if (nest_range(it.nest, l, zero, &it.turn.ranges[l], error) != 0)
            return -1;
    return fill(&it, pipeline, found);
}

static void append(char *text, size_t size, const char *between, const char *more)
{
    const size_t length = strlen(text);
    snprintf(&text[length], size - length, "%s%s", between, more);
}

static void describe_both(struct pipeline *pipeline, const struct pipeline *other)
{
    append(pipeline->along, sizeof pipeline->along, " and ", other->along);
}

static bool add_message(struct pipeline *pipeline, const struct pipeline *other)
{
    if (pipeline->message_count == PIPELINE_MESSAGES)
        return false;
    pipeline->messages[pipeline->message_count++] = other->messages[0];
    append(pipeline->reads, sizeof pipeline->reads, ", ", other->reads);
    return true;
}

/* The same strips travel along both grid dimensions: the wave begins in a corner. */
static bool join_diagonal(struct pipeline *pipeline, const struct pipeline *other)
{
    if (!add_message(pipeline, other))
        return false;
    describe_both(pipeline, other);
    pipeline->active += other->active - 1.0;
    pipeline->fill += other->fill;
    pipeline->chain += other->chain - 1.0;
    pipeline->lines /= other->active;
    return true;
}

/* The other's travel is along this one's strips. */
static bool join_across(struct pipeline *pipeline, const struct pipeline *other)
{
    if (other->carrier != pipeline->strips || other->across > 1.0)
        return false;
    describe_both(pipeline, other);
    if (pipeline->across == 1.0)
        pipeline->lines /= other->active;
    pipeline->across = other->active;
    if (pipeline->across_bytes < other->messages[0].bytes * other->outer) {
        pipeline->across_bytes = other->messages[0].bytes * other->outer;
        pipeline->across_pieces = other->messages[0].all;
    }
    return true;
}

bool pipeline_join(struct pipeline *pipeline, const struct pipeline *other)
{
    if (pipeline->band != other->band)
        return false;
    if (pipeline->strips != other->strips)
        return pipeline->grid_dimension != other->grid_dimension && join_across(pipeline, other);
    return pipeline->grid_dimension == other->grid_dimension ? add_message(pipeline, other)
                                                             : join_diagonal(pipeline, other);
}

int pipelines_fill(struct list *pipelines, const struct segment *segment,
                   const struct program *program, struct scope *scope, double repeat,
                   struct error *error)
{
    struct pipeline *all = pipelines->items;
    double drain;
    if (!segment->drain.text || pipelines->count == 0)
        return 0;
    if (program_value(program, &segment->drain, false, scope, &drain, error) != 0)
        return -1;
    if (!(drain >= 0.0 && drain <= COUNT_MOST)) {
        error_fill(error, program_place(program, segment->drain.place),
                   "'%.60s' is %g: expected at least 0", segment->drain.text, drain);
        return program_wrong_value(program, &segment->drain, error);
    }
    for (size_t i = 0; i < pipelines->count; i++) {
        const double runs = fmax(1.0, all[i].runs * repeat);
        all[i].fill = (all[i].fill + (runs - 1.0) * fmin(drain, all[i].fill)) / runs;
    }
    return 0;
}

enum pieces pipeline_pieces(const struct pipeline *pipeline, const struct strip_message *message,
                            double width)
{
    return width >= pipeline->outer ? message->all : width > 1.0 ? message->some : message->one;
}

char *pipeline_print(const struct pipeline *pipeline, char *text, size_t size)
{
    snprintf(text, size, "%s pipelined along grid dimension %s", pipeline->reads, pipeline->along);
    return text;
}
