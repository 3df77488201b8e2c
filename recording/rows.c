#include "recording/rows.h"

#include "model/base/allocation.h"
#include "recording/phases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* constant: rows of a class, at most: 32 rows
   a limit: more kinds of calls at one place follow no law that a table of recordings would not say
   as well; multigrid on 8 processes has 18. */
enum { ROWS_MOST = 32, DIRECTIONS_MOST = 2 * RECORDING_GRID };

static const char several_grids[] = "its messages go to neighbours on no grid that is known";
static const char many_kinds[] = "its calls are of too many kinds";
static const char in_no_order[] = "its messages go one way, in no order that is known";
static const char of_anybody[] = "it receives from anybody (MPI_ANY_SOURCE, MPI_ANY_TAG)";
static const char intermediate[] = "it is a collective of processes that lie in no line";

/* ---- where partners are ---- */

/* How a partner lies from a process. On a communicator's grid: along one dimension, one step; else
   the difference of their numbers, the nearer way around. */
struct direction {
    int dimension; /* -1: not along one, or no grid */
    int step;
    bool wraps;
};

static int rank_in(const struct recorded_communicator *comm, int process)
{
    for (int i = 0; i < comm->size; i++)
        if (comm->members[i] == process)
            return i;
    return -1;
}

static struct direction direction_of(const struct message *message, int process, int processes)
{
    const struct recorded_communicator *comm = message->comm;
    struct direction it = {-1, message->partner - process, false};
    int stride = 1, own = rank_in(comm, process), other = rank_in(comm, message->partner);
    if (comm->dimensions == 0 || own < 0 || other < 0) {
        if (2 * abs(it.step) > processes) {
            it.step += it.step > 0 ? -processes : processes;
            it.wraps = true;
        }
        return it;
    }
    for (int d = comm->dimensions; d-- > 0; stride *= comm->sides[d]) {
        const int difference = other / stride % comm->sides[d] - own / stride % comm->sides[d];
        if (difference == 0)
            continue;
        if (it.dimension >= 0)
            return (struct direction){-1, message->partner - process, false};
        const bool is_end =
            comm->rings[d] && abs(difference) == comm->sides[d] - 1 && comm->sides[d] > 2;
        it = (struct direction){d, is_end ? (difference > 0 ? -1 : 1) : difference, is_end};
    }
    return it;
}

/* ---- what a phase is ---- */

/* A partner in a phase: what goes there and comes from there. */
struct partner {
    struct direction direction;
    int process;
    double out, in, out_messages, in_messages;
};

struct shape {
    struct partner partners[DIRECTIONS_MOST];
    int count; /* -1: too many */
    double times;
    const struct recorded_communicator *comm;
};

static void shape_of(struct shape *shape, const struct process_phases *process,
                     const struct phase *phase, int rank, int processes)
{
    *shape = (struct shape){.times = 1.0};
    for (size_t i = 0; i < phase->count; i++) {
        const struct message *m = &process->messages[phase->first + i];
        int k = 0;
        if (m->partner == rank)
            continue;
        while (k < shape->count && shape->partners[k].process != m->partner)
            k++;
        if (k == DIRECTIONS_MOST) {
            shape->count = -1;
            return;
        }
        if (k == shape->count) {
            shape->count++;
            shape->partners[k] =
                (struct partner){direction_of(m, rank, processes), m->partner, 0.0, 0.0, 0.0, 0.0};
            shape->comm = m->comm;
        }
        struct partner *partner = &shape->partners[k];
        *(m->is_send ? &partner->out : &partner->in) += m->bytes;
        *(m->is_send ? &partner->out_messages : &partner->in_messages) += 1.0;
    }
}

static bool is_same_shape(const struct shape *a, const struct shape *b)
{
    bool is = a->count == b->count;
    for (int k = 0; k < a->count && is; k++)
        is = a->partners[k].process == b->partners[k].process &&
             a->partners[k].out == b->partners[k].out && a->partners[k].in == b->partners[k].in &&
             a->partners[k].out_messages == b->partners[k].out_messages;
    return is;
}

/* ---- one class ---- */

/* The phases of a class, of each process in order; owned. */
struct class_phases {
    const struct phases *phases;
    const struct phase ***of; /* of[process][number] */
    size_t *counts;
    int processes;
    bool *sends; /* [from * processes + to]: some message of the class goes there; owned */
};

