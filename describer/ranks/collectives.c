#include "describer/ranks/run.h"

#include <math.h>
#include <string.h>

/* Elements of a reduction whose result is kept. */
enum { REDUCED_MOST = 8 };

enum effect {
    SPREAD,
    REDUCED_TO_ALL,
    REDUCED_TO_ROOT,
    GATHERED,
    GATHERED_BY_ALL,
    SCATTERED,
    LOST,
    MET
};

/* Which arguments say how many elements of what type a process gives; where they are and where the
   result goes; -1: it has none. in_place_count: where what it gives lies in the result already. */
static const struct collective {
    const char *name;
    int given, count, type, result, operation, root, communicator;
    int in_place_count, in_place_type;
    enum effect effect;
    enum counting {
        ONE,      /* the count is a number */
        OF_PARTS, /* a table has that of each part, and it is their mean */
        OWN_PART, /* the same where what it gives lies in the result: it is that of its own part */
    } counting;
} rows[] = {
    {"MPI_Bcast",                0,  1,  2,  0,  -1, 3,  4, -1, -1, SPREAD,          ONE     },
    {"MPI_Reduce",               0,  2,  3,  1,  4,  5,  6, -1, -1, REDUCED_TO_ROOT, ONE     },
    {"MPI_Allreduce",            0,  2,  3,  1,  4,  -1, 5, -1, -1, REDUCED_TO_ALL,  ONE     },
    {"MPI_Scan",                 0,  2,  3,  1,  4,  -1, 5, -1, -1, LOST,            ONE     },
    {"MPI_Exscan",               0,  2,  3,  1,  4,  -1, 5, -1, -1, LOST,            ONE     },
    {"MPI_Gather",               0,  1,  2,  3,  -1, 6,  7, -1, -1, GATHERED,        ONE     },
    {"MPI_Gatherv",              0,  1,  2,  3,  -1, 7,  8, -1, -1, LOST,            ONE     },
    {"MPI_Scatter",              0,  1,  2,  3,  -1, 6,  7, -1, -1, SCATTERED,       ONE     },
    {"MPI_Scatterv",             0,  5,  6,  4,  -1, 7,  8, -1, -1, LOST,            ONE     },
    {"MPI_Allgather",            0,  1,  2,  3,  -1, -1, 6, 4,  5,  GATHERED_BY_ALL, ONE     },
    {"MPI_Allgatherv",           0,  1,  2,  3,  -1, -1, 7, 4,  6,  LOST,            OWN_PART},
    {"MPI_Alltoall",             0,  1,  2,  3,  -1, -1, 6, 4,  5,  LOST,            ONE     },
    {"MPI_Alltoallv",            0,  1,  3,  4,  -1, -1, 8, 5,  7,  LOST,            OF_PARTS},
    {"MPI_Reduce_scatter",       0,  2,  3,  1,  4,  -1, 5, -1, -1, LOST,            OF_PARTS},
    {"MPI_Reduce_scatter_block", 0,  2,  3,  1,  4,  -1, 5, -1, -1, LOST,            ONE     },
    {"MPI_Barrier",              -1, -1, -1, -1, -1, -1, 0, -1, -1, MET,             ONE     },
};

struct meeting *meeting_of(struct rank *rank, int group, const char *name)
{
    struct run *run = rank->run;
    const int number = rank->collectives[group]++;
    int found = -1;
    for (int i = run->meeting_count - 1; i >= 0; i--)
        if (run->meetings[i]->group == group && run->meetings[i]->number <= number) {
            /* they began in their order */
            found = run->meetings[i]->number == number ? i : -1;
            break;
        }
    if (found < 0) {
        const size_t count = (size_t)run->groups[group].count;
        struct arena *arena = run->describer->arena;
        if (run->meeting_count == run->meeting_room) {
            struct meeting **before = run->meetings;
            run->meeting_room = run->meeting_room ? 2 * run->meeting_room : 16;
            run->meetings = arena_take(arena, (size_t)run->meeting_room, sizeof(struct meeting *));
            if (before)
                memcpy(run->meetings, before,
                       (size_t)run->meeting_count * sizeof(struct meeting *));
        }
        found = run->meeting_count++;
        struct meeting *made = arena_take(arena, 1, sizeof *made);
        *made = (struct meeting){.group = group, .number = number, .name = name};
        made->given = arena_take(arena, count, sizeof *made->given);
        made->results = arena_take(arena, count, sizeof *made->results);
        made->roots = arena_take(arena, count, sizeof *made->roots);
        made->bytes = arena_take(arena, count, sizeof *made->bytes);
        made->events = arena_take(arena, count, sizeof *made->events);
        for (size_t i = 0; i < count; i++)
            made->events[i] = -1;
        run->meetings[found] = made;
    }
    return run->meetings[found];
}

