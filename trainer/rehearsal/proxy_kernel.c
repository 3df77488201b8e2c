#include "trainer/rehearsal/proxy_kernel.h"

#include "model/base/allocation.h"
#include "model/base/number.h"
#include "model/segment/memory/local.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

_Static_assert((int)WALK_STEPS >= (int)LOOPS_MOST, "a walk has all loops");
_Static_assert((int)WALK_READS >= (int)READS_MOST, "a walk has all reads");

/* Constants of subscripts that are smaller say which neighbours are meant. */
enum { NEAR = 64 };

/* What the references together make of an array on one processor. */
struct room {
    bool touched;
    double extent[DIMENSIONS_MOST]; /* elements along each dimension */
    double least, most;             /* offsets, in elements */
};

struct making {
    const struct program *program;
    const struct layout *layout;
    struct proxy_kernels *result;
    struct room *rooms; /* by number of the array; owned */
};

static size_t number_of(const struct making *it, const struct array *array)
{
    return (size_t)(array - (const struct array *)it->program->arrays.items);
}

/* ---- loops ---- */

/* Which loop comes at a depth: as described, but the one that a pipeline cuts into strips the
   innermost, as programs have it within a strip. No dependence forbids it, or it would not be cut
   (pipeline.c). */
static void order_loops(struct proxy_kernel *proxy_kernel, const struct instance *instance,
                        const struct analysis *analysis)
{
    const struct pipeline *pipelines = analysis->pipelines.items;
    const struct loop *strips =
        proxy_kernel->pipeline >= 0 ? pipelines[proxy_kernel->pipeline].strips : NULL;
    const int depth = instance->nest.depth;
    int at = 0, last = -1;
    for (int l = 0; l < depth; l++)
        if (strips && instance->nest.loops[l] == strips)
            last = l;
        else
            proxy_kernel->loops[at++] = l;
    if (last >= 0)
        proxy_kernel->loops[at] = last;
    proxy_kernel->strips_inside = last >= 0;
}

/* Each loop as often as a processor runs it at most; the rows so that iterations are those of the
   busiest processor, also where bounds depend on one another. */
static int set_loops(const struct making *it, struct proxy_kernel *proxy_kernel,
                     const struct instance *instance, double iterations, struct error *error)
{
    struct walk *walk = &proxy_kernel->walk;
    double all[LOOPS_MOST], trips[LOOPS_MOST];
    const struct nest *nest = &instance->nest;
    if (loops_trips(instance, it->program, it->layout, all, trips, error) != 0)
        return -1;
    for (int l = 0; l < nest->depth; l++)
        walk->trips[l] = trips[proxy_kernel->loops[l]];
    walk->depth = nest->depth > 0 ? nest->depth : 1;
    if (nest->depth == 0)
        walk->trips[0] = 1.0;
    walk->length = (long)fmin(fmax(1.0, walk->trips[walk->depth - 1]), fmax(1.0, iterations));
    walk->rows = iterations / (double)walk->length;
    return 0;
}

/* ---- arrays ---- */

/* One processor's part of the array, or more where the loops reach beyond it: what comes from
   others lies in the same room. */
static void widen(const struct making *it, const struct proxy_kernel *proxy_kernel,
                  const struct reference *reference)
{
    const struct walk *walk = &proxy_kernel->walk;
    struct room *room = &it->rooms[number_of(it, reference->array)];
    const struct array_layout *lies = layout_of(it->layout, it->program, reference->array);
    room->touched = true;
    for (int d = 0; d < reference->dimensions; d++) {
        const struct distribution *along = &lies->along[d];
        const double own = along->grid_dimension < 0
                               ? lies->extent[d]
                               : distribution_count(along, 0.0, 0.0, along->elements - 1.0);
        double reach = 1.0;
        for (int l = 0; l < walk->depth; l++)
            reach += fabs(reference->subscripts[d].by[proxy_kernel->loops[l]]) *
                     fmax(0.0, walk->trips[l] - 1.0);
        room->extent[d] = fmax(room->extent[d], fmax(own, fmin(reach, lies->extent[d])));
    }
}