static struct class_phases class_of(const struct phases *phases, const struct places *places,
                                    size_t class)
{
    const int processes = phases->recording->processes;
    struct class_phases it = {.phases = phases,
                              .of = memory_new((size_t)processes, sizeof *it.of),
                              .counts = memory_new((size_t)processes, sizeof *it.counts),
                              .processes = processes};
    it.sends = memory_new((size_t)processes * (size_t)processes, sizeof *it.sends);
    for (int r = 0; r < processes; r++) {
        const struct process_phases *process = &phases->each[r];
        it.of[r] = memory_new(process->count, sizeof **it.of);
        for (size_t i = 0; i < process->count; i++)
            if (recorded_class(places, process->items[i].place) == class)
                it.of[r][it.counts[r]++] = &process->items[i];
        for (size_t i = 0; i < it.counts[r]; i++)
            for (size_t k = 0; k < it.of[r][i]->count; k++) {
                const struct message *m = &process->messages[it.of[r][i]->first + k];
                if (m->is_send && m->partner >= 0)
                    it.sends[r * processes + m->partner] = true;
            }
    }
    return it;
}

static void class_free(struct class_phases *it)
{
    for (int r = 0; r < it->processes; r++)
        free((void *)it->of[r]);
    free((void *)it->of);
    free(it->sends);
    free(it->counts);
}

static struct row *add_row(struct row_class *to, enum row_shape shape)
{
    to->rows = memory_grow(to->rows, to->count + 1, sizeof *to->rows);
    struct row *row = &to->rows[to->count++];
    *row = (struct row){.shape = shape};
    return row;
}

static void make_unknown(struct row_class *to, const char *reason)
{
    free(to->rows);
    to->rows = NULL;
    to->count = 0;
    add_row(to, ROW_UNKNOWN)->reason = reason;
}

/* ---- collectives ---- */

/* By how much the numbers of the members differ; 0: not by one number. */
static double apart_of(const struct recorded_communicator *comm)
{
    const int apart = comm->size > 1 ? comm->members[1] - comm->members[0] : 1;
    for (int i = 2; i < comm->size; i++)
        if (comm->members[i] - comm->members[i - 1] != apart)
            return 0.0;
    return fmax(0.0, apart);
}

/* Bytes that differ from call to call are of one row: all as the largest. */
static void add_collectives(struct row_class *to, const struct class_phases *it)
{
    int busiest = 0;
    for (int r = 1; r < it->processes; r++)
        busiest = it->counts[r] > it->counts[busiest] ? r : busiest;
    for (size_t i = 0; i < it->counts[busiest]; i++) {
        const struct phase *phase = it->of[busiest][i];
        const struct collective *collective =
            &collectives[phase->call->operation - RECORDED_COLLECTIVE];
        const double bytes = collective->has_parts ? phase->call->most : phase->call->bytes;
        const double apart = apart_of(phase->comm);
        size_t k = 0;
        if (phase->comm->size < 2)
            continue;
        for (; k < to->count; k++)
            if (to->rows[k].pattern == collective->pattern &&
                to->rows[k].values[VALUE_PROCESSORS] == phase->comm->size &&
                to->rows[k].values[VALUE_APART] == apart &&
                (collective->has_parts || to->rows[k].values[VALUE_BYTES] == bytes))
                break;
        struct row *row = k < to->count ? &to->rows[k] : add_row(to, ROW_COLLECTIVE);
        row->pattern = collective->pattern;
        row->values[VALUE_PROCESSORS] = phase->comm->size;
        row->values[VALUE_APART] = apart;
        row->values[VALUE_BYTES] = fmax(row->values[VALUE_BYTES], bytes);
        row->values[VALUE_COUNT]++;
        if (apart == 0.0 && phase->comm->size < it->processes) {
            make_unknown(to, intermediate);
            return;
        }
        if (to->count > ROWS_MOST) {
            make_unknown(to, many_kinds);
            return;
        }
    }
}

/* ---- messages both ways ---- */

/* The busiest process: most bytes, then most messages. */
static int busiest_of(const struct class_phases *it)
{
    int busiest = 0;
    double most = -1.0;
    for (int r = 0; r < it->processes; r++) {
        double load = 0.0;
        for (size_t i = 0; i < it->counts[r]; i++)
            for (size_t k = 0; k < it->of[r][i]->count; k++) {
                const struct message *m = &it->phases->each[r].messages[it->of[r][i]->first + k];
                load += m->partner == r ? 0.0 : m->bytes + 1e-3;
            }
        if (load > most * (1.0 + 1e-9)) {
            most = load;
            busiest = r;
        }
    }
    return busiest;
}

