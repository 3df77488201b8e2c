/* What was found out, as a segment description in YAML. */
#ifndef DESCRIBER_WRITE_WRITE_H
#define DESCRIBER_WRITE_WRITE_H

#include "describer/count/count.h"
#include "describer/write/loop_code.h"

#include "model/records/yaml_out.h"

#include <stdio.h>

struct writer {
    struct describer *describer;
    struct yaml_out *out;
    struct mark *marks;
    const struct segment *segment;
    const char **names; /* of statements of the segment so far */
    int name_count;
    bool has_places;              /* `at` and `places` of statements */
    int depth;                    /* of loops and branches */
    bool is_innermost;            /* nothing but statements is in the loop under way */
    struct loop_codes *codes;     /* innermost loops that are written; NULL: not wanted */
    const struct loop_code *code; /* of the loop under way; NULL: it has none */
};

/* Writes everything; into *codes (may be NULL) the innermost loops. Errors are noted: a segment
   without assignments, a parameter without a value. */
void write_description(struct describer *describer, const char *const *files, bool has_places,
                       struct loop_codes *codes, FILE *stream);

/* write_part.c: a run of statements; whether it is worth writing. */
void write_part(struct writer *writer, const struct part *part);

/* What scalars begin a loop with, and those that are computed before it. */
void write_starts(struct writer *writer, const struct loop *loop);
/* write.c: a loop's entry up to its body. */
void write_loop_head(struct writer *writer, const struct loop *loop);
bool part_is_empty(struct describer *describer, const struct part *part);

/* write_arrays.c: the arrays that what is written refers to, as large as the source, its subscripts
   or `array u[N][N]` say. */
void write_arrays(struct writer *writer);
/* Whether the source, or a directive, tells how many elements a dimension has. */
bool has_extent(struct describer *describer, const struct array *array, int dimension);
void read_told_extents(struct describer *describer);

/* write_candidates.c: what directives say of partitionings. */
void write_candidates(struct writer *writer);
/* How an array lies beside another, if a directive says so; the array beside which it lies as it
   is, or NULL. */
void write_alignment(struct writer *writer, const struct array *array);
const struct array *aligned_plainly(struct describer *describer, const struct array *array);

/* The extents that an `array` directive gives the array, as polynomials; returns how many: 0, where
   there is none or an extent is no sum or product of parameters. */
int told_extents_of(struct describer *describer, const struct array *array,
                    polynomial extents[RANK_MOST], struct place *place);

/* What stands in brackets behind a name: u[BLOCK][*] */
struct dimensions {
    const char *name;
    const char *items[RANK_MOST];
    int count;
};
bool read_dimensions(struct describer *describer, const char *text, struct dimensions *dimensions);

/* Whether a directive says how the array lies beside another. */
bool is_aligned(struct describer *describer, const struct array *array);

/* write_exchanges.c: lays arrays that change places beside each other, so that what distributes the
   one distributes the other. Errors: a candidate distributes them differently. */
void exchanges_align(struct describer *describer);

/* What `array` says of an array's extents. */
void read_told_array(struct describer *describer, struct directive *directive);

/* xmp.c: XcalableMP's directives as one candidate, an entry of the candidates. */
void write_xmp(struct writer *writer);
bool xmp_is_used(const struct describer *describer);

/* A pair of key and text; a polynomial as text, whose names are used from then on. */
void write_pair(struct writer *writer, const char *key, const char *text);

/* A place as descriptions have it, FILE:LINE; and the key `at` with it, where places are wanted and
 * it is told. */
const char *write_place(struct writer *writer, struct place place);
void write_at(struct writer *writer, struct place place);
const char *write_text_of(struct writer *writer, polynomial a);

#endif
