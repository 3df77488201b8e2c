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
} rows[] = {
    {"MPI_Bcast",                0,  1,  2,  0,  -1, 3,  4, -1, -1, SPREAD         },
    {"MPI_Reduce",               0,  2,  3,  1,  4,  5,  6, -1, -1, REDUCED_TO_ROOT},
    {"MPI_Allreduce",            0,  2,  3,  1,  4,  -1, 5, -1, -1, REDUCED_TO_ALL },
    {"MPI_Scan",                 0,  2,  3,  1,  4,  -1, 5, -1, -1, LOST           },
    {"MPI_Exscan",               0,  2,  3,  1,  4,  -1, 5, -1, -1, LOST           },
    {"MPI_Gather",               0,  1,  2,  3,  -1, 6,  7, -1, -1, GATHERED       },
    {"MPI_Gatherv",              0,  1,  2,  3,  -1, 7,  8, -1, -1, LOST           },
    {"MPI_Scatter",              0,  1,  2,  3,  -1, 6,  7, -1, -1, SCATTERED      },
    {"MPI_Scatterv",             0,  5,  6,  4,  -1, 7,  8, -1, -1, LOST           },
    {"MPI_Allgather",            0,  1,  2,  3,  -1, -1, 6, 4,  5,  GATHERED_BY_ALL},
    {"MPI_Allgatherv",           0,  1,  2,  3,  -1, -1, 7, -1, -1, LOST           },
    {"MPI_Alltoall",             0,  1,  2,  3,  -1, -1, 6, 4,  5,  LOST           },
    {"MPI_Alltoallv",            0,  -1, -1, 4,  -1, -1, 8, -1, -1, LOST           },
    {"MPI_Reduce_scatter",       0,  -1, -1, 1,  4,  -1, 5, -1, -1, LOST           },
    {"MPI_Reduce_scatter_block", 0,  2,  3,  1,  4,  -1, 5, -1, -1, LOST           },
    {"MPI_Barrier",              -1, -1, -1, -1, -1, -1, 0, -1, -1, MET            },
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

/* Bytes that a process gives, as its row says. */
static bool given_bytes(struct rank *rank, const struct syntax *call, const struct collective *row,
                        struct cell *bytes)
{
    *bytes = cell_number(0);
    if (row->count < 0)
        return true;
    const bool is_in_place =
        row->in_place_count >= 0 && is_constant(call->children[row->given], "MPI_IN_PLACE");
    return mpi_bytes(rank, call, is_in_place ? row->in_place_count : row->count,
                     is_in_place ? row->in_place_type : row->type, bytes);
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
        if (group < 0 || !given_bytes(rank, call, row, &bytes))
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
        if (row->given >= 0 && !is_constant(call->children[row->given], "MPI_IN_PLACE"))
            meeting->given[own] = rank_evaluate(rank, call->children[row->given]);
        if (row->result >= 0)
            meeting->results[own] = rank_evaluate(rank, call->children[row->result]);
        if (row->root >= 0)
            meeting->roots[own] = rank_evaluate(rank, call->children[row->root]);
        meeting_arrive(rank, meeting, call, finish, row);
        return true;
    }
    return false;
}
