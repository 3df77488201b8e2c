/* The keys of a segment description; program.h says what they mean. */
#ifndef MODEL_SEGMENT_PROGRAM_PROGRAM_FIELDS_H
#define MODEL_SEGMENT_PROGRAM_PROGRAM_FIELDS_H

#include "model/records/record.h"
#include "model/segment/program/program.h"

extern const struct record program_record;

/* The candidate of a program that has none: all processors, and nothing distributed, so that each
   does everything. */
void program_replicate(struct program *program);

/* Candidates that a program makes up rather than reads: in a list of struct candidate one more,
   which has a name and nothing else yet; to its grid an expression; to its distribution (or that of
   a redistribution before a segment) an array, whose dimensions are returned; to those a
   distribution. Texts are copied, and must be right. What is returned is valid until the next of
   its kind is added. */
struct candidate *candidates_add(struct list *candidates, const char *name);
void formulas_add(struct list *formulas, const char *text);
void distributions_add(struct list *formulas, const char *text);
struct list *distribute_add(struct list *distributes, const char *array);
struct list *redistribute_add(struct candidate *candidate, const char *before);

/* Appends the candidates of one list to another; the first is empty then. */
void candidates_move(struct list *to, struct list *from);
void candidates_free(struct list *candidates);

#endif
