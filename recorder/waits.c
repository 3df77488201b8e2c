/* The ends of requests, and probes. Handles are kept from before, as afterwards they are
   MPI_REQUEST_NULL. */
#include "recorder/record.h"

#include "model/base/allocation.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

static MPI_Request *copy_of(int count, const MPI_Request requests[])
{
    MPI_Request *copy = memory_new((size_t)(count > 0 ? count : 0) + 1, sizeof *copy);
    if (count > 0)
        memcpy(copy, requests, (size_t)count * sizeof *copy);
    return copy;
}

/* Closes so many: those at the indices, or all where these are NULL. A program that asks for more
   and gets none lets others go on. */
static void close_requests(const MPI_Request *before, int count, const int *indices)
{
    for (int i = 0; i < count; i++)
        request_close(before[indices ? indices[i] : i]);
    if (count > 0)
        requests_note_done(false);
    else
        sched_yield();
}

EXPORTED int MPI_Wait(MPI_Request *request, MPI_Status *told)
{
    const MPI_Request before = *request;
    const bool is_recorded = record_enter();
    const int status = is_recorded ? record_wait(request, told) : PMPI_Wait(request, told);
    if (is_recorded)
        close_requests(&before, 1, NULL);
    record_leave();
    return status;
}

EXPORTED int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[])
{
    if (!record_enter()) {
        record_leave();
        return PMPI_Waitall(count, requests, statuses);
    }
    MPI_Request *before = copy_of(count, requests);
    const int status = record_wait_all(count, requests, statuses);
    close_requests(before, count, NULL);
    free(before);
    record_leave();
    return status;
}

EXPORTED int MPI_Waitany(int count, MPI_Request requests[], int *index, MPI_Status *told)
{
    if (!record_enter()) {
        record_leave();
        return PMPI_Waitany(count, requests, index, told);
    }
    MPI_Request *before = copy_of(count, requests);
    int status, is_done = 0;
    while ((status = PMPI_Testany(count, requests, index, &is_done, told)) == MPI_SUCCESS &&
           !is_done)
        sched_yield();
    close_requests(before, *index == MPI_UNDEFINED ? 0 : 1, index);
    free(before);
    record_leave();
    return status;
}

EXPORTED int MPI_Waitsome(int count, MPI_Request requests[], int *done, int indices[],
                          MPI_Status statuses[])
{
    if (!record_enter()) {
        record_leave();
        return PMPI_Waitsome(count, requests, done, indices, statuses);
    }
    MPI_Request *before = copy_of(count, requests);
    int status;
    while ((status = PMPI_Testsome(count, requests, done, indices, statuses)) == MPI_SUCCESS &&
           *done == 0)
        sched_yield();
    close_requests(before, *done == MPI_UNDEFINED ? 0 : *done, indices);
    free(before);
    record_leave();
    return status;
}

EXPORTED int MPI_Test(MPI_Request *request, int *flag, MPI_Status *told)
{
    const MPI_Request before = *request;
    const bool is_recorded = record_enter();
    const int status = PMPI_Test(request, flag, told);
    if (is_recorded)
        close_requests(&before, *flag ? 1 : 0, NULL);
    record_leave();
    return status;
}

EXPORTED int MPI_Testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[])
{
    if (!record_enter()) {
        record_leave();
        return PMPI_Testall(count, requests, flag, statuses);
    }
    MPI_Request *before = copy_of(count, requests);
    const int status = PMPI_Testall(count, requests, flag, statuses);
    close_requests(before, *flag ? count : 0, NULL);
    free(before);
    record_leave();
    return status;
}

EXPORTED int MPI_Testany(int count, MPI_Request requests[], int *index, int *flag, MPI_Status *told)
{
    if (!record_enter()) {
        record_leave();
        return PMPI_Testany(count, requests, index, flag, told);
    }
    MPI_Request *before = copy_of(count, requests);
    const int status = PMPI_Testany(count, requests, index, flag, told);
    close_requests(before, *flag && *index != MPI_UNDEFINED ? 1 : 0, index);
    free(before);
    record_leave();
    return status;
}

EXPORTED int MPI_Testsome(int count, MPI_Request requests[], int *done, int indices[],
                          MPI_Status statuses[])
{
    if (!record_enter()) {
        record_leave();
        return PMPI_Testsome(count, requests, done, indices, statuses);
    }
    MPI_Request *before = copy_of(count, requests);
    const int status = PMPI_Testsome(count, requests, done, indices, statuses);
    close_requests(before, *done == MPI_UNDEFINED ? 0 : *done, indices);
    free(before);
    record_leave();
    return status;
}

/* ---- probes: one that finds nothing is not noted ---- */

EXPORTED int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status *told)
{
    int status, is_there = 0;
    if (!record_enter()) {
        status = PMPI_Probe(from, tag, comm, told);
    } else {
        record_call(RECORD_PROBE, comm, from, tag, 0, 0);
        while ((status = PMPI_Iprobe(from, tag, comm, &is_there, told)) == MPI_SUCCESS && !is_there)
            sched_yield();
    }
    record_leave();
    return status;
}

EXPORTED int MPI_Iprobe(int from, int tag, MPI_Comm comm, int *is_there, MPI_Status *told)
{
    const bool is_recorded = record_enter();
    const int status = PMPI_Iprobe(from, tag, comm, is_there, told);
    if (is_recorded && *is_there)
        record_call(RECORD_PROBE, comm, from, tag, 0, 0);
    else if (is_recorded)
        sched_yield();
    record_leave();
    return status;
}
