/* The table that a calibration writes, and its points and swaps beside it: what is looked at before
   anything is measured, and how all take the place of those of before together. Runs on rank 0. */
#ifndef TRAINER_OUTPUT_H
#define TRAINER_OUTPUT_H

#include "model/machine/machine.h"
#include "trainer/base/lock.h"
#include "trainer/outlook.h"

struct output {
    const char *given;   /* the table, as -o says; borrowed */
    char *points, *swap; /* beside it */
    struct lock lock;
    bool adds, replaces; /* --add with a table to add to; --replace */
    bool has_before;
    struct machine before;     /* the table that is there */
    struct list points_before; /* of struct point; with adds */
};

/* Takes the lock, and reads the table that is there. Refuses, and changes nothing, where a file
   cannot be written or is none, where another run writes the table, and, unless --replace says so,
   where the table that is there is not the trainer's or would lose something. Where an earlier run
   was killed while it replaced the files, that is brought to its end first. */
int output_begin(struct output *output, const struct outlook *outlook, struct error *error);

/* Whether the machine is the one of the table that is added to. */
int output_check_machine(const struct output *output, const struct machine *now,
                         struct error *error);

/* What the table of before has and the machine that was measured has not, as a text to be freed;
   NULL: nothing, or it does not matter. */
char *output_would_lose(const struct output *output, const struct machine *now);

/* The machine, or the table of before with it added, its swaps, and the points of the file at
   points_path take the place of what is there, all or none. *now becomes what is written. */
int output_commit(struct output *output, struct machine *now, const char *points_path,
                  struct error *error);

/* Of a zeroed output, too. */
void output_end(struct output *output);

#endif
