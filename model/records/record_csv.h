/* Lists of structs in and out of CSV files, driven by the tables that YAML is (record.h): a column
   a key, for records all of whose members are single values. */
#ifndef MODEL_RECORDS_RECORD_CSV_H
#define MODEL_RECORDS_RECORD_CSV_H

#include "model/records/record.h"

#include <stdio.h>

/* The line of columns, as it stands first in the file; without its end; to be freed. */
char *record_csv_header(const struct record *record);

/* The line of columns, and a line an item; a member that is absent is an empty cell, and numbers
   have full precision. Whether all was written, ferror tells. */
void record_csv_write(const struct record *record, const struct list *list, FILE *stream);

/* Appends the items of a file to the list. Columns may stand in any order, and those that no member
   requires may be missing; an unknown one, a cell that is no such value and a line of another
   number of cells are errors at file:line:column. On error the list is as before. */
int record_csv_read(const struct record *record, const char *path, struct list *list,
                    struct error *error);

#endif
