/* JSON within a page. */
#ifndef ESTIMATOR_REPORT_DATA_H
#define ESTIMATOR_REPORT_DATA_H

#include <stddef.h>
#include <stdio.h>

struct data {
    FILE *json; /* what is to stand in the page is written here */
    char *text; /* owned */
    size_t size;
};

void data_begin(struct data *data);

/* Writes all of it as the element of id "data", in which no text can end the element or be anything
   but data: < and control characters are escaped. Releases what data owns. */
void data_end(struct data *data, FILE *page);

#endif
