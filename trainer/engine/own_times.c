#include "trainer/engine/own_times.h"

#include <math.h>

/* An MPI_User_function. */
static void add_up(void *more, void *all, int *count, MPI_Datatype *type)
{
    const struct own_times *in = more;
    struct own_times *inout = all;
    (void)type;
    for (int i = 0; i < *count; i++) {
        inout[i].longest_s = fmax(inout[i].longest_s, in[i].longest_s);
        inout[i].sum_s += in[i].sum_s;
        inout[i].late += in[i].late;
    }
}

struct own_times_reduction own_times_begin(void)
{
    struct own_times_reduction reduction;
    MPI_Type_contiguous(3, MPI_DOUBLE, &reduction.type);
    MPI_Type_commit(&reduction.type);
    MPI_Op_create(add_up, 1, &reduction.operation);
    return reduction;
}

void own_times_end(struct own_times_reduction *reduction)
{
    MPI_Op_free(&reduction->operation);
    MPI_Type_free(&reduction->type);
}

struct own_times own_times_reduce(const struct own_times_reduction *reduction, double mine_s,
                                  bool late, MPI_Comm comm)
{
    const struct own_times mine = {mine_s, mine_s, late};
    struct own_times all = mine;
    MPI_Reduce(&mine, &all, 1, reduction->type, reduction->operation, 0, comm);
    return all;
}
