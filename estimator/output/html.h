/* A page for browsers: one file that needs no other. */
#ifndef ESTIMATOR_OUTPUT_HTML_H
#define ESTIMATOR_OUTPUT_HTML_H

#include <stdio.h>

/* Everything before and behind the content; style: the page's style sheet. */
void html_begin(FILE *page, const char *title, const char *style);
void html_end(FILE *page);

/* Text as such: nothing in it is markup, and control characters are blanks. */
void html_text(FILE *page, const char *text);

/* <element class="class">text</element>; class may be NULL. */
void html_element(FILE *page, const char *element, const char *class, const char *text);

#endif
