#include "trainer/utilities/course.h"

#include "model/base/allocation.h"
#include "trainer/base/clock.h"

#include <math.h>
#include <stdlib.h>

enum { TAG_BEGIN = 77, TAG_DONE = 78, TAG_PING = 79 };

/* Of the latest receivers, how many are tried; empty messages there and back where the clock is not
   exact. */
enum { TRIED = 2, PINGS = 20 };

void course_broadcast(const struct site *site, const struct courses *of, int root)
{
    const struct broadcast broadcast = {of->tree, site->comm, root, 1, of->part_bytes};
    if (of->tree)
        broadcast_run(&broadcast, site->send, site->bytes);
    else
        MPI_Bcast(site->send, site->bytes, MPI_BYTE, root, site->comm);
}

static void tell(const struct site *site, int from, int to, int tag)
{
    if (from == to)
        return;
    if (site->rank == from)
        MPI_Send(NULL, 0, MPI_BYTE, to, tag, site->comm);
    if (site->rank == to)
        MPI_Recv(NULL, 0, MPI_BYTE, from, tag, site->comm, MPI_STATUS_IGNORE);
}

void course_done(const struct site *site, const struct course *course)
{
    tell(site, course->last, 0, TAG_DONE);
}

void course_run(const struct site *site, const struct courses *of, const struct course *course)
{
    tell(site, 0, course->root, TAG_BEGIN);
    course_broadcast(site, of, course->root);
    course_done(site, course);
}

/* ---- who is the last ---- */

/* An empty message between processor 0 and another, as all were measured before. */
static double expected_empty_s(const struct site *site, int other)
{
    if (other == 0)
        return 0.0;
    return 1e-6 * (site->together > 0 && other >= site->together ? site->far_us : site->near_us);
}

/* The same, measured: half the shortest round trip after one that lines the two up. */
static double empty_s(const struct site *site, int other)
{
    double shortest_s = INFINITY;
    if (other == 0)
        return 0.0;
    for (int i = -1; i < (site->is_exact ? 1 : PINGS); i++) {
        const double start_s = clock_s();
        tell(site, 0, other, TAG_PING);
        tell(site, other, 0, TAG_PING);
        if (i >= 0)
            shortest_s = fmin(shortest_s, clock_s() - start_s - site->reading_s);
    }
    return 0.5 * fmax(0.0, shortest_s);
}

/* Everybody is there, and waits for what processor 0 does next. */
static void line_up(const struct site *site)
{
    if (site->rank != 0)
        tell(site, site->rank, 0, TAG_PING);
    for (int other = 1; site->rank == 0 && other < site->processors; other++)
        tell(site, other, 0, TAG_PING);
}

/* Everybody tells processor 0, which notes when each had it. */
static void ask_all(const struct site *site, const struct courses *of, int root, double *had_s)
{
    const int count = site->rank == 0 ? site->processors : 1;
    MPI_Request *requests = memory_new((size_t)count, sizeof *requests);
    for (int i = 0; i < count; i++)
        requests[i] = MPI_REQUEST_NULL;
    for (int other = 1; site->rank == 0 && other < site->processors; other++)
        if (other != root)
            MPI_Irecv(NULL, 0, MPI_BYTE, other, TAG_DONE, site->comm, &requests[other]);
    line_up(site);
    const double start_s = clock_s();
    tell(site, 0, root, TAG_BEGIN);
    course_broadcast(site, of, root);
    had_s[0] = root == 0 ? 0.0 : clock_s() - start_s;
    if (site->rank != 0 && site->rank != root)
        MPI_Send(NULL, 0, MPI_BYTE, 0, TAG_DONE, site->comm);
    for (int which = 0; site->rank == 0 && which != MPI_UNDEFINED;) {
        MPI_Waitany(count, requests, &which, MPI_STATUS_IGNORE);
        if (which != MPI_UNDEFINED)
            had_s[which] = clock_s() - start_s - expected_empty_s(site, which);
    }
    free(requests);
}

/* The index of the largest, which is then the smallest. */
static int take_latest(double *had_s, int count)
{
    int latest = 0;
    for (int i = 1; i < count; i++)
        if (had_s[i] > had_s[latest])
            latest = i;
    had_s[latest] = -1.0;
    return latest;
}

/* So many told at the same time that the last one is known better when it alone tells. */
void course_find_last(const struct site *site, const struct courses *of, struct course *course)
{
    const int known = site->rank == 0 ? site->processors : 1;
    double *had_s = memory_new((size_t)known, sizeof *had_s);
    double latest_s = -1.0;
    int latest[TRIED] = {0};
    ask_all(site, of, course->root, had_s);
    for (int i = 0; i < TRIED; i++)
        latest[i] = take_latest(had_s, known);
    free(had_s);
    MPI_Bcast(latest, TRIED, MPI_INT, 0, site->comm);
    const double begin_s = empty_s(site, course->root);
    for (int i = 0; i < TRIED; i++) {
        struct course tried = {course->root, latest[i], 0.0};
        if (latest[i] == course->root)
            continue;
        tried.empty_s = begin_s + empty_s(site, latest[i]);
        line_up(site);
        const double start_s = clock_s();
        course_run(site, of, &tried);
        const double all_s = clock_s() - start_s - tried.empty_s;
        if (all_s > latest_s)
            *course = tried;
        latest_s = fmax(latest_s, all_s);
    }
    MPI_Bcast(course, sizeof *course, MPI_BYTE, 0, site->comm);
}