void meeting_arrive(struct rank *rank, struct meeting *meeting, const struct syntax *call,
                    meeting_finish finish, const struct collective *row)
{
    struct run *run = rank->run;
    if (strcmp(meeting->name, call->name) != 0) {
        run_fail(run, REFUSED, call->place,
                 "with %d processes, process %d comes to %s here while another one is at %s",
                 run->p, rank->number, call->name, meeting->name);
        return;
    }
    run->news++;
    if (++meeting->arrived == run->groups[meeting->group].count) {
        finish(rank, meeting, call, row);
        meeting->is_done = true;
    }
    rank->waits_at = call;
    while (!meeting->is_done && !run->is_over)
        rank_yields(rank);
    rank->waits_at = NULL;
}

static struct message_on_way contents_of(struct rank *rank, const struct cell *buffer,
                                         double offset, double bytes)
{
    struct message_on_way message = {.bytes = bytes};
    if (buffer->kind == CELL_POINTER)
        contents_take(rank, buffer->object, buffer->offset + offset, true, &message);
    return message;
}

static void put(struct rank *rank, const struct cell *buffer, double offset,
                const struct message_on_way *message)
{
    if (buffer->kind == CELL_POINTER)
        contents_put(rank, buffer->object, buffer->offset + offset, message, false);
}

static struct cell reduced(struct rank *rank, const struct syntax *call,
                           const struct collective *row, struct cell a, struct cell b)
{
    const char *name = constant_name(call->children[row->operation]);
    if (a.kind != CELL_NUMBER || b.kind != CELL_NUMBER || !name)
        return cell_unknown("the result of a reduction");
    if (!strcmp(name, "MPI_SUM"))
        return rank_arithmetic(rank, DO_ADD, a, b, call);
    if (!strcmp(name, "MPI_PROD"))
        return rank_arithmetic(rank, DO_MULTIPLY, a, b, call);
    if (!strcmp(name, "MPI_MAX"))
        return a.number >= b.number ? a : b;
    if (!strcmp(name, "MPI_MIN"))
        return a.number <= b.number ? a : b;
    return cell_unknown("the result of a reduction");
}

static void reduce(struct rank *rank, struct meeting *meeting, const struct syntax *call,
                   const struct collective *row)
{
    const struct run *run = rank->run;
    const int count = run->groups[meeting->group].count;
    const struct cell elements = rank_evaluate(rank, call->children[row->count]);
    const bool is_kept = elements.kind == CELL_NUMBER && elements.number <= REDUCED_MOST;
    const double each = is_kept && elements.number > 0 ? meeting->bytes[0] / elements.number : 8;
    struct cell results[REDUCED_MOST];
    for (int k = 0; is_kept && k < elements.number; k++)
        for (int i = 0; i < count; i++) {
            const struct cell *from =
                meeting->given[i].kind == CELL_POINTER && meeting->given[i].object
                    ? &meeting->given[i]
                    : &meeting->results[i];
            const struct cell cell = from->kind == CELL_POINTER
                                         ? object_read(from->object, from->offset + k * each)
                                         : cell_unknown("the result of a reduction");
            results[k] = i == 0 ? cell : reduced(rank, call, row, results[k], cell);
        }
    for (int i = 0; i < count; i++) {
        const bool has_result =
            row->effect == REDUCED_TO_ALL ||
            (meeting->roots[i].kind == CELL_NUMBER && meeting->roots[i].number == i);
        const struct cell *to = &meeting->results[i];
        if (!has_result || to->kind != CELL_POINTER || !to->object)
            continue;
        if (!is_kept)
            object_lose(to->object, "what a message brings");
        for (int k = 0; is_kept && k < elements.number; k++)
            object_write(rank->run, to->object, to->offset + k * each, results[k]);
    }
}

