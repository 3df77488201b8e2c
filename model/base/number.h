/* Numbers as text: strict in, shortest out. */
#ifndef MODEL_BASE_NUMBER_H
#define MODEL_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

/* Room for any number that number_print writes. */
enum { NUMBER_TEXT = 32 };

/* Reads the whole text as one decimal number ("12", "-0.5", "1e3"). Refuses anything else: blanks,
   trailing rubbish, hexadecimal, nan, infinity, overflow. Returns whether it was one. */
bool number_parse(const char *text, double *value);

/* What letters behind a number mean: k (K, KiB), M (MiB) and G (GiB) are 1024, 1024^2 and 1024^3;
   kB, MB and GB are not clear, as they may be powers of 1000 too. */
enum number_suffix { SUFFIX_NONE, SUFFIX_KNOWN, SUFFIX_UNCLEAR };
enum number_suffix number_suffix(const char *word, size_t length, double *factor);

/* As number_parse, with or without such a suffix, for sizes in bytes, and what grows with them. */
bool number_parse_bytes(const char *text, double *value);

/* What is wrong with a text that number_parse_bytes refuses, for a message. Static. */
const char *number_wrong(const char *text);

/* The shortest decimal text that number_parse reads back as exactly value, which must be finite.
   Returns text. */
const char *number_print(double value, char text[NUMBER_TEXT]);

/* The nearest number of so many significant decimal digits, 1 to 17. */
double number_rounded(double value, int digits);

/* The greatest common divisor of two whole numbers, not negative; of 0 and another, that one. */
double number_common_divisor(double a, double b);

/* A list of numbers from the command line. */
struct number_list {
    double *values; /* owned; release with number_list_free */
    size_t count;
};

/* Reads "1,2,4", "2-16" (every whole step), "1:1048576:x2" (geometric, both ends included when
   reached) or "1:32:+1" (arithmetic), and commas between such parts. Numbers may have the suffixes
   of number_parse_bytes. At most a million values. Returns NULL, or what is wrong (a static text);
   on an error *list is left empty. */
const char *number_list_parse(const char *text, struct number_list *list);

void number_list_free(struct number_list *list);

#endif
