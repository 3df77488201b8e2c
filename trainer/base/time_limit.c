#include "trainer/base/time_limit.h"

#include "model/base/allocation.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* What is left for the last point and for writing: a tenth, and not less nor more than that. */
static const double reserve_share = 0.1, reserve_least_s = 8.0, reserve_most_s = 60.0;

/* Longer answers are cut off: what is looked for stands in the first lines. */
enum { ANSWER_BYTES = 16384 };

/* ---- what they answer ---- */

/* Local time as in the format; NAN: it is none. */
static double seconds_of(const char *text, const char *format)
{
    struct tm parts = {.tm_isdst = -1};
    const char *end = strptime(text, format, &parts);
    const time_t at = end ? mktime(&parts) : (time_t)-1;
    return at == (time_t)-1 ? (double)NAN : (double)at;
}

/* "2026-11-25T05:20:00", or a word where there is no end. */
static double end_by_slurm(const char *answer, double now_s)
{
    (void)now_s;
    return seconds_of(answer, "%Y-%m-%dT%H:%M:%S");
}

/* What stands behind "name = " in a line; NULL: no such line. */
static const char *value_of(const char *lines, const char *name)
{
    const size_t length = strlen(name);
    for (const char *line = lines; line; line = strchr(line, '\n')) {
        line += strspn(line, "\n \t");
        if (strncmp(line, name, length) == 0 && strncmp(line + length, " = ", 3) == 0)
            return line + length + 3;
    }
    return NULL;
}

/* "hours:minutes:seconds", or seconds alone; NAN: no such time. */
static double duration_s(const char *text)
{
    double total_s = 0.0;
    for (;; text++) {
        if (!isdigit((unsigned char)*text))
            return NAN;
        total_s = 60.0 * total_s + (double)strtol(text, (char **)&text, 10);
        if (*text != ':')
            return total_s;
    }
}

/* Torque says what is left; PBS Pro when the job started, and how long it may take. */
static double end_by_pbs(const char *answer, double now_s)
{
    const char *left = value_of(answer, "Walltime.Remaining");
    const char *allowed = value_of(answer, "Resource_List.walltime");
    const char *started = value_of(answer, "stime");
    if (left)
        return now_s + duration_s(left);
    if (!allowed || !started)
        return NAN;
    return seconds_of(started, "%a %b %d %H:%M:%S %Y") + duration_s(allowed);
}

/* "hours:minutes L" that are left, L for a limit of the job's; E is an estimate. */
static double end_by_lsf(const char *answer, double now_s)
{
    const char *left = answer + strspn(answer, " ");
    const char *of = strchr(left, 'L');
    return of && isdigit((unsigned char)*left) ? now_s + 60.0 * duration_s(left) : (double)NAN;
}

const struct scheduler schedulers[] = {
    {"Slurm", "SLURM_JOB_ID", "SLURM_JOB_END_TIME", "squeue -h -o %e -j",           end_by_slurm},
    {"PBS",   "PBS_JOBID",    NULL,                 "qstat -f",                     end_by_pbs  },
    {"LSF",   "LSB_JOBID",    NULL,                 "bjobs -noheader -o time_left", end_by_lsf  },
    {NULL,    NULL,           NULL,                 NULL,                           NULL        },
};

/* ---- asking ---- */

/* Whether it can be an argument of a shell's command as it is. */
static bool is_job(const char *job)
{
    return *job && strspn(job, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                               "._@+:-") == strlen(job);
}

static double ask(const struct scheduler *scheduler, const char *job, double now_s)
{
    char *command = memory_format("timeout 10 %s %s 2>/dev/null", scheduler->command, job);
    char *answer = memory_new(ANSWER_BYTES, 1);
    FILE *stream = popen(command, "r");
    double end_s = NAN;
    if (stream) {
        answer[fread(answer, 1, ANSWER_BYTES - 1, stream)] = '\0';
        pclose(stream);
        end_s = scheduler->end_of(answer, now_s);
    }
    free(answer);
    free(command);
    return end_s;
}

static double end_by(const struct scheduler *scheduler, double now_s)
{
    const char *job = getenv(scheduler->job);
    const char *end = scheduler->end ? getenv(scheduler->end) : NULL;
    if (end && isdigit((unsigned char)*end))
        return strtod(end, NULL);
    return job && is_job(job) ? ask(scheduler, job, now_s) : (double)NAN;
}

double time_limit_left_s(const struct scheduler **scheduler)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    const double now_s = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    for (*scheduler = schedulers; (*scheduler)->name; (*scheduler)++) {
        const double end_s = end_by(*scheduler, now_s);
        if (end_s > now_s)
            return end_s - now_s;
    }
    *scheduler = NULL;
    return INFINITY;
}

double time_limit_budget_s(double left_s)
{
    const double reserve_s = fmin(reserve_most_s, fmax(reserve_least_s, reserve_share * left_s));
    return fmax(left_s - reserve_s, 0.5 * left_s);
}