/* Parts that differ by no more than that share are as large as one of them. */
static const double alike = 0.1;

/* Where the processes give or take parts of different sizes, an operation is described with parts
   of their mean: that of a root, which stays with it, is none of them. */
static void take_mean(struct rank *rank, struct meeting *meeting, const struct syntax *call,
                      int root)
{
    struct run *run = rank->run;
    struct algebra *algebra = &run->describer->algebra;
    const int *members = run->groups[meeting->group].members;
    const int count = run->groups[meeting->group].count;
    double sum = 0, most = 0;
    int parts = 0;
    bool has_forms = true;
    polynomial form = polynomial_constant(algebra, 0);
    for (int i = 0; i < count; i++) {
        if (i == root || meeting->events[i] < 0)
            continue;
        const struct event *event = &run->processes[members[i]].events[meeting->events[i]];
        has_forms = has_forms && event->form;
        form = has_forms ? polynomial_sum(algebra, form, event->form, 1) : NULL;
        sum += event->bytes;
        most = fmax(most, event->bytes);
        parts++;
    }
    if (parts == 0 || most <= (1 + alike) * sum / parts)
        return;
    for (int i = 0; i < count; i++) {
        if (meeting->events[i] < 0)
            continue;
        struct event *event = &run->processes[members[i]].events[meeting->events[i]];
        event->mean = sum / parts;
        event->mean_form = form ? polynomial_scaled(algebra, form, 1.0 / parts) : NULL;
    }
    describer_remark(run->describer, call->place,
                     "%s: the parts are not all of one size, and are described as their mean: it "
                     "takes longer where one process gets more than the others",
                     call->name);
}

static void finish(struct rank *rank, struct meeting *meeting, const struct syntax *call,
                   const struct collective *row)
{
    struct run *run = rank->run;
    const int count = run->groups[meeting->group].count;
    const struct cell *root_cell = &meeting->roots[0];
    const int root =
        root_cell->kind == CELL_NUMBER && root_cell->number >= 0 && root_cell->number < count
            ? (int)root_cell->number
            : -1;
    const double bytes = root >= 0 ? meeting->bytes[root] : meeting->bytes[0];
    if (row->effect == LOST && row->counting != OF_PARTS)
        take_mean(rank, meeting, call, row->root >= 0 ? root : -1);
    if (row->effect == REDUCED_TO_ALL || row->effect == REDUCED_TO_ROOT) {
        reduce(rank, meeting, call, row);
        return;
    }
    for (int i = 0; i < count; i++) {
        const struct cell *to = &meeting->results[i];
        if (to->kind != CELL_POINTER || !to->object || row->effect == MET)
            continue;
        if (row->effect == LOST || (root < 0 && row->effect != GATHERED_BY_ALL)) {
            object_lose(to->object, "what a message brings");
            continue;
        }
        if (row->effect == SPREAD && i != root) {
            const struct message_on_way message =
                contents_of(rank, &meeting->given[root], 0, bytes);
            put(rank, to, 0, &message);
        } else if (row->effect == SCATTERED) {
            const struct message_on_way message =
                contents_of(rank, &meeting->given[root], i * bytes, bytes);
            put(rank, to, 0, &message);
        } else if (row->effect == GATHERED_BY_ALL || (row->effect == GATHERED && i == root))
            for (int k = 0; k < count; k++) {
                const struct message_on_way message =
                    contents_of(rank, &meeting->given[k], 0, meeting->bytes[k]);
                put(rank, to, k * meeting->bytes[k], &message);
            }
    }
}

