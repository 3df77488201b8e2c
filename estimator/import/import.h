/* What other programs have measured, as series of points and facts of a machine. One more format
   is one file here, one line below and one line in Makefile.am. */
#ifndef ESTIMATOR_IMPORT_IMPORT_H
#define ESTIMATOR_IMPORT_IMPORT_H

#include "estimator/import/text.h"
#include "model/cost/pattern.h"
#include "model/fit/points.h"
#include "model/machine/machine.h"

#include <stdio.h>

/* IMPORT(name, reader, whose text it is by its content, what it is): the list that everything else
   follows; the first that knows a text reads it. */
#define IMPORTS(IMPORT)                                                                            \
    IMPORT("osu", import_osu, import_is_osu, "OSU micro-benchmarks: latency and collectives")      \
    IMPORT("imb", import_imb, import_is_imb, "Intel MPI Benchmarks (IMB-MPI1) and Pallas' PMB")    \
    IMPORT("skampi", import_skampi, import_is_skampi, "SKaMPI 5")                                  \
    IMPORT("hwloc", import_hwloc, import_is_hwloc, "hwloc: the XML of lstopo")                     \
    IMPORT("netpipe", import_netpipe, import_is_netpipe, "NetPIPE: its file or what it prints")

/* How the size that is printed becomes the catalogue's. */
enum import_bytes {
    IMPORT_BYTES_SAME,
    IMPORT_BYTES_OF_ALL /* it is that of the blocks of all */
};

/* A test of another program, and the pattern of the same meaning. */
struct import_test {
    const char *name;              /* as its program prints it */
    const struct pattern *pattern; /* NULL: none has the same meaning */
    const char *because;           /* why */
    enum import_bytes bytes;
    double uses; /* of the pattern in the time that is printed; 0: one */
};

/* The times of one test at one number of processors. */
struct import_series {
    const struct import_test *test; /* borrowed */
    char *source;                   /* what printed it; owned */
    double processors;              /* that took part */
    enum statistic statistic;       /* of the points that is known */
    enum across across;
    enum measures measures; /* whose time it is */
    char *note;             /* what the times are not; NULL: nothing is known against them; owned */
    struct list points;     /* of struct point, of the pattern: what is not known is NAN */
    struct place place;     /* where it begins */
};

/* All that was read: series, and facts in a machine that has no communication yet. */
struct imported {
    struct machine machine;
    struct list series; /* of struct import_series */
    FILE *notes;        /* what was left out, and why: a line each */
};

/* What stands in the first comment of each program's output; a label before it is one of each line
   (text_unlabel). */
#define IMPORT_MARKS "OSU MPI", "MPI Benchmark", "SKaMPI Version"

/* One text that is being read. */
struct importer {
    const struct text *text;
    double processors; /* of -p; NAN: it was not said */
    struct imported *to;
};

/* Reads the text. Returns 0, or -1 with *error set. */
typedef int import_read(const struct importer *importer, struct error *error);
typedef bool import_is(const struct text *text);

#define IMPORT_DECLARE(name, reader, is, help)                                                     \
    import_read reader;                                                                            \
    import_is is;
IMPORTS(IMPORT_DECLARE)
#undef IMPORT_DECLARE

/* ---- what the readers share ---- */

/* The test of that name among count, or NULL. */
const struct import_test *import_test_named(const struct import_test *tests, size_t count,
                                            const char *name, size_t length);

/* Begins a series of the test at a line: the test, its place, and the program that printed it (a
   text of a few words). Points are added to what is returned, which is valid until the next one. */
struct import_series *import_begin(const struct importer *importer, const struct import_test *test,
                                   size_t line, const char *program);

/* Of a collective timed from a barrier on, by each process itself: whether every process waits for
   all others in it. Who left the barrier early then waits for who left it late, so that the longest
   time has that wait in it, and the least has none; their mean is what the collective takes between
   others of its kind. */
bool import_waits_for_all(const struct pattern *pattern);

/* Notes of a broadcast timed from a barrier on, by each process itself, that this is not the time
   until the last has the message but a receiver's: the root does not wait, and the others begin
   when they leave the barrier. From changing roots, one behind the other, each begins when the one
   before is done. */
void import_note_barrier(const struct importer *importer, struct import_series *series,
                         size_t line);

/* Notes of a test that adds up numbers of another type than MPI_DOUBLE, which the trainer adds:
   smaller ones are more of as many bytes. Of other tests nothing. */
void import_note_type(const struct importer *importer, struct import_series *series, size_t line,
                      const struct word *type);

/* Whether the pattern adds up numbers. */
bool import_adds_up(const struct pattern *pattern);

/* Forgets the points and the note of a series: others of the same test are better. */
void import_forget(struct import_series *series);

/* Lines that the benchmark did not print: of launchers, libraries and batch systems. */
struct import_skipped {
    size_t count, first; /* first: the number of its line, from 0 */
};

void import_skip(struct import_skipped *skipped, size_t line);

/* Notes how many lines were skipped, and the first of them; nothing where there are none. */
void import_note_skipped(const struct importer *importer, const struct import_skipped *skipped);

/* Adds a point: n and a time as they are printed, bytes in ascending order; rounding_us of the time
   that is printed. A time of 0 is below what was printed: it is left out, and noted. */
int import_add(const struct importer *importer, struct import_series *series, size_t line,
               const struct point *point, struct error *error);

/* A point of which nothing is known yet but the size. */
struct point import_point(double bytes);

/* Notes what is left out of what a line says, and why; the table says so too. */
void import_leave_out(const struct importer *importer, size_t line, const char *what,
                      const char *because);

/* The processors that -p says, where the text itself does not; an error at the line where it does
   not either. */
int import_processors(const struct importer *importer, size_t line, double *processors,
                      struct error *error);

/* Where it is not known yet: sets *member, of the machine's provenance, to a copy of text. */
void import_know(char **member, const char *text);

void imported_free(struct imported *imported);

/* Turns all series into the machine's communication, and appends their points. Errors: the same
   pattern at the same p a second time, or by different statistics. */
int import_fit(struct imported *imported, struct list *points, struct error *error);

#endif
