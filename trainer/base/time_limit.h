/* When the batch system will end the job: the table has to be written before. */
#ifndef TRAINER_BASE_TIME_LIMIT_H
#define TRAINER_BASE_TIME_LIMIT_H

/* A batch system that jobs can ask. */
struct scheduler {
    const char *name;
    const char *job;     /* the environment's variable with the job's number */
    const char *end;     /* the one with the end, seconds since 1970; NULL: none */
    const char *command; /* that tells of a job whose number follows; its answer is for end_of */
    /* The end, in seconds since 1970, from what the command answered at now_s; NAN: there is none.
     */
    double (*end_of)(const char *answer, double now_s);
};

/* Those that are known: Slurm, PBS and LSF; ends with one without a name. */
extern const struct scheduler schedulers[];

/* How many seconds are left of the job that this process is part of, and *scheduler, whose it is;
   INFINITY, and NULL, where no batch system tells. May run a command of the batch system's, with
   patience for ten seconds. */
double time_limit_left_s(const struct scheduler **scheduler);

/* How many of so many seconds may be measured, so that the table is written in the rest. */
double time_limit_budget_s(double left_s);

#endif
