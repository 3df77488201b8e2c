/* How every function that can fail is called: whatever the caller's locale is, and without ending
   his process where there is no memory. */
#ifndef LIBFORECOST_CALL_H
#define LIBFORECOST_CALL_H

#include "libforecost/forecost.h"
#include "model/base/error.h"

/* Returns 0, 1 where there is no answer, or -1; on 1 and -1 with *error set. */
typedef int call_body(void *state, struct error *error);

/* Runs the body and says how it ended; *said (which may be NULL) is filled in where it failed. A
   particular error (error.h) is no answer. */
enum forecost_status call_body_of(call_body *body, void *state, struct forecost_error *said);

/* How many items a list that ends with NULL has; NULL has none. */
size_t call_count(const char *const *list);

/* An error unless each of them is NAME=VALUE. */
int call_check_definitions(const char *const *definitions, struct error *error);

/* processors, or all of the machine where they are 0; an error where they are no whole number from
   1. */
struct machine;
int call_processors(const struct machine *machine, double asked, double *processors,
                    struct error *error);

#endif
