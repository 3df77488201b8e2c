/* What a command answers: its rows, and what they were made from. As text and CSV these are the
   rows alone; as JSON one object, which doc/output.schema.json describes. Remarks go to standard
   error whatever the format. */
#ifndef ESTIMATOR_OUTPUT_DOCUMENT_H
#define ESTIMATOR_OUTPUT_DOCUMENT_H

#include "estimator/output/report.h"
#include "model/machine/machine.h"

struct document;

/* Of the command of that name, such as "rank"; borrowed. Release with document_free. */
struct document *document_new(const char *command, enum report_format format);
void document_free(struct document *document);

/* A machine table that the rows were made from; its texts are copied. */
void document_table(struct document *document, const struct machine *machine);

/* The segment description, borrowed. */
void document_segment(struct document *document, const char *path);

/* Which of several tables of rows is printed; borrowed. */
void document_section(struct document *document, const char *name);

/* Says on standard error, at once, what the rows do not: "estimator: remark: " and the text, which
   is made printable. */
void document_remark(struct document *document, const char *text);

/* The same with each line of a text. */
void document_remarks(struct document *document, const char *lines);

/* Writes the rows to standard output. JSON has one object, so this is called once for it; there the
   flags of the rows are explained among the remarks. */
void document_print(const struct document *document, const struct report *rows);

#endif