/* How many processes stand in the longest row in which each sends to the next, or the next to it,
   so far apart in number. */
static int row_length(const struct class_phases *it, int apart)
{
    int most = 1;
    const int count = it->processes;
    for (int from = 0; from < count; from++) {
        int length = 1;
        for (int at = from; at + apart < count && (it->sends[at * count + at + apart] ||
                                                   it->sends[(at + apart) * count + at]);
             at += apart)
            length++;
        most = length > most ? length : most;
    }
    return most;
}

/* A grid of processes from how far apart neighbours are, ascending: sides, the last varying
   fastest. Those along one of two sides alone tell the other one as well. False where each distance
   is no multiple of the one before. */
static bool grid_of_distances(struct row *row, const struct class_phases *it, int *distances,
                              int count)
{
    const int processes = it->processes;
    for (int i = 1; i < count; i++)
        for (int k = i; k > 0 && distances[k] < distances[k - 1]; k--) {
            const int swapped = distances[k];
            distances[k] = distances[k - 1];
            distances[k - 1] = swapped;
        }
    if (count == 1) {
        const int length = row_length(it, distances[0]);
        if (length * distances[0] == processes && distances[0] > 1)
            distances[count++] = 1;
        else if (length < processes && distances[0] == 1)
            distances[count++] = length;
        if (count == 2 && distances[0] > distances[1]) {
            distances[1] = distances[0];
            distances[0] = 1;
        }
    }
    if (count == 0 || distances[0] != 1)
        return false;
    row->dimensions = count;
    for (int i = 0; i < count; i++) {
        const int next = i + 1 < count ? distances[i + 1] : processes;
        if (next % distances[i] != 0)
            return false;
        row->values[VALUE_SIDE + count - 1 - i] = next / distances[i];
    }
    return true;
}

/* A grid's dimensions from the directions of a process's partners, and the bytes along each. False
   where a partner is none of its neighbours. */
static bool take_grid(struct row *row, const struct shape *shape, const struct class_phases *it)
{
    const int processes = it->processes;
    const struct recorded_communicator *comm = shape->comm;
    int distances[RECORDING_GRID + 1] = {0}, count = 0;
    if (comm->dimensions > 0 && comm->size == processes) {
        row->dimensions = comm->dimensions;
        for (int d = 0; d < comm->dimensions; d++)
            row->values[VALUE_SIDE + d] = comm->sides[d];
    } else {
        for (int k = 0; k < shape->count; k++) {
            const int distance = abs(shape->partners[k].direction.step);
            int i = 0;
            while (i < count && distances[i] != distance)
                i++;
            if (i == RECORDING_GRID)
                return false;
            distances[i] = distance;
            count += i == count;
        }
        if (!grid_of_distances(row, it, distances, count))
            return false;
    }
    for (int k = 0; k < shape->count; k++) {
        const struct partner *partner = &shape->partners[k];
        int d = partner->direction.dimension, stride = 1;
        if (comm->dimensions == 0)
            for (d = row->dimensions - 1; d > 0 && stride != abs(partner->direction.step); d--)
                stride *= (int)row->values[VALUE_SIDE + d];
        else if (d < 0 || abs(partner->direction.step) != 1)
            return false;
        double *face = &row->values[VALUE_FACE + d];
        *face = fmax(*face, fmax(partner->out, partner->in));
        row->around |= partner->direction.wraps;
    }
    return true;
}

