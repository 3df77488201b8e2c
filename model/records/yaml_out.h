/* YAML as people write it: block maps, lists of one-line maps, shortest numbers.
   The only writer of YAML; what it writes, yaml_in reads back equal. */
#ifndef MODEL_RECORDS_YAML_OUT_H
#define MODEL_RECORDS_YAML_OUT_H

#include <stdbool.h>
#include <stdio.h>

struct yaml_out;

/* Writes to stream, which stays the caller's. Ends with yaml_out_end, which returns whether
   everything was written. */
struct yaml_out *yaml_out_begin(FILE *stream);

/* From here on numbers that are not whole are the nearest of so many significant digits, and none
   is less exact than a whole number; 0, as at the beginning: as many digits as it has. */
void yaml_out_digits(struct yaml_out *out, int digits);

bool yaml_out_end(struct yaml_out *out);

/* A line "# text" at the present indentation. */
void yaml_out_remark(struct yaml_out *out, const char *text);

/* The key of the next value, within a map. */
void yaml_out_key(struct yaml_out *out, const char *key);

void yaml_out_number(struct yaml_out *out, double value);
void yaml_out_text(struct yaml_out *out, const char *text);

/* Maps and lists; flow ones are written in one line: {a: 1, b: 2}, [1, 2]. Inside a flow map or
   list everything is flow. */
void yaml_out_map(struct yaml_out *out, bool flow);
void yaml_out_map_end(struct yaml_out *out);
void yaml_out_list(struct yaml_out *out, bool flow);
void yaml_out_list_end(struct yaml_out *out);

#endif
