/* The machine table: everything that is known about one machine. */
#ifndef MODEL_MACHINE_MACHINE_H
#define MODEL_MACHINE_MACHINE_H

#include "model/cost/cost.h"
#include "model/machine/unread.h"
#include "model/micro/logp.h"
#include "model/micro/noise.h"
#include "model/micro/overlap.h"
#include "model/micro/swap.h"
#include "model/node/memory.h"
#include "model/node/node.h"

enum { MACHINE_FORMAT = 1, MACHINE_UTILITIES_MOST = 1000 };

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
extern const struct record addition_record;

/* What the system tells of the machine, for comparison; nothing is computed with it. NAN: it tells
   nothing. */
struct topology {
    double packages, numa_nodes, cores, threads, memory_bytes;
    char *told_by; /* owned */
};

struct machine {
    double format; /* version of the format: 1 */
    struct identity {
        char *name, *title, *source;
        double processors;           /* that the machine has; NAN: not known */
        struct list described;       /* of struct description: in a person's words */
        struct provenance *measured; /* NULL: published */
        struct list added;           /* of struct addition */
        struct place place;
    } machine;
    struct topology *topology;     /* NULL: nobody tells it */
    struct list communication;     /* of struct cost */
    struct node *node;             /* NULL: not measured */
    struct memory *memory;         /* NULL: not measured */
    struct list swap;              /* of struct swap */
    struct list overlap;           /* of struct overlap */
    struct logp *logp;             /* NULL: not measured */
    struct noise *noise;           /* NULL: nobody looked */
    struct list not_measured;      /* of struct not_measured */
    struct unfinished *unfinished; /* NULL: the calibration came to its end */
    char *path;                    /* the file it was read from; for messages */
    struct unread *unread;         /* more of communication; NULL: all is read */
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

extern const struct record machine_record;
extern const struct record not_measured_record;

/* Reads and checks a table, a file or standard input (input.h): all or nothing. On success release
 * with machine_free. */
int machine_read(struct machine *machine, const char *path, struct error *error);

/* All of a table's utilities, or each when machine_cost is asked for it. */
enum utilities_read { UTILITIES_ALL, UTILITIES_ASKED };

/* The same without the microbenchmarks swap and logp, of which no cost is made and which are most
   of a measured table, and without overlap where `overlaps` says that nothing overlaps: neither
   read nor checked, where they stand as trainer writes them. With UTILITIES_ASKED, none are in the
   list of communication, and whoever asked for some asks machine_failed at the end. */
int machine_read_for_costs(struct machine *machine, const char *path, bool overlaps,
                           enum utilities_read utilities, struct error *error);
int machine_read_text_for_costs(struct machine *machine, const char *name, const char *text,
                                size_t bytes, bool overlaps, enum utilities_read utilities,
                                struct error *error);

/* Whether a utility that machine_cost was asked for is in error: then the machine is as if it did
   not have it, and machine_read says what is wrong. */
bool machine_failed(const struct machine *machine);

/* As machine_read from a text in memory (yaml_read_text); name stands in messages. */
int machine_read_text(struct machine *machine, const char *name, const char *text, size_t bytes,
                      struct error *error);

/* Writes the table as YAML; returns whether all of it was written. Reading it again gives an equal
   machine. */
bool machine_write(const struct machine *machine, FILE *stream);

/* Writes the table to path: into a new file beside it, made durable, then renamed over it, so that
   a reader sees the old table or the new one and never a part. Through a symbolic link; what is no
   regular file is refused (path_to_write). */
int machine_save(const struct machine *machine, const char *path, struct error *error);

/* A zeroed or begun machine is allowed. */
void machine_free(struct machine *machine);

/* An empty machine of the present format. */
struct machine machine_begin(void);

/* The cost of the utility with that name, borrowed; NULL: the table has none. */
const struct cost *machine_cost(const struct machine *machine, const char *utility);

/* The same, or an error that names the utilities that there are and the nearest name. */
int machine_require(const struct machine *machine, const char *utility, const struct cost **cost,
                    struct error *error);

#endif
