/* The page of `estimator explore` as lines of text. */
#ifndef ESTIMATOR_EXPLORE_PAGE_H
#define ESTIMATOR_EXPLORE_PAGE_H

#include "estimator/explore/explorer.h"

enum { PAGE_ROWS = 200, PAGE_COLUMNS = 200 };

struct page {
    size_t rows, columns; /* of the screen; at most the above */
    size_t count;         /* lines that are filled */
    struct line_of_page {
        char text[PAGE_COLUMNS + 1];
        bool strong;
    } lines[PAGE_ROWS];
};

/* Fills rows x columns; the last row says what keys do. What does not fit is cut off. */
void page_fill(struct page *page, size_t rows, size_t columns, const struct explorer *explorer);

#endif
