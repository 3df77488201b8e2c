#include "describer/ranks/run.h"

#include <math.h>
#include <string.h>

/* ---- new communicators ---- */

/* Those who give the same color (meeting->roots) are one, in the order of their keys
   (meeting->bytes); a color below 0: none. */
static void split(struct rank *rank, struct meeting *meeting, const struct syntax *call,
                  const struct collective *row)
{
    struct run *run = rank->run;
    const struct communicator *group = &run->groups[meeting->group];
    (void)row;
    for (int i = 0; i < group->count; i++) {
        const struct cell *color = &meeting->roots[i];
        if (color->kind != CELL_NUMBER) {
            run_fail(run, FAILED, call->place,
                     "%s: which processes go together depends on %s: `ignore` what is sent among "
                     "them, and say it: #pragma forecost call many-to-many bytes(E) processors(P)",
                     call->name, color->why ? color->why : "data");
            return;
        }
    }
    for (int i = 0; i < group->count; i++) {
        const double color = meeting->roots[i].number;
        bool is_first = true;
        for (int k = 0; k < i; k++)
            is_first = is_first && meeting->roots[k].number != color;
        if (!is_first || color < 0)
            continue;
        if (run->group_count == GROUPS_MOST) {
            run_fail(run, FAILED, call->place, "%s: more than %d communicators", call->name,
                     GROUPS_MOST);
            return;
        }
        struct communicator *made = &run->groups[run->group_count];
        made->members = arena_take(run->describer->arena, (size_t)group->count, sizeof(int));
        double *keys = arena_take(run->describer->arena, (size_t)group->count, sizeof *keys);
        for (int k = i; k < group->count; k++) {
            if (meeting->roots[k].number != color)
                continue;
            const double key = meeting->bytes[k];
            int at = made->count++;
            for (; at > 0 && keys[at - 1] > key; at--) {
                keys[at] = keys[at - 1];
                made->members[at] = made->members[at - 1];
            }
            keys[at] = key;
            made->members[at] = group->members[k];
        }
        for (int k = i; k < group->count; k++) {
            const struct cell *to = &meeting->results[k];
            if (meeting->roots[k].number == color && to->kind == CELL_POINTER && to->object)
                object_write(run, to->object, to->offset, cell_number(run->group_count));
        }
        run->group_count++;
    }
}

/* All processes of a communicator make new ones of its parts: the number of this process's, or -1.
 */
static int made_of(struct rank *rank, const struct syntax *call, int group, struct cell color,
                   double key, int result)
{
    if (group < 0)
        return -1;
    if (group == 1) {
        run_fail(rank->run, FAILED, call->place, "%s of one process is not followed", call->name);
        return -1;
    }
    struct meeting *meeting = meeting_of(rank, group, call->name);
    const int own = group_rank(rank, group);
    const struct cell place = rank_evaluate(rank, call->children[result]);
    meeting->results[own] = place;
    meeting->roots[own] = color;
    meeting->bytes[own] = key;
    if (place.kind != CELL_POINTER || !place.object)
        return -1;
    object_write(rank->run, place.object, place.offset, cell_number(-1));
    meeting_arrive(rank, meeting, call, split, NULL);
    return (int)object_read(place.object, place.offset).number;
}

/* ---- groups ---- */

/* A group of processes is a pointer to their numbers in the whole run. Their count stands one int,
   4 bytes, before the first number: no threshold, but a layout. */
static const double count_at = -4;
/* The place in a group of a process that is not in it: MPICH and Open MPI have the same number. */
enum { UNDEFINED = -32766 };

static double element(const struct cell *array, int i)
{
    const struct cell cell = array->kind == CELL_POINTER && array->object
                                 ? object_read(array->object, array->offset + 4 * i)
                                 : cell_unknown(NULL);
    return cell.kind == CELL_NUMBER ? cell.number : NAN;
}

static int group_size(const struct cell *group)
{
    const double size = group->kind == CELL_POINTER && group->object
                            ? object_read(group->object, count_at).number
                            : 0;
    return (int)size;
}

static int place_in_group(const struct cell *group, double process)
{
    for (int i = 0; i < group_size(group); i++)
        if (element(group, i) == process)
            return i;
    return -1;
}

