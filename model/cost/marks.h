/* Measured times within a region, where its law alone does not say them: at these sizes they
   answer, and the law between them is scaled so that it meets both. */
#ifndef MODEL_COST_MARKS_H
#define MODEL_COST_MARKS_H

#include "model/base/error.h"
#include "model/records/yaml_in.h"
#include "model/records/yaml_out.h"

#include <stdbool.h>
#include <stddef.h>

/* So many of a region; more would say less of each than their noise. */
enum { MARKS_MOST = 24 };

struct mark {
    double bytes, time_us; /* above 0 */
};

/* By bytes, ascending. Zeroed = none. Most regions have few, and a table has many regions. */
struct marks {
    size_t count;
    struct mark *of; /* owned */
};

/* The same of its own; released with marks_free. */
struct marks marks_copy(const struct mark *of, size_t count);

/* What a law of message bytes says, in us; state is its own. */
typedef double marks_law(const void *state, double bytes);

/* The time for bytes >= 0: at a mark its own; between two of them the law times a factor that goes
   from one to the other evenly over the logarithm of the size; before the first and after the last
   with that one's factor. Where the law is not above 0 at both, a straight line. Without marks the
   law. */
double marks_time_us(const struct marks *marks, marks_law *law, const void *state, double bytes);

/* How far along from least to most a size is over the logarithm; 0 to 1 between them. */
double marks_share(double least_bytes, double most_bytes, double bytes);

/* A field of a table: "8: 16.49, 64: 17.2", us by bytes (pairs.h); a map of the same is read too.
 */
int marks_read(struct yaml_node value, void *member, struct error *error);
void marks_write(struct yaml_out *out, const void *member);
bool marks_absent(const void *member);
void marks_free(void *member);

#endif
