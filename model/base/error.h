/* Errors travel as values: the text, and the place in the input that it is about. */
#ifndef MODEL_BASE_ERROR_H
#define MODEL_BASE_ERROR_H

#include <stdbool.h>

/* A place in an input file; line and column count from 1, 0 where there is none. */
struct place {
    const char *file; /* borrowed */
    unsigned line, column;
};

static inline struct place place_at(const char *file, unsigned line, unsigned column)
{
    return (struct place){file, line, column};
}

/* One error, complete in itself: it may outlive the file that it is about. What it quotes is made
   printable (printable.h): it is one line, and no terminal obeys it. What has no room ends with
   "...". */
struct error {
    char file[256];
    unsigned line, column;
    bool is_particular; /* see error_particular */
    bool is_not_known;  /* see error_not_known */
    bool is_said;       /* see error_said */
    char text[512];
};

/* Notes of an error that what it is about need not be wrong: another processor count, candidate or
   table may have an answer, as where a grid does not divide the processors, or there is too much to
   be gone through. Whoever looks at several goes on without this one. Is always -1. */
int error_particular(struct error *error);

/* Notes of a particular error that nothing is wrong: what was asked for lies beyond what is known,
   which is an answer of its own. Is always -1. */
int error_not_known(struct error *error);

/* Sets *error (which may be NULL) to one that another program has said already, where whoever ran
   it let it: nobody says it again. Is always -1. */
int error_said(struct error *error);

/* Sets *error (which may be NULL) to the formatted text, without a place. Is always -1, so that a
   failure is one statement: return error_set(error, ...). Who first knows what is wrong writes the
   text; callers only pass it on; main() alone prints it.
   (A macro, so that compilers and analysers see that the value is -1.) */
#define error_set(error, ...) (error_fill((error), place_at(0, 0, 0), __VA_ARGS__), -1)

/* The same for an error at a place of an input file. */
#define error_at(error, place, ...) (error_fill((error), (place), __VA_ARGS__), -1)

/* The same for one that is particular (error_particular). */
#define error_particular_at(error, place, ...)                                                     \
    (error_fill((error), (place), __VA_ARGS__), error_particular(error), -1)

/* What the macros do. */
void error_fill(struct error *error, struct place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The error as one line, "file:line:column: text" with what is known of the place.
   Returns text, which must hold size bytes; 800 are always enough. */
const char *error_line(const struct error *error, char *text, unsigned long size);

#endif