static void add_member(struct rank *rank, const struct cell *group, double process)
{
    const int size = group_size(group);
    object_write(rank->run, group->object, 4 * size, cell_number(process));
    object_write(rank->run, group->object, count_at, cell_number(size + 1));
}

static struct cell empty_group(struct rank *rank)
{
    const struct cell group = cell_pointer(object_new(rank->run), 0);
    object_write(rank->run, group.object, count_at, cell_number(0));
    return group;
}

static bool group_call(struct rank *rank, const struct syntax *call)
{
    const struct run *run = rank->run;
    const char *name = call->name;
    const bool is_group_of = !strcmp(name, "MPI_Comm_group") && call->count == 2;
    if (!is_group_of && (strncmp(name, "MPI_Group_", 10) != 0 || call->count < 1))
        return false;
    struct cell made = empty_group(rank);
    double count = 0;
    if (is_group_of) {
        const int group = group_of(rank, call->children[0]);
        for (int i = 0; group >= 0 && group != 1 && i < run->groups[group].count; i++)
            add_member(rank, &made, run->groups[group].members[i]);
        if (group == 1)
            add_member(rank, &made, rank->number);
        mpi_set(rank, call, 1, made);
        return true;
    }
    const struct cell one = rank_evaluate(rank, call->children[0]);
    const char *what = name + 10;
    if (!strcmp(what, "free"))
        return true;
    if (one.kind == CELL_UNKNOWN) {
        run_fail(rank->run, FAILED, call->place,
                 "%s: which processes the group has depends on %s: `ignore` it, and say what is "
                 "sent: #pragma forecost call point-to-point bytes(E)",
                 name, one.why ? one.why : "what is not followed");
        return true;
    }
    if (!strcmp(what, "size") || !strcmp(what, "rank")) {
        const int place = place_in_group(&one, rank->number);
        mpi_set(rank, call, 1,
                *what == 's' ? cell_own(group_size(&one))
                             : cell_own(place < 0 ? UNDEFINED : place));
        return true;
    }
    const bool includes = !strcmp(what, "incl") || !strcmp(what, "range_incl");
    if (includes || !strcmp(what, "excl") || !strcmp(what, "range_excl")) {
        if (!mpi_number(rank, call, 1, "how many processes it names", &count))
            return true;
        const struct cell numbers = rank_evaluate(rank, call->children[2]);
        const bool is_range = *what == 'r';
        struct cell named = empty_group(rank);
        for (int i = 0; i < count; i++) {
            const double first = element(&numbers, is_range ? 3 * i : i);
            const double last = is_range ? element(&numbers, 3 * i + 1) : first;
            const double step = is_range ? element(&numbers, 3 * i + 2) : 1;
            for (double at = first; step != 0 && (step > 0 ? at <= last : at >= last); at += step)
                if (at >= 0 && at < group_size(&one))
                    add_member(rank, &named, element(&one, (int)at));
            if (isnan(first) || isnan(last) || isnan(step))
                run_fail(rank->run, FAILED, call->place,
                         "%s: which processes it names is not known before the program runs", name);
        }
        for (int i = 0; !includes && i < group_size(&one); i++)
            if (place_in_group(&named, element(&one, i)) < 0)
                add_member(rank, &made, element(&one, i));
        mpi_set(rank, call, 3, includes ? named : made);
        return true;
    }
    const bool joins = !strcmp(what, "union"), meets = !strcmp(what, "intersection");
    if (joins || meets || !strcmp(what, "difference")) {
        const struct cell other = rank_evaluate(rank, call->children[1]);
        for (int i = 0; i < group_size(&one); i++)
            if (joins || (place_in_group(&other, element(&one, i)) >= 0) == meets)
                add_member(rank, &made, element(&one, i));
        for (int i = 0; joins && i < group_size(&other); i++)
            if (place_in_group(&one, element(&other, i)) < 0)
                add_member(rank, &made, element(&other, i));
        mpi_set(rank, call, 2, made);
        return true;
    }
    return false;
}

/* Only the processes of the group come to it: whoever does first makes the communicator, and the
   others find it. */
