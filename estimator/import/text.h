/* The text that another program printed, as lines and words with their places. */
#ifndef ESTIMATOR_IMPORT_TEXT_H
#define ESTIMATOR_IMPORT_TEXT_H

#include "model/base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum { TEXT_WORDS = 40 };

struct text {
    const char *path; /* borrowed; as messages name it */
    char *bytes;      /* owned, of so many, and a zero behind them */
    size_t size;
    const char **lines; /* owned list; each ends with a zero, without its end of line or label */
    size_t *labels;     /* owned list: the length of the label before each line (text_unlabel) */
    size_t count;
    bool is_cut; /* the last line has no end */
};

/* A word of a line, between blanks. */
struct word {
    const char *text; /* not ended by a zero */
    size_t length;
    unsigned column; /* from 1 */
};

struct words {
    struct word items[TEXT_WORDS];
    size_t count; /* TEXT_WORDS at most: what follows is not looked at */
};

/* Reads a file or standard input (input.h). What holds bytes of zero, is empty or is longer than 64
   MiB is refused. On success release with text_free. */
int text_read(struct text *text, const char *path, struct error *error);
void text_free(struct text *text);

/* Launchers put a label before each line: "[1,0]<stdout>:", "0: ", "[0] ", a time stamp. Where a
   line has `mark` in a comment that does not begin the line, what stands before its '#' is a label.
   It is taken off this line and the following ones, up to the next such line. Numbers in labels may
   differ from line to line. */
void text_unlabel(struct text *text, const char *mark);

/* Where line number `line`, counted from 0, is to messages, from a column on. */
struct place text_place(const struct text *text, size_t line, unsigned column);

struct words text_words(const char *line);

/* The first of them; of no length where there is none. */
struct word text_first_word(const char *line);

/* Whether the words are a row of numbers. Other lines are text that launchers and libraries print
   between the rows. */
bool words_are_row(const struct words *words);

/* Whether the word is that one. */
bool word_is(const struct word *word, const char *name);

/* The word as a number that is at least 0, `what` in messages. */
int word_number(const struct text *text, size_t line, const struct word *word, const char *what,
                double *value, struct error *error);

/* The same, a whole number. */
int word_whole(const struct text *text, size_t line, const struct word *word, const char *what,
               double *value, struct error *error);

/* Half of a unit of the last digit of a number that word_number read: how far its printing alone
   may be off. */
double word_rounding(const struct word *word);

/* The first line that begins so; count: none does. */
size_t text_find(const struct text *text, const char *begin);

/* What follows behind `begin` in a line that begins so, without blanks before it; NULL: it does
   not. Borrowed. */
const char *text_behind(const char *line, const char *begin);

/* An error where the last line has no end and is a row or a comment: the file was cut off there. */
int text_check_end(const struct text *text, struct error *error);

#endif