static void take_shape(struct row *row, const struct shape *shape, const struct class_phases *it,
                       int rank)
{
    const struct partner *a = &shape->partners[0], *b = &shape->partners[1];
    row->values[VALUE_COUNT] = shape->times;
    const bool has_grid = shape->comm->dimensions > 0 && shape->comm->size == it->processes;
    if (has_grid && a->out_messages * a->in_messages > 0.0 && take_grid(row, shape, it)) {
        row->shape = ROW_GRID;
        return;
    }
    if (shape->count == 1) {
        const double messages = fmax(1.0, fmax(a->out_messages, a->in_messages));
        row->shape = ROW_PAIRS;
        row->values[VALUE_COUNT] *= messages;
        row->values[VALUE_BYTES] = ceil(fmax(a->out, a->in) / messages);
        row->values[VALUE_APART] = abs(a->process - rank);
        row->values[VALUE_PROCESSORS] = 2.0;
        row->values[VALUE_STAGES] = 1.0;
        return;
    }
    const bool is_shift = shape->count == 2 && a->out_messages * b->in_messages == 1.0 &&
                          a->in_messages + b->out_messages == 0.0;
    const bool is_back = shape->count == 2 && a->in_messages * b->out_messages == 1.0 &&
                         a->out_messages + b->in_messages == 0.0;
    if (is_shift || is_back) {
        const struct partner *to = is_shift ? a : b;
        row->shape = ROW_SHIFT;
        row->values[VALUE_BYTES] = fmax(to->out, (is_shift ? b : a)->in);
        row->values[VALUE_APART] =
            fmin(abs(to->process - rank), abs((is_shift ? b : a)->process - rank));
        row->values[VALUE_PROCESSORS] = row_length(it, (int)row->values[VALUE_APART]);
        return;
    }
    row->shape = ROW_GRID;
    if (!take_grid(row, shape, it)) {
        row->shape = ROW_UNKNOWN;
        row->reason = several_grids;
    }
}

/* Pairs at 1, 2, 4, ... times a distance, as often each, are one row of several stages. */
static void join_stages(struct row_class *to)
{
    for (size_t i = 0; i < to->count; i++)
        if (to->rows[i].shape != ROW_PAIRS ||
            to->rows[i].values[VALUE_COUNT] != to->rows[0].values[VALUE_COUNT] ||
            to->rows[i].values[VALUE_BYTES] != to->rows[0].values[VALUE_BYTES])
            return;
    double least = INFINITY;
    for (size_t i = 0; i < to->count; i++)
        least = fmin(least, to->rows[i].values[VALUE_APART]);
    for (size_t stage = 0; stage < to->count; stage++) {
        bool is_there = false;
        for (size_t i = 0; i < to->count; i++)
            is_there |= to->rows[i].values[VALUE_APART] == ldexp(least, (int)stage);
        if (!is_there)
            return;
    }
    to->rows[0].values[VALUE_APART] = least;
    to->rows[0].values[VALUE_STAGES] = (double)to->count;
    to->count = 1;
}

static int compare_rows(const void *left, const void *right)
{
    const struct row *a = left, *b = right;
    const int order[] = {VALUE_BYTES, VALUE_FACE, VALUE_APART, VALUE_COUNT};
    if (a->shape != b->shape)
        return a->shape < b->shape ? -1 : 1;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (a->values[order[i]] != b->values[order[i]])
            return a->values[order[i]] > b->values[order[i]] ? -1 : 1;
    return 0;
}

static void add_exchanges(struct row_class *to, const struct class_phases *it)
{
    const int rank = busiest_of(it);
    struct shape *shapes = memory_new(ROWS_MOST + 1, sizeof *shapes);
    size_t count = 0;
    for (size_t i = 0; i < it->counts[rank] && count <= ROWS_MOST; i++) {
        struct shape shape;
        size_t k = 0;
        shape_of(&shape, &it->phases->each[rank], it->of[rank][i], rank, it->processes);
        if (shape.count == 0)
            continue;
        while (k < count && !is_same_shape(&shapes[k], &shape))
            k++;
        if (k < count)
            shapes[k].times++;
        else
            shapes[count++] = shape;
    }
    for (size_t k = 0; k < count && count <= ROWS_MOST; k++) {
        struct row *row = add_row(to, ROW_UNKNOWN);
        row->reason = several_grids;
        if (shapes[k].count > 0)
            take_shape(row, &shapes[k], it, rank);
    }
    free(shapes);
    if (count > ROWS_MOST) {
        make_unknown(to, many_kinds);
        return;
    }
    for (size_t k = 0; k < to->count; k++)
        if (to->rows[k].shape == ROW_UNKNOWN) {
            make_unknown(to, to->rows[k].reason);
            return;
        }
    join_stages(to);
    qsort(to->rows, to->count, sizeof *to->rows, compare_rows);
}

/* ---- messages one way ---- */

/* Runs of the class's phases with no others in between. */
static double runs_of(const struct class_phases *it, int rank)
{
    double runs = 0.0;
    for (size_t i = 0; i < it->counts[rank]; i++)
        runs += i == 0 || it->of[rank][i] != it->of[rank][i - 1] + 1;
    return runs;
}