static bool is_fortran(const struct array *array)
{
    return array->order == ORDER_FORTRAN;
}

/* Elements from one to the next along a dimension. */
static double stride_of(const struct room *room, const struct reference *reference, int dimension)
{
    double stride = 1.0;
    const bool fortran = is_fortran(reference->array);
    for (int d = 0; d < reference->dimensions; d++)
        if (fortran ? d < dimension : d > dimension)
            stride *= room->extent[d];
    return stride;
}

/* A place far off, such as the last row, lies somewhere else on one processor: its distance says
   nothing there. */
static double constant_of(const struct room *room, const struct reference *reference, int d)
{
    const double constant = reference->subscripts[d].constant;
    return fabs(constant) < fmin(room->extent[d], NEAR) ? constant : 0.0;
}

/* In elements, still without the array. */
static void place(const struct making *it, const struct proxy_kernel *proxy_kernel,
                  struct walked *walked, const struct reference *reference)
{
    const struct walk *walk = &proxy_kernel->walk;
    struct room *room = &it->rooms[number_of(it, reference->array)];
    double offset = 0.0, step[LOOPS_MOST] = {0.0}, least, most;
    for (int d = 0; d < reference->dimensions; d++) {
        const double stride = stride_of(room, reference, d);
        offset += constant_of(room, reference, d) * stride;
        for (int l = 0; l < walk->depth; l++)
            step[l] += reference->subscripts[d].by[proxy_kernel->loops[l]] * stride;
    }
    least = most = offset;
    for (int l = 0; l < walk->depth; l++) {
        const double reach = step[l] * fmax(0.0, walk->trips[l] - 1.0);
        *(reach < 0.0 ? &least : &most) += reach;
        walked->step[l] = (long)step[l];
    }
    walked->offset = (long)offset;
    room->least = fmin(room->least, least);
    room->most = fmax(room->most, most);
}

static double doubles_each(const struct array *array)
{
    return fmax(1.0, ceil(array->element_bytes / (double)sizeof(double)));
}

static double doubles_of(const struct room *room, const struct array *array)
{
    double elements = 1.0;
    for (size_t d = 0; d < array->extent.count; d++)
        elements *= room->extent[d];
    return doubles_each(array) * fmax(elements, room->most - room->least + 1.0);
}

static int make_arrays(const struct making *it, double bytes_most, struct error *error)
{
    const struct array *arrays = it->program->arrays.items;
    double bytes = 0.0;
    for (size_t i = 0; i < it->result->array_count; i++) {
        if (!it->rooms[i].touched)
            continue;
        const double doubles = doubles_of(&it->rooms[i], &arrays[i]);
        bytes += doubles * (double)sizeof(double);
        if (!(bytes <= bytes_most))
            return error_at(error, program_place(it->program, arrays[i].place),
                            "with %.40s the arrays of one processor take %.3g bytes: expected at "
                            "most %.3g for a rehearsal",
                            arrays[i].name, bytes, bytes_most);
        double *memory = it->result->arrays[i] = memory_new((size_t)doubles, sizeof *memory);
        for (size_t k = 0; k < (size_t)doubles; k++)
            memory[k] = 1.0;
    }
    return 0;
}

static void put_down(const struct making *it, struct walked *walked,
                     const struct reference *reference)
{
    const size_t number = number_of(it, reference->array);
    const long doubles = (long)doubles_each(reference->array);
    walked->base = it->result->arrays[number];
    walked->offset = (walked->offset - (long)it->rooms[number].least) * doubles;
    for (int l = 0; l < WALK_STEPS; l++)
        walked->step[l] *= doubles;
}

/* ---- statements ---- */

typedef void visit(const struct making *it, const struct proxy_kernel *proxy_kernel,
                   struct walked *walked, const struct reference *reference);

