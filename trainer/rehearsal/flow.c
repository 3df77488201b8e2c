#include "trainer/rehearsal/flow.h"

#include "model/base/allocation.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TAG = 72, TAG_ACROSS = 73, TAG_END = 74 };

static int kind_bytes(const struct flow *flow, size_t kind)
{
    return (int)ceil(flow->pipeline->messages[kind].bytes * flow->width);
}

static double bytes_of(const struct pipeline *pipeline)
{
    double most = pipeline->across_bytes;
    for (size_t k = 0; k < pipeline->message_count; k++)
        most = fmax(most, ceil(pipeline->messages[k].bytes * fmax(1.0, pipeline->outer)));
    return most;
}

const char *flow_make(struct flow *flow, struct subcommunicators *subcommunicators,
                      const struct pipeline *pipeline, int number, double bytes_most)
{
    const double ranks = pipeline->active * pipeline->across, bytes = bytes_of(pipeline);
    if (ranks < 2.0 || ranks > subcommunicators->processors)
        return "its processors are not 2 to all";
    if (bytes > fmin(INT_MAX - 1.0, bytes_most / 2.0))
        return "its messages are too long";
    *flow = (struct flow){.pipeline = pipeline,
                          .number = number,
                          .width = pipeline->strip > 0.0 ? fmin(pipeline->strip, pipeline->outer)
                                                         : fmax(1.0, pipeline->outer)};
    flow->subcommunicator = subcommunicators_take(subcommunicators, (int)ranks);
    flow->out = memory_new((size_t)bytes + 1, 1);
    flow->in = memory_new((size_t)bytes + 1, 1);
    memset(flow->out, 1, (size_t)bytes + 1);
    return NULL;
}

void flow_free(struct flow *flow)
{
    free(flow->out);
    free(flow->in);
    *flow = (struct flow){0};
}

/* ---- one run ---- */

/* Where this rank stands: along the pipeline, and across it. */
struct position {
    int along, across, active, strips;
};

static struct position position_of(const struct flow *flow)
{
    const int active = (int)flow->pipeline->active;
    return (struct position){flow->subcommunicator->rank % active,
                             flow->subcommunicator->rank / active, active,
                             (int)ceil(fmax(1.0, flow->pipeline->outer) / flow->width)};
}

static bool takes_part(const struct flow *flow)
{
    return flow->subcommunicator->group.comm != MPI_COMM_NULL &&
           flow->subcommunicator->number < fmax(1.0, flow->pipeline->lines);
}

/* Which neighbours have been told, or have told, that no strip comes any more. */
struct ends {
    struct deadline *deadline;
    bool told, heard;
};

/* Every message of a strip; its first may be word of the end instead. */
static void pass_kind(const struct flow *flow, size_t kind, int behind, int before,
                      struct ends *ends)
{
    MPI_Status status = {.MPI_TAG = TAG};
    const bool may_end = kind == 0 && deadline_agrees(ends->deadline);
    const bool ends_now =
        may_end && behind != MPI_PROC_NULL && (ends->heard || deadline_seen(ends->deadline));
    const int bytes = kind_bytes(flow, kind);
    MPI_Sendrecv(flow->out, ends_now ? 0 : bytes, MPI_BYTE, behind, ends_now ? TAG_END : TAG,
                 flow->in, bytes, MPI_BYTE, before, may_end ? MPI_ANY_TAG : TAG,
                 flow->subcommunicator->group.comm, &status);
    ends->told |= ends_now;
    if (before != MPI_PROC_NULL && status.MPI_TAG == TAG_END) {
        ends->heard = true;
        ends->deadline->seen = ends->deadline->seen ? ends->deadline->seen : DEADLINE_OVER;
    }
}

/* A processor sends a strip on while it gets the next one: sending first, every stage would wait
   for the one behind it. */
static void pass_on(const struct flow *flow, const struct position *it, bool sends, bool receives,
                    struct ends *ends)
{
    const int rank = flow->subcommunicator->rank;
    for (size_t k = 0; k < flow->pipeline->message_count; k++) {
        const bool to = sends && it->along + 1 < it->active && !ends->told;
        const bool from = receives && it->along > 0 && !ends->heard;
        pass_kind(flow, k, to ? rank + 1 : MPI_PROC_NULL, from ? rank - 1 : MPI_PROC_NULL, ends);
    }
}

/* Nothing comes and nothing is to be sent: it has ended on both sides. */
static bool has_ended(const struct position *it, const struct ends *ends)
{
    const bool ends_before = ends->heard || it->along == 0;
    const bool ends_behind = ends->told || it->along + 1 == it->active;
    return (ends->heard || ends->told) && ends_before && ends_behind;
}

/* What the processors beside have to do first. */
static void begin_across(const struct flow *flow, const struct position *it)
{
    if (it->across > 0)
        MPI_Recv(flow->in, (int)ceil(flow->pipeline->across_bytes), MPI_BYTE,
                 flow->subcommunicator->rank - it->active, TAG_ACROSS,
                 flow->subcommunicator->group.comm, MPI_STATUS_IGNORE);
}

