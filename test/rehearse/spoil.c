/* Loaded before the MPI library: what MPI_Sendrecv, MPI_Alltoall and MPI_Allgather brought is
   changed in one byte, the last, on rank 1. */
#include <mpi.h>

static void spoil(char *received, MPI_Aint bytes, MPI_Comm comm)
{
    int rank;
    PMPI_Comm_rank(comm, &rank);
    if (rank == 1 && bytes > 0)
        received[bytes - 1] ^= 1;
}

static MPI_Aint bytes_of(int count, MPI_Datatype type)
{
    int size;
    PMPI_Type_size(type, &size);
    return (MPI_Aint)count * size;
}

int MPI_Sendrecv(const void *out, int out_count, MPI_Datatype out_type, int to, int out_tag,
                 void *in, int in_count, MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm,
                 MPI_Status *status)
{
    const int result = PMPI_Sendrecv(out, out_count, out_type, to, out_tag, in, in_count, in_type,
                                     from, in_tag, comm, status);
    spoil(in, bytes_of(in_count, in_type), comm);
    return result;
}

int MPI_Alltoall(const void *out, int out_count, MPI_Datatype out_type, void *in, int in_count,
                 MPI_Datatype in_type, MPI_Comm comm)
{
    int processors;
    const int result = PMPI_Alltoall(out, out_count, out_type, in, in_count, in_type, comm);
    PMPI_Comm_size(comm, &processors);
    spoil(in, processors * bytes_of(in_count, in_type), comm);
    return result;
}

int MPI_Allgather(const void *out, int out_count, MPI_Datatype out_type, void *in, int in_count,
                  MPI_Datatype in_type, MPI_Comm comm)
{
    int processors;
    const int result = PMPI_Allgather(out, out_count, out_type, in, in_count, in_type, comm);
    PMPI_Comm_size(comm, &processors);
    spoil(in, processors * bytes_of(in_count, in_type), comm);
    return result;
}