/* Two processes that send to and receive from one another alone, in turn. */
static bool add_in_turn(struct row_class *to, const struct class_phases *it)
{
    double most = 0.0, bytes = 0.0;
    for (int r = 0; r < it->processes; r++) {
        int partner = -1;
        double count = 0.0, all = 0.0;
        for (size_t i = 0; i < it->counts[r]; i++)
            for (size_t k = 0; k < it->of[r][i]->count; k++) {
                const struct message *m = &it->phases->each[r].messages[it->of[r][i]->first + k];
                if (m->partner == r)
                    continue;
                if (partner >= 0 && partner != m->partner)
                    return false;
                partner = m->partner;
                count++;
                all += m->bytes;
            }
        if (count > most) {
            most = count;
            bytes = all / count;
        }
    }
    if (most == 0.0)
        return true;
    struct row *row = add_row(to, ROW_IN_TURN);
    row->values[VALUE_COUNT] = most;
    row->values[VALUE_BYTES] = ceil(bytes);
    row->values[VALUE_PROCESSORS] = 2.0;
    return true;
}

/* In one or two directions, the same for all: each process that has somebody behind it receives as
   many in a run as it sends to those before it. */
static bool add_pipeline(struct row_class *to, const struct class_phases *it)
{
    struct shape all = {0};
    double stages = 0.0, runs = 0.0;
    bool has_source = false;
    for (int r = 0; r < it->processes; r++) {
        double in[DIRECTIONS_MOST] = {0}, out[DIRECTIONS_MOST] = {0};
        const double own_runs = runs_of(it, r);
        if (it->counts[r] == 0)
            return false;
        runs = r == 0 ? own_runs : runs;
        bool receives = false;
        for (size_t i = 0; i < it->counts[r]; i++) {
            struct shape shape;
            shape_of(&shape, &it->phases->each[r], it->of[r][i], r, it->processes);
            for (int k = 0; k < shape.count; k++) {
                struct partner *partner = &shape.partners[k];
                const bool sends = partner->out_messages > 0.0;
                struct direction towards = partner->direction;
                towards.step *= sends ? 1 : -1;
                int d = 0;
                while (d < all.count && (all.partners[d].direction.dimension != towards.dimension ||
                                         all.partners[d].direction.step != towards.step))
                    d++;
                if (towards.wraps || d == 2)
                    return false;
                if (d == all.count) {
                    all.partners[all.count++] = (struct partner){.direction = towards};
                    all.comm = shape.comm;
                }
                all.partners[d].out = fmax(all.partners[d].out, partner->out + partner->in);
                out[d] += partner->out_messages;
                in[d] += partner->in_messages;
                receives |= partner->in_messages > 0.0;
            }
        }
        has_source |= !receives;
        for (int d = 0; d < all.count; d++)
            for (int way = 0; way < 2; way++) {
                const double here = (way ? in[d] : out[d]) / own_runs;
                if (here > 0.0 && stages > 0.0 && here != stages)
                    return false;
                stages = here > 0.0 ? here : stages;
            }
        if (own_runs != runs)
            return false;
    }
    struct row row = {.shape = ROW_PIPELINE};
    if (!has_source || all.count == 0 ||
        (all.count == 2 &&
         all.partners[0].direction.dimension == all.partners[1].direction.dimension &&
         all.partners[0].direction.step == -all.partners[1].direction.step) ||
        !take_grid(&row, &all, it))
        return false;
    row.values[VALUE_COUNT] = runs;
    row.values[VALUE_STAGES] = stages;
    if (all.count == 1) { /* one message of each: as a shift */
        const int apart = abs(all.partners[0].direction.step);
        row.values[VALUE_BYTES] = all.partners[0].out;
        row.values[VALUE_APART] = apart;
        row.values[VALUE_PROCESSORS] = row_length(it, apart);
    }
    *add_row(to, ROW_PIPELINE) = row;
    return true;
}

static bool is_one_way(const struct class_phases *it)
{
    for (int r = 0; r < it->processes; r++)
        for (size_t i = 0; i < it->counts[r]; i++) {
            bool sends = false, receives = false;
            const struct phase *phase = it->of[r][i];
            for (size_t k = 0; k < phase->count; k++) {
                const struct message *m = &it->phases->each[r].messages[phase->first + k];
                *(m->is_send ? &sends : &receives) |= m->partner != r;
            }
            if (sends && receives)
                return false;
        }
    return true;
}

static bool has_collectives(const struct class_phases *it, bool *has_messages)
{
    bool has = false;
    *has_messages = false;
    for (int r = 0; r < it->processes; r++)
        for (size_t i = 0; i < it->counts[r]; i++)
            *(it->of[r][i]->call ? &has : has_messages) = true;
    return has;
}