static void visit_all(const struct making *it, const struct list *instances, visit *do_visit)
{
    const struct instance *all = instances->items;
    struct proxy_kernel *proxy_kernel = it->result->items;
    for (size_t i = 0; i < instances->count; i++) {
        if (!all[i].statement)
            continue;
        for (size_t k = 0; k < all[i].read_count; k++)
            do_visit(it, proxy_kernel, &proxy_kernel->walk.reads[k], &all[i].reads[k]);
        if (all[i].has_writes)
            do_visit(it, proxy_kernel, &proxy_kernel->walk.written, &all[i].writes);
        proxy_kernel++;
    }
}

static void visit_widening(const struct making *it, const struct proxy_kernel *proxy_kernel,
                           struct walked *walked, const struct reference *reference)
{
    (void)walked;
    widen(it, proxy_kernel, reference);
}

static void visit_placing(const struct making *it, const struct proxy_kernel *proxy_kernel,
                          struct walked *walked, const struct reference *reference)
{
    place(it, proxy_kernel, walked, reference);
}

static void visit_putting(const struct making *it, const struct proxy_kernel *proxy_kernel,
                          struct walked *walked, const struct reference *reference)
{
    (void)proxy_kernel;
    put_down(it, walked, reference);
}

static int make_walk(const struct making *it, struct proxy_kernel *proxy_kernel,
                     const struct instance *instance, const struct work *work,
                     const struct analysis *analysis, struct error *error)
{
    const struct statement *statement = instance->statement;
    struct walk *walk = &proxy_kernel->walk;
    const double distance = statement->recurrence.distance;
    proxy_kernel->pipeline = work->pipeline;
    walk->operations = statement->operations;
    walk->chain = statement->recurrence.chain;
    walk->distance = distance >= 1.0 ? (long)fmin(distance, WALK_DISTANCE) : 1;
    walk->read_count = (int)instance->read_count;
    walk->writes = instance->has_writes;
    walk->operands = (struct operands){.addend = 0.0, .factor = 1.0, .divisor = 1.0};
    order_loops(proxy_kernel, instance, analysis);
    return set_loops(it, proxy_kernel, instance, work->iterations_most, error);
}

static int make_walks(const struct making *it, const struct list *instances,
                      const struct analysis *analysis, struct error *error)
{
    const struct instance *all = instances->items;
    const struct work *works = analysis->work.items;
    size_t made = 0;
    for (size_t i = 0; i < instances->count; i++) {
        if (!all[i].statement)
            continue;
        if (make_walk(it, &it->result->items[made], &all[i], &works[made], analysis, error) != 0)
            return -1;
        made++;
    }
    return 0;
}

int proxy_kernels_make(struct proxy_kernels *proxy_kernels, const struct subject *subject,
                       size_t segment, const struct layout *layout, const struct analysis *analysis,
                       double bytes_most, struct error *error)
{
    const struct list *instances = &subject->instances[segment];
    const size_t arrays = subject->program->arrays.count;
    *proxy_kernels = (struct proxy_kernels){
        .count = analysis->work.count,
        .items = memory_new(analysis->work.count, sizeof *proxy_kernels->items),
        .array_count = arrays,
        .arrays = memory_new(arrays, sizeof *proxy_kernels->arrays),
    };
    const struct making it = {subject->program, layout, proxy_kernels,
                              memory_new(arrays, sizeof *it.rooms)};
    int status = make_walks(&it, instances, analysis, error);
    if (status == 0) {
        visit_all(&it, instances, visit_widening);
        visit_all(&it, instances, visit_placing);
        status = make_arrays(&it, bytes_most, error);
    }
    if (status == 0)
        visit_all(&it, instances, visit_putting);
    free(it.rooms);
    if (status != 0)
        proxy_kernels_free(proxy_kernels);
    return status;
}

void proxy_kernels_free(struct proxy_kernels *proxy_kernels)
{
    for (size_t i = 0; i < proxy_kernels->array_count; i++)
        free(proxy_kernels->arrays[i]);
    free(proxy_kernels->arrays);
    free(proxy_kernels->items);
    *proxy_kernels = (struct proxy_kernels){0};
}
