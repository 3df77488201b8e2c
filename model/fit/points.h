/* Measured points, and the CSV file that keeps them beside a machine table (NAME.points.csv), so
   that the table can be refitted and drawn without measuring again. */
#ifndef MODEL_FIT_POINTS_H
#define MODEL_FIT_POINTS_H

#include "model/base/error.h"
#include "model/base/file_out.h"
#include "model/cost/cost.h"
#include "model/fit/fit.h"
#include "model/records/record.h"

#include <stdbool.h>
#include <stdio.h>

enum { POINT_NAME = 40 };

/* One measured point: a utility at one message size and one processor count. Times in us. What
   other programs than the trainer do not tell is NAN, and an empty cell of the file: repetitions,
   times that are not the statistic which the table says, half_width_us, rejected. */
struct point {
    char utility[POINT_NAME];
    double processors; /* as the utility's processors_mean says */
    double bytes;
    double repetitions; /* timed uses of the utility, all batches together */
    double minimum_us, median_us, mean_us, standard_deviation_us, maximum_us;
    double half_width_us; /* of the confidence interval of the median */
    double launch;        /* 1, 2, ...: of several that were merged */
    /* 1, 2, ...; the last one counts: what was measured first, what stands for it after its first
       pass asked again, what stands for it after later passes. */
    double attempt;
    double rejected;          /* share of batches rejected as disturbed */
    bool held_out;            /* never shown to the fit */
    double spent_us;          /* all batches together; not in the file, as the next one */
    double lost_us;           /* of that: while something else had the processor */
    double mean_over_maximum; /* of the processors' own times (cost.h); 0: not known */
    double gauge_us;          /* how quick the machine was (model/micro/states.h); 0: not known */
    int state;                /* of the machine, 1 the commonest; 0: not known, or it has one */
};

/* The time by that statistic of the repetitions; the median where none is said. */
double point_time_us(const struct point *point, enum statistic statistic);

/* Points as observations, sorted by size; to be freed. */
struct observation *points_observe(const struct list *points, enum statistic statistic);

/* The one of count >= 1 points whose median is nearest to their lower quartile, of two the slower.
   Sorts them. */
const struct point *points_quartile(struct point *points, size_t count);

/* Of what was measured at two moments. What the moments differ by is noise as well, which the
   batches of one moment do not show: it is in half_width_us. */
struct point points_mean(const struct point *a, const struct point *b);

extern const struct record point_record; /* for list_add; points own nothing */

/* Whether interruptions took a good part of the time that the points took. */
bool points_interrupted(const struct list *points);

/* The attempt of the utility's points at so many processors that counts; 0: it has none. */
double points_last_attempt(const struct list *points, const char *utility, double processors);

/* Appends the points of the utility that count to *last: at each processor count its last
 * attempt's.
 */
void points_last(const struct list *points, const char *utility, struct list *last);

/* How the header line begins. */
extern const char points_begin[];

/* The header line, and a point as a line; numbers in full precision. */
void points_write_header(FILE *stream);
void points_write(FILE *stream, const struct point *point);

/* All of that: the header, and a list of struct point. */
void points_write_all(FILE *stream, const struct list *list);

/* Writes a list of struct point as a file, which takes the place of an older one when it is
   complete (file_out.h). Returns 0, or -1 with *error set. */
int points_save(const char *path, const struct list *list, struct error *error);

/* The same up to the file's last step: end with file_out_keep, file_out_keep_both or file_out_drop.
 */
int points_put(struct file_out *out, const char *path, const struct list *list,
               struct error *error);

/* Reads a file that points_write made, columns by name; appends to list of struct point. Errors
   are at file:line:column. On error the list is as before. */
int points_read(const char *path, struct list *list, struct error *error);

/* Whether a file of points can be read (file_out_reader). */
int points_read_back(const char *path, struct error *error);

#endif