/* The count in a table of a process's own part, or the mean of all of them: the processes of a
   communicator have one each. */
static struct cell counted_in_table(struct rank *rank, const struct syntax *call, int table,
                                    int group, bool is_own)
{
    struct run *run = rank->run;
    const struct cell at = rank_evaluate(rank, call->children[table]);
    const int parts = run->groups[group].count, own = group_rank(rank, group);
    struct cell first = cell_number(0), sum = cell_number(0);
    bool is_alike = true;
    if (at.kind != CELL_POINTER || !at.object)
        return cell_unknown(at.why ? at.why : "a table that is not followed");
    for (int i = is_own ? own : 0; i < (is_own ? own + 1 : parts); i++) {
        const struct cell part = object_read(at.object, at.offset + 4 * i);
        if (part.kind != CELL_NUMBER)
            return part;
        if (is_own)
            return part;
        first = i == 0 ? part : first;
        is_alike = is_alike && part.number == first.number;
        sum = rank_arithmetic(rank, DO_ADD, sum, part, call);
    }
    if (is_alike)
        return first;
    describer_remark(run->describer, call->place,
                     "%s: the parts are not all of one size, and are described as their mean: it "
                     "takes longer where one process gets more than the others",
                     call->name);
    polynomial form = cell_form(run, &sum);
    struct cell mean = cell_own(sum.number / parts);
    if (form)
        mean = cell_formed(run, polynomial_scaled(&run->describer->algebra, form, 1.0 / parts),
                           mean.number);
    return mean;
}

/* Bytes that a process gives, as its row says. */
static bool given_bytes(struct rank *rank, const struct syntax *call, const struct collective *row,
                        int group, struct cell *bytes)
{
    *bytes = cell_number(0);
    if (row->count < 0)
        return true;
    const bool is_in_place =
        row->in_place_count >= 0 && is_constant(call->children[row->given], "MPI_IN_PLACE");
    const int count = is_in_place ? row->in_place_count : row->count;
    const int type = is_in_place ? row->in_place_type : row->type;
    if (group == 1 || row->counting == ONE || (row->counting == OWN_PART && !is_in_place))
        return mpi_bytes(rank, call, count, type, bytes);
    return mpi_bytes_of(rank, call,
                        counted_in_table(rank, call, count, group, row->counting == OWN_PART),
                        count, type, bytes);
}

bool collective_call(struct rank *rank, const struct syntax *call, struct cell *cell)
{
    (void)cell;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct collective *row = &rows[i];
        struct cell bytes;
        if (strcmp(call->name, row->name) != 0 || call->count <= row->communicator)
            continue;
        const int group = group_of(rank, call->children[row->communicator]);
        if (group < 0 || !given_bytes(rank, call, row, group, &bytes))
            return true;
        if (group == 1)
            return true;
        struct event *event = event_add(rank, EVENT_COLLECTIVE, call, -1);
        event->bytes = bytes.number;
        event->form = cell_form(rank->run, &bytes);
        event->group = group;
        struct meeting *meeting = meeting_of(rank, group, call->name);
        const int own = group_rank(rank, group);
        meeting->bytes[own] = bytes.number;
        meeting->events[own] = rank->event_count - 1;
        if (row->given >= 0 && !is_constant(call->children[row->given], "MPI_IN_PLACE"))
            meeting->given[own] = rank_evaluate(rank, call->children[row->given]);
        if (row->result >= 0)
            meeting->results[own] = rank_evaluate(rank, call->children[row->result]);
        if (row->root >= 0)
            meeting->roots[own] = rank_evaluate(rank, call->children[row->root]);
        const struct cell *root = &meeting->roots[own];
        const struct communicator *members = &rank->run->groups[group];
        if (row->root >= 0 && root->kind == CELL_NUMBER && root->number >= 0 &&
            root->number < members->count)
            event->root = members->members[(int)root->number];
        meeting_arrive(rank, meeting, call, finish, row);
        return true;
    }
    return false;
}