static void create_group(struct rank *rank, const struct syntax *call, const struct cell *members)
{
    struct run *run = rank->run;
    const int count = group_size(members);
    for (int i = 0; i < run->group_count; i++) {
        bool is_it = run->groups[i].made_by == call && run->groups[i].count == count;
        for (int k = 0; k < count && is_it; k++)
            is_it = run->groups[i].members[k] == element(members, k);
        if (is_it) {
            mpi_set(rank, call, 3, cell_number(i));
            return;
        }
    }
    if (run->group_count == GROUPS_MOST) {
        run_fail(run, FAILED, call->place, "%s: more than %d communicators", call->name,
                 GROUPS_MOST);
        return;
    }
    struct communicator *made = &run->groups[run->group_count];
    *made = (struct communicator){.count = count, .made_by = call};
    made->members = arena_take(run->describer->arena, (size_t)count + 1, sizeof(int));
    for (int i = 0; i < count; i++)
        made->members[i] = (int)element(members, i);
    mpi_set(rank, call, 3, cell_number(run->group_count++));
}

/* ---- grids ---- */

/* Extents as close to one another as divisors of the number are, the larger ones first
   (MPI_Dims_create). */
static void find_extents(int left, int count, int most, int *chosen, int at, int *best)
{
    if (at == count) {
        if (left == 1 &&
            (best[0] == 0 || chosen[0] - chosen[count - 1] < best[0] - best[count - 1]))
            memcpy(best, chosen, (size_t)count * sizeof *best);
        return;
    }
    for (int extent = left < most ? left : most; extent > 0; extent--)
        if (left % extent == 0) {
            chosen[at] = extent;
            find_extents(left / extent, count, extent, chosen, at + 1, best);
        }
}

static void choose_extents(struct rank *rank, const struct syntax *call)
{
    double nodes, dimensions;
    if (!mpi_number(rank, call, 0, "how many processes the grid has", &nodes) ||
        !mpi_number(rank, call, 1, "how many dimensions the grid has", &dimensions) ||
        dimensions < 1 || dimensions > GRID_MOST)
        return;
    const struct cell extents = rank_evaluate(rank, call->children[2]);
    int chosen[GRID_MOST] = {0}, best[GRID_MOST] = {0}, open = 0;
    for (int i = 0; i < dimensions; i++) {
        const double given = element(&extents, i);
        if (given > 0)
            nodes = floor(nodes / given);
        else if (given == 0)
            open++;
        else {
            run_fail(rank->run, FAILED, call->place,
                     "%s: the extents of the grid begin as %s: 0 lets MPI choose one", call->name,
                     given < 0 ? "a negative number" : "what nobody has set");
            return;
        }
    }
    if (open == 0)
        return;
    find_extents((int)nodes, open, (int)nodes, chosen, 0, best);
    for (int i = 0, next = 0; i < dimensions; i++)
        if (element(&extents, i) == 0)
            object_write(rank->run, extents.object, extents.offset + 4 * i, cell_own(best[next++]));
}

static void coordinates_of(const struct communicator *grid, int number, int *at)
{
    for (int i = grid->dimensions - 1; i >= 0; i--) {
        at[i] = number % grid->extents[i];
        number /= grid->extents[i];
    }
}

/* The process at these coordinates, around the ends of dimensions that are closed to rings. */
static double number_at(const struct communicator *grid, const int *at)
{
    double number = 0;
    for (int i = 0; i < grid->dimensions; i++) {
        int own = at[i];
        if (grid->is_ring[i])
            own = ((own % grid->extents[i]) + grid->extents[i]) % grid->extents[i];
        if (own < 0 || own >= grid->extents[i])
            return PROCESS_NONE;
        number = number * grid->extents[i] + own;
    }
    return number;
}

static void create_grid(struct rank *rank, const struct syntax *call)
{
    double dimensions, product = 1;
    if (!mpi_number(rank, call, 1, "how many dimensions the grid has", &dimensions) ||
        dimensions > GRID_MOST)
        return;
    const int group = group_of(rank, call->children[0]);
    const struct cell extents = rank_evaluate(rank, call->children[2]);
    const struct cell rings = rank_evaluate(rank, call->children[3]);
    struct communicator grid = {.dimensions = (int)dimensions};
    for (int i = 0; i < dimensions; i++) {
        const double extent = element(&extents, i), ring = element(&rings, i);
        if (isnan(extent) || isnan(ring) || extent < 1) {
            run_fail(rank->run, FAILED, call->place,
                     "%s: %s of dimension %d of the grid is not known before the program runs",
                     call->name, isnan(ring) ? "the period" : "the extent", i);
            return;
        }
        grid.extents[i] = (int)extent;
        grid.is_ring[i] = ring != 0;
        product *= extent;
    }
    const int own = group < 0 ? 0 : group_rank(rank, group);
    if (group >= 0 && group != 1 && product > rank->run->groups[group].count) {
        run_fail(rank->run, REFUSED, call->place,
                 "with %d processes, a grid of %g does not come about here (%s)", rank->run->p,
                 product, call->name);
        return;
    }
    const int number = made_of(rank, call, group, cell_number(own < product ? 0 : -1), own, 5);
    if (number < 0)
        return;
    struct communicator *made = &rank->run->groups[number];
    grid.members = made->members;
    grid.count = made->count;
    *made = grid;
}

