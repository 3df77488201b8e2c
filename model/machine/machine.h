/* The machine table: everything that is known about one machine. */
#ifndef MODEL_MACHINE_MACHINE_H
#define MODEL_MACHINE_MACHINE_H

#include "model/base/file_out.h"
#include "model/cost/cost.h"
#include "model/micro/logp.h"
#include "model/micro/noise.h"
#include "model/micro/overlap.h"
#include "model/micro/start_up.h"
#include "model/micro/states.h"
#include "model/micro/swap_summary.h"
#include "model/micro/waiting.h"
#include "model/node/memory.h"
#include "model/node/node.h"

/* Format 1 had all swaps in the table, where 2 has summaries: it is read, and never written. */
enum { MACHINE_FORMAT = 4, MACHINE_UTILITIES_MOST = 1000 };

/* Where the table comes from: published, or measured in this environment. All texts may be NULL. */
struct provenance {
    char *date, *host, *cpu, *os, *compiler, *mpi, *environment, *binding, *options;
    double cores, seed, duration_s; /* NAN: not known */
    double clock_tick_us; /* the smallest step of the clock that was seen; NAN: not known */
};

/* What a person says of the machine, such as its interconnect (Doerfler, Host Processor Overhead,
   Results); owns its texts. */
struct description {
    char *what, *is;
};
extern const struct record description_record;

/* What another calibration put into the table later, "exchange, swap", and how it was measured;
   owns both. */
struct addition {
    char *what;
    struct provenance *measured; /* NULL: not known */
};
extern const struct record addition_record, provenance_record;

/* What the system tells of the machine, for comparison; nothing is computed with it. NAN: it tells
   nothing. */
struct topology {
    double packages, numa_nodes, cores, threads, memory_bytes;
    char *told_by; /* owned */
};

struct anchor;
struct loop_curves;

struct machine {
    double format; /* version of the format that it was read in */
    struct identity {
        char *name, *title, *source;
        double processors;           /* that the machine has; NAN: not known */
        struct list described;       /* of struct description: in a person's words */
        struct provenance *measured; /* NULL: published */
        struct list added;           /* of struct addition */
        struct place place;
    } machine;
    struct topology *topology; /* NULL: nobody tells it */
    struct list communication; /* of struct cost */
    struct node *node;         /* NULL: not measured */
    struct memory *memory;     /* NULL: not measured */
    struct list swap;          /* of struct swap_summary */
    struct list swap_rows;     /* of struct swap: the experiments behind them, which are no part
                                  of the table; empty: not read (swap_rows.h) */
    struct list overlap;       /* of struct overlap */
    struct logp *logp;         /* NULL: not measured */
    struct noise *noise;       /* NULL: nobody looked */
    struct list states;   /* struct machine_state: the times are of the first; none: it has one */
    struct list start_up; /* of struct start_up; none: nobody looked */
    struct list first_touch;       /* of struct first_touch, at most one; none: nobody looked */
    struct list waiting;           /* of struct waiting; none: not measured */
    struct list not_measured;      /* of struct not_measured */
    struct unfinished *unfinished; /* NULL: the calibration came to its end */
    struct loop_curves *loops;     /* of a program that is priced, which are no part of the table:
                                      borrowed; NULL: none */
    bool from_start;               /* answers are of a program that has just begun: its first
                                      messages are in them; no part of the table */
    const struct anchor *anchor;   /* what a run of the program that is priced took on it
                                      (forecast/predict/anchor.h): no part of the table, borrowed;
                                      NULL: none was measured */
    char *path;                    /* the file it was read from; for messages */
};

/* How far a calibration that was cut off had come. */
struct unfinished {
    double parts;        /* utilities and other suites that are done, in the trainer's order */
    double points_bytes; /* of the points beside the table that belong to them */
};

/* What is missing from the table, and why. */
struct not_measured {
    char *what, *because;
};

extern const struct record machine_record, machine_record_1; /* of format 1 */
extern const struct record not_measured_record;

/* Reads and checks a table, a file or standard input (input.h): all or nothing. On success release
 * with machine_free. */
int machine_read(struct machine *machine, const char *path, struct error *error);

/* As machine_read from a text in memory (yaml_read_text); name stands in messages. */
int machine_read_text(struct machine *machine, const char *name, const char *text, size_t bytes,
                      struct error *error);

/* Writes the table as YAML; returns whether all of it was written. Reading it again gives an equal
   machine. */
bool machine_write(const struct machine *machine, FILE *stream);

/* Writes the table into a new file beside path, made durable and read back; file_out_keep puts it
   there, after what has to be there before it. An error where it cannot be read: nothing is left.
 */
int machine_put(const struct machine *machine, struct file_out *out, const char *path,
                struct error *error);

/* The same, and keeps it: a reader sees the old table or the new one and never a part. What
   is no regular file is refused, links among them (path_check). */
int machine_save(const struct machine *machine, const char *path, struct error *error);

/* The same of one that was measured, whose times, rates and shares are known to a few digits: they
   are written with six, sizes and counts as they are. */
int machine_save_measured(const struct machine *machine, const char *path, struct error *error);

/* A zeroed or begun machine is allowed. */
void machine_free(struct machine *machine);

/* An empty machine of the present format. */
struct machine machine_begin(void);

/* All processors that the machine has; 2 where that is not known. */
double machine_all_processors(const struct machine *machine);

/* The cost of the utility with that name, borrowed; NULL: the table has none. */
const struct cost *machine_cost(const struct machine *machine, const char *utility);

/* The same, or an error that names the utilities that there are and the nearest name. */
int machine_require(const struct machine *machine, const char *utility, const struct cost **cost,
                    struct error *error);

#endif