static void make_class(struct row_class *to, const struct class_phases *it)
{
    bool has_messages;
    for (int r = 0; r < it->processes; r++)
        for (size_t i = 0; i < it->counts[r]; i++)
            for (size_t k = 0; k < it->of[r][i]->count; k++) {
                const struct message *m = &it->phases->each[r].messages[it->of[r][i]->first + k];
                to->messages += m->is_send && m->partner != r;
                to->wild +=
                    m->partner == RECORDING_ANYBODY || (!m->is_send && m->tag == RECORDING_ANY_TAG);
            }
    if (has_collectives(it, &has_messages)) {
        if (has_messages)
            make_unknown(to, many_kinds);
        else
            add_collectives(to, it);
    } else if (to->wild > 0.0) {
        make_unknown(to, of_anybody);
    } else if (!is_one_way(it)) {
        add_exchanges(to, it);
    } else if (!add_pipeline(to, it) && !add_in_turn(to, it)) {
        make_unknown(to, in_no_order);
    }
}

/* ---- computing times ---- */

/* Where the computing time of a process goes: what lies before the end of messages is of the class
   of the call before. */
struct timing {
    const struct phases *phases;
    const struct places *places;
    const struct recorded_process *process;
    double *us; /* by place that stands for a class */
    size_t last;
};

static void time_nodes(struct timing *it, const struct recorded_node *nodes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (nodes[i].length > 0) {
            time_nodes(it, nodes[i].body, nodes[i].length);
            continue;
        }
        const struct recorded_kind *kind = &it->process->kinds[nodes[i].kind];
        if (kind->operation != RECORDED_DONE)
            it->last = recorded_class(it->places, it->phases->place_of[kind->site]);
        it->us[it->last] += nodes[i].us;
    }
}

static void find_times(struct rows *rows, const struct phases *phases, const struct places *places)
{
    const struct recording *recording = phases->recording;
    for (int r = 0; r < recording->processes; r++) {
        const struct recorded_process *process = &recording->each[r];
        double *us = memory_new(places->count, sizeof *us);
        double *calls = memory_new(process->kind_count, sizeof *calls);
        double *before = memory_new(process->kind_count, sizeof *before);
        struct timing it = {phases, places, process, us, 0};
        time_nodes(&it, process->nodes, process->node_count);
        for (size_t c = 0; c < rows->count; c++)
            rows->classes[c].us = fmax(rows->classes[c].us, us[rows->classes[c].class]);
        rows->computing_us = fmax(rows->computing_us, process->computing_us);
        rows->last_us = fmax(rows->last_us, process->last_us);
        recording_count(process, calls, before);
        for (size_t i = 0; i < process->kind_count; i++) {
            const int operation = process->kinds[i].operation;
            rows->calls += operation == RECORDED_DONE ? 0.0 : calls[i];
            if ((operation == RECORDED_SEND || operation == RECORDED_START_SEND) &&
                process->kinds[i].partner >= 0) {
                rows->messages += calls[i];
                rows->bytes += calls[i] * process->kinds[i].bytes;
            }
        }
        free(us);
        free(calls);
        free(before);
    }
    for (size_t i = 0; i < recording->counted_count; i++)
        rows->counted += recording->counted[i].count;
}

void recorded_rows_make(struct rows *rows, const struct phases *phases, const struct places *places)
{
    *rows = (struct rows){.unmatched = phases->unmatched};
    bool *is_there = memory_new(places->count, sizeof *is_there);
    for (int r = 0; r < phases->recording->processes; r++)
        for (size_t i = 0; i < phases->each[r].count; i++) {
            const size_t class = recorded_class(places, phases->each[r].items[i].place);
            if (is_there[class])
                continue;
            is_there[class] = true;
            rows->classes = memory_grow(rows->classes, rows->count + 1, sizeof *rows->classes);
            rows->classes[rows->count++] = (struct row_class){.class = class};
        }
    free(is_there);
    for (size_t c = 0; c < rows->count; c++) {
        struct class_phases it = class_of(phases, places, rows->classes[c].class);
        make_class(&rows->classes[c], &it);
        class_free(&it);
    }
    find_times(rows, phases, places);
}

void recorded_rows_free(struct rows *rows)
{
    for (size_t c = 0; c < rows->count; c++)
        free(rows->classes[c].rows);
    free(rows->classes);
    *rows = (struct rows){0};
}