static void sub_grid(struct rank *rank, const struct syntax *call, int group)
{
    const struct communicator grid = rank->run->groups[group];
    const struct cell kept = rank_evaluate(rank, call->children[1]);
    const int own = group_rank(rank, group);
    struct communicator part = {0};
    int at[GRID_MOST], color = 0;
    coordinates_of(&grid, own, at);
    for (int i = 0; i < grid.dimensions; i++) {
        const double is_kept = element(&kept, i);
        if (isnan(is_kept))
            run_fail(rank->run, FAILED, call->place,
                     "%s: whether it keeps dimension %d is not known before the program runs",
                     call->name, i);
        else if (is_kept != 0) {
            part.extents[part.dimensions] = grid.extents[i];
            part.is_ring[part.dimensions++] = grid.is_ring[i];
        } else
            color = color * grid.extents[i] + at[i];
    }
    const int number = made_of(rank, call, group, cell_number(color), own, 2);
    if (number < 0)
        return;
    struct communicator *made = &rank->run->groups[number];
    part.members = made->members;
    part.count = made->count;
    *made = part;
}

static void set_elements(struct rank *rank, const struct syntax *call, int argument, double most,
                         const int *values)
{
    const struct cell place = rank_evaluate(rank, call->children[argument]);
    for (int i = 0; place.kind == CELL_POINTER && place.object && i < most; i++)
        object_write(rank->run, place.object, place.offset + 4 * i, cell_own(values[i]));
}

static void ask_grid(struct rank *rank, const struct syntax *call)
{
    const int group = group_of(rank, call->children[0]);
    if (group < 0)
        return;
    const struct communicator *grid = &rank->run->groups[group];
    const int own = group_rank(rank, group);
    const char *what = call->name + strlen("MPI_Cart_");
    int at[GRID_MOST] = {0}, rings[GRID_MOST];
    double number, steps;
    if (group == 1 || grid->dimensions == 0) {
        run_fail(rank->run, FAILED, call->place,
                 "%s: this communicator is no grid that MPI_Cart_create has made", call->name);
        return;
    }
    for (int i = 0; i < grid->dimensions; i++)
        rings[i] = grid->is_ring[i];
    coordinates_of(grid, own, at);
    if (!strcmp(call->name, "MPI_Cartdim_get"))
        mpi_set(rank, call, 1, cell_number(grid->dimensions));
    else if (!strcmp(what, "get") && call->count == 5) {
        set_elements(rank, call, 2, grid->dimensions, grid->extents);
        set_elements(rank, call, 3, grid->dimensions, rings);
        set_elements(rank, call, 4, grid->dimensions, at);
    } else if (!strcmp(what, "coords") && call->count == 4) {
        if (!mpi_number(rank, call, 1, "whose coordinates it asks for", &number))
            return;
        coordinates_of(grid, (int)number, at);
        set_elements(rank, call, 3, grid->dimensions, at);
    } else if (!strcmp(what, "rank") && call->count == 3) {
        const struct cell given = rank_evaluate(rank, call->children[1]);
        bool is_known = true;
        for (int i = 0; i < grid->dimensions; i++) {
            is_known = is_known && !isnan(element(&given, i));
            at[i] = is_known ? (int)element(&given, i) : 0;
        }
        mpi_set(rank, call, 2,
                is_known ? cell_own(number_at(grid, at)) : cell_unknown("coordinates in a grid"));
    } else if (!strcmp(what, "shift") && call->count == 5) {
        if (!mpi_number(rank, call, 1, "the dimension", &number) ||
            !mpi_number(rank, call, 2, "how far it goes", &steps) || number < 0 ||
            number >= grid->dimensions)
            return;
        for (int i = 3; i < 5; i++) {
            const int here = at[(int)number];
            at[(int)number] += (i == 3 ? -1 : 1) * (int)steps;
            mpi_set(rank, call, i, cell_own(number_at(grid, at)));
            at[(int)number] = here;
        }
    } else if (!strcmp(what, "sub") && call->count == 3)
        sub_grid(rank, call, group);
    else
        run_fail(rank->run, FAILED, call->place,
                 "%s: what it does to the messages of a program is not followed: `ignore` it, and "
                 "say what is sent: #pragma forecost call point-to-point bytes(E)",
                 call->name);
}

