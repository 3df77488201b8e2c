/* Messages between two processes. What blocks is started, and waited for giving the processor away,
   so that many processes run on few cores. */
#include "recorder/record.h"

#include "model/base/allocation.h"

#include <stdlib.h>

/* ---- blocking ---- */

#define SENDS(name, started)                                                                       \
    EXPORTED int MPI_##name(const void *buffer, int count, MPI_Datatype type, int to, int tag,     \
                            MPI_Comm comm)                                                         \
    {                                                                                              \
        MPI_Request request;                                                                       \
        int status;                                                                                \
        if (!record_enter())                                                                       \
            status = PMPI_##name(buffer, count, type, to, tag, comm);                              \
        else if (record_call(RECORD_SEND, comm, to, tag, record_bytes(count, type), 0),            \
                 (status = PMPI_##started(buffer, count, type, to, tag, comm, &request)) ==        \
                     MPI_SUCCESS)                                                                  \
            status = record_wait(&request, MPI_STATUS_IGNORE);                                     \
        record_leave();                                                                            \
        return status;                                                                             \
    }
SENDS(Send, Isend)
SENDS(Ssend, Issend)
SENDS(Rsend, Irsend)

/* It copies and does not wait. */
EXPORTED int MPI_Bsend(const void *buffer, int count, MPI_Datatype type, int to, int tag,
                       MPI_Comm comm)
{
    if (record_enter())
        record_call(RECORD_SEND, comm, to, tag, record_bytes(count, type), 0);
    const int status = PMPI_Bsend(buffer, count, type, to, tag, comm);
    record_leave();
    return status;
}

EXPORTED int MPI_Recv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                      MPI_Status *told)
{
    MPI_Request request;
    int status;
    if (!record_enter()) {
        status = PMPI_Recv(buffer, count, type, from, tag, comm, told);
    } else {
        record_call(RECORD_RECEIVE, comm, from, tag, record_bytes(count, type), 0);
        status = PMPI_Irecv(buffer, count, type, from, tag, comm, &request);
        if (status == MPI_SUCCESS)
            status = record_wait(&request, told);
    }
    record_leave();
    return status;
}

/* Both are under way at once: a start of each, and the end of both. */
static int exchange(const void *buffer, int count, MPI_Datatype type, int to, int tag, void *into,
                    int most, MPI_Datatype as, int from, int its, MPI_Comm comm, MPI_Status *told)
{
    MPI_Request requests[2];
    MPI_Status statuses[2];
    int status = PMPI_Irecv(into, most, as, from, its, comm, &requests[0]);
    if (status == MPI_SUCCESS)
        status = PMPI_Isend(buffer, count, type, to, tag, comm, &requests[1]);
    if (status != MPI_SUCCESS)
        return status;
    status = record_wait_all(2, requests, statuses);
    if (told != MPI_STATUS_IGNORE)
        *told = statuses[0];
    return status;
}

static void note_exchange(MPI_Comm comm, int to, int tag, uint64_t out, int from, int its,
                          uint64_t in)
{
    record_call(RECORD_START_RECEIVE, comm, from, its, in, 0);
    record_call(RECORD_START_SEND, comm, to, tag, out, 0);
    requests_note_done(true);
}

EXPORTED int MPI_Sendrecv(const void *buffer, int count, MPI_Datatype type, int to, int tag,
                          void *into, int most, MPI_Datatype as, int from, int its, MPI_Comm comm,
                          MPI_Status *told)
{
    int status;
    if (!record_enter()) {
        status = PMPI_Sendrecv(buffer, count, type, to, tag, into, most, as, from, its, comm, told);
    } else {
        note_exchange(comm, to, tag, record_bytes(count, type), from, its, record_bytes(most, as));
        status = exchange(buffer, count, type, to, tag, into, most, as, from, its, comm, told);
    }
    record_leave();
    return status;
}

EXPORTED int MPI_Sendrecv_replace(void *buffer, int count, MPI_Datatype type, int to, int tag,
                                  int from, int its, MPI_Comm comm, MPI_Status *told)
{
    int status;
    if (!record_enter()) {
        status = PMPI_Sendrecv_replace(buffer, count, type, to, tag, from, its, comm, told);
    } else {
        int room, used = 0;
        const uint64_t bytes = record_bytes(count, type);
        note_exchange(comm, to, tag, bytes, from, its, bytes);
        PMPI_Pack_size(count, type, comm, &room);
        void *packed = memory_new((size_t)room, 1);
        PMPI_Pack(buffer, count, type, packed, room, &used, comm);
        status =
            exchange(packed, used, MPI_PACKED, to, tag, buffer, count, type, from, its, comm, told);
        free(packed);
    }
    record_leave();
    return status;
}

/* ---- started ---- */

#define STARTS(name, operation, constant, is_persistent)                                           \
    EXPORTED int MPI_##name(constant void *buffer, int count, MPI_Datatype type, int partner,      \
                            int tag, MPI_Comm comm, MPI_Request *request)                          \
    {                                                                                              \
        const bool is_recorded = record_enter();                                                   \
        const int status = PMPI_##name(buffer, count, type, partner, tag, comm, request);          \
        if (is_recorded && status == MPI_SUCCESS)                                                  \
            request_open(*request, operation, comm, partner, tag, record_bytes(count, type),       \
                         is_persistent);                                                           \
        record_leave();                                                                            \
        return status;                                                                             \
    }
STARTS(Isend, RECORD_START_SEND, const, false)
STARTS(Issend, RECORD_START_SEND, const, false)
STARTS(Irsend, RECORD_START_SEND, const, false)
STARTS(Ibsend, RECORD_START_SEND, const, false)
STARTS(Irecv, RECORD_START_RECEIVE, , false)
STARTS(Send_init, RECORD_START_SEND, const, true)
STARTS(Ssend_init, RECORD_START_SEND, const, true)
STARTS(Rsend_init, RECORD_START_SEND, const, true)
STARTS(Bsend_init, RECORD_START_SEND, const, true)
STARTS(Recv_init, RECORD_START_RECEIVE, , true)

EXPORTED int MPI_Start(MPI_Request *request)
{
    const bool is_recorded = record_enter();
    const int status = PMPI_Start(request);
    if (is_recorded && status == MPI_SUCCESS)
        request_start(*request);
    record_leave();
    return status;
}

EXPORTED int MPI_Startall(int count, MPI_Request requests[])
{
    const bool is_recorded = record_enter();
    const int status = PMPI_Startall(count, requests);
    for (int i = 0; i < count && is_recorded && status == MPI_SUCCESS; i++)
        request_start(requests[i]);
    record_leave();
    return status;
}

EXPORTED int MPI_Request_free(MPI_Request *request)
{
    if (record_enter())
        request_close(*request);
    const int status = PMPI_Request_free(request);
    record_leave();
    return status;
}