static void end_across(const struct flow *flow, const struct position *it)
{
    if (it->across + 1 < (int)flow->pipeline->across)
        MPI_Send(flow->out, (int)ceil(flow->pipeline->across_bytes), MPI_BYTE,
                 flow->subcommunicator->rank + it->active, TAG_ACROSS,
                 flow->subcommunicator->group.comm);
}

static void work_on_strip(const struct flow *flow, const struct proxy_kernels *proxy_kernels,
                          int strip, int strips, struct deadline *deadline)
{
    for (size_t i = 0; i < proxy_kernels->count; i++) {
        struct walk *walk = &proxy_kernels->items[i].walk;
        const double rows = walk->rows / fmax(1.0, flow->pipeline->runs);
        if (proxy_kernels->items[i].pipeline != flow->number)
            continue;
        if (proxy_kernels->items[i].strips_inside)
            deadline_walk(deadline, walk, 0.0, round(rows),
                          (long)fmin(strip * flow->width, (double)walk->length),
                          (long)fmin((strip + 1) * flow->width, (double)walk->length));
        else
            deadline_walk(deadline, walk, floor(rows * strip / strips),
                          floor(rows * (strip + 1) / strips), 0, walk->length);
    }
}

void flow_run(struct flow *flow, const struct proxy_kernels *proxy_kernels,
              struct deadline *deadline, struct stamps *stamps)
{
    struct ends ends = {.deadline = deadline};
    if (!takes_part(flow))
        return;
    const struct position it = position_of(flow);
    begin_across(flow, &it);
    pass_on(flow, &it, false, true, &ends);
    stamps->communicate_s += stamps_lap(stamps);
    for (int strip = 0; strip < it.strips && !has_ended(&it, &ends); strip++) {
        work_on_strip(flow, proxy_kernels, strip, it.strips, deadline);
        stamps->compute_s += stamps_lap(stamps);
        pass_on(flow, &it, true, strip + 1 < it.strips, &ends);
        stamps->communicate_s += stamps_lap(stamps);
    }
    end_across(flow, &it);
    stamps->communicate_s += stamps_lap(stamps);
}

/* ---- the width of strips ---- */

static double time_run(struct flow *flow, const struct proxy_kernels *proxy_kernels,
                       struct deadline *deadline)
{
    struct stamps stamps = {0};
    MPI_Barrier(MPI_COMM_WORLD);
    stamps_start(&stamps);
    flow_run(flow, proxy_kernels, deadline, &stamps);
    double run_s = stamps.compute_s + stamps.communicate_s;
    MPI_Allreduce(MPI_IN_PLACE, &run_s, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return run_s;
}

/* Widths that halve, from all values down; one run first, which warms up. */
void flow_choose_width(struct flow *flow, const struct proxy_kernels *proxy_kernels,
                       struct deadline *deadline)
{
    const double outer = fmax(1.0, flow->pipeline->outer);
    double best = flow->width, best_s = INFINITY;
    if (flow->pipeline->strip > 0.0)
        return;
    time_run(flow, proxy_kernels, deadline);
    for (double cuts = 1.0; cuts / 2.0 < outer && !deadline_agree(deadline); cuts *= 2.0) {
        flow->width = ceil(outer / cuts);
        const double run_s = time_run(flow, proxy_kernels, deadline);
        if (run_s < best_s) {
            best_s = run_s;
            best = flow->width;
        }
    }
    flow->width = best;
}

/* ---- looking ---- */

static char mark(int rank, int strip, size_t at)
{
    return (char)(at * 7 + (size_t)rank * 31 + (size_t)strip * 11 + 5);
}

static bool is_marked(const struct flow *flow, int rank, int strip)
{
    const size_t kinds = flow->pipeline->message_count;
    for (size_t i = 0; i < (size_t)kind_bytes(flow, kinds - 1); i++)
        if (flow->in[i] != mark(rank, strip, i))
            return false;
    return true;
}

static void mark_strip(struct flow *flow, int strip)
{
    size_t bytes = 0;
    for (size_t k = 0; k < flow->pipeline->message_count; k++)
        if ((size_t)kind_bytes(flow, k) > bytes)
            bytes = (size_t)kind_bytes(flow, k);
    memset(flow->in, 0, bytes);
    for (size_t i = 0; i < bytes; i++)
        flow->out[i] = mark(flow->subcommunicator->rank, strip, i);
}

/* Each message overwrites the one before: the last kind is what is looked at. */
bool flow_check(struct flow *flow, struct deadline *deadline)
{
    struct ends ends = {.deadline = deadline};
    bool right = true;
    if (!takes_part(flow) || flow->pipeline->message_count == 0)
        return true;
    const struct position it = position_of(flow);
    begin_across(flow, &it);
    pass_on(flow, &it, false, true, &ends);
    for (int strip = 0; strip < it.strips && !has_ended(&it, &ends); strip++) {
        if (it.along > 0 && !ends.heard)
            right &= is_marked(flow, flow->subcommunicator->rank - 1, strip);
        mark_strip(flow, strip);
        pass_on(flow, &it, true, strip + 1 < it.strips, &ends);
    }
    end_across(flow, &it);
    return right;
}
