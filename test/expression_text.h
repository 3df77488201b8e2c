/* Values of texts, for tests: each is read, evaluated and forgotten. */
#ifndef TEST_EXPRESSION_TEXT_H
#define TEST_EXPRESSION_TEXT_H

#include "model/base/expression.h"

static inline int text_value(const struct scope *scope, const char *text, struct place place,
                             double *value, struct error *error)
{
    struct expression *read = expression_read(text, place, error);
    const int status = read ? expression_value(read, scope, place, value, error) : -1;
    expression_free(read);
    return status;
}

#endif