/* A process inside a grid has two neighbours in each dimension, as it has in a line of all: that is
   what a description for all numbers of processes tells. */
static void take_line(struct rank *rank, const struct syntax *call)
{
    struct run *run = rank->run;
    if (!strcmp(call->name, "MPI_Cart_create") && call->count == 6) {
        describer_remark(run->describer, call->place,
                         "MPI_Cart_create: messages are those of a process inside the grid, with "
                         "neighbours on both sides in each dimension");
        mpi_set(rank, call, 5, cell_number(group_of(rank, call->children[0])));
    } else if (!strcmp(call->name, "MPI_Cart_shift") && call->count == 5) {
        const int group = group_of(rank, call->children[0]);
        const struct cell steps = rank_evaluate(rank, call->children[2]);
        if (group < 0)
            return;
        const int size = group == 1 ? 1 : run->groups[group].count;
        for (int i = 3; i < 5; i++) {
            const double at = group_rank(rank, group) + (i == 3 ? -1 : 1) * steps.number;
            mpi_set(rank, call, i,
                    steps.kind != CELL_NUMBER ? steps
                    : at < 0 || at >= size    ? cell_number(PROCESS_NONE)
                                              : cell_own(at));
        }
    } else {
        run->describer->is_lawless = true;
        for (int i = 0; i < call->count; i++) {
            const struct cell place = rank_evaluate(rank, call->children[i]);
            if (place.kind == CELL_POINTER)
                object_lose(place.object, NULL);
        }
    }
}

bool communicator_call(struct rank *rank, const struct syntax *call)
{
    const char *name = call->name;
    const bool is_split = !strcmp(name, "MPI_Comm_split") && call->count == 4;
    if (is_split || (!strcmp(name, "MPI_Comm_dup") && call->count == 2)) {
        const int group = group_of(rank, call->children[0]);
        if (group < 0)
            return true;
        const int own = group_rank(rank, group);
        const struct cell key =
            is_split ? rank_evaluate(rank, call->children[2]) : cell_number(own);
        made_of(rank, call, group,
                is_split ? rank_evaluate(rank, call->children[1]) : cell_number(0),
                key.kind == CELL_NUMBER ? key.number : 0, is_split ? 3 : 1);
        return true;
    }
    if (!strcmp(name, "MPI_Comm_create") && call->count == 3) {
        const struct cell members = rank_evaluate(rank, call->children[1]);
        const int own = place_in_group(&members, rank->number);
        if (members.kind == CELL_UNKNOWN)
            run_fail(rank->run, FAILED, call->place,
                     "%s: which processes the group has depends on %s: `ignore` it, and say what "
                     "is sent: #pragma forecost call point-to-point bytes(E)",
                     name, members.why ? members.why : "what is not followed");
        made_of(rank, call, group_of(rank, call->children[0]),
                cell_number(own < 0 ? -1 : element(&members, 0)), own, 2);
        return true;
    }
    if (!strcmp(name, "MPI_Comm_create_group") && call->count == 4) {
        const struct cell members = rank_evaluate(rank, call->children[1]);
        create_group(rank, call, &members);
        return true;
    }
    if (group_call(rank, call))
        return true;
    if (strncmp(name, "MPI_Cart", 8) != 0 && strcmp(name, "MPI_Dims_create") != 0)
        return false;
    if (rank->run->cap > 0 && !rank->run->describer->is_of_one)
        take_line(rank, call);
    else if (!strcmp(name, "MPI_Dims_create") && call->count == 3)
        choose_extents(rank, call);
    else if (!strcmp(name, "MPI_Cart_create") && call->count == 6)
        create_grid(rank, call);
    else
        ask_grid(rank, call);
    return true;
}
