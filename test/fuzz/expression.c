/* Expressions, one a line: a value that is finite, or a message; no expression changes its scope,
   and the same one has the same value again. */
#include "test/expression_text.h"
#include "test/fuzz/target.h"

#include <math.h>
#include <string.h>

static const char *const names[] = {"p", "N", "k", "a_long_name"};
static const double values[] = {4.0, 1024.0, 0.5, -3.0};
enum { NAMES = sizeof names / sizeof *names };

static void evaluate(struct scope *scope, const char *text)
{
    struct error error;
    double value, again;
    if (text_value(scope, text, place_at("in", 1, 1), &value, &error) != 0) {
        require_message(&error);
    } else {
        REQUIRE(isfinite(value));
        REQUIRE(text_value(scope, text, place_at("in", 1, 1), &again, &error) == 0);
        REQUIRE(value == again);
    }
    struct expression *read = expression_read(text, place_at("in", 1, 1), &error);
    if (read && expression_whole(read, scope, place_at("in", 1, 1), &value, &error) == 0)
        REQUIRE(value == floor(value));
    expression_free(read);
    for (size_t i = 0; i < NAMES; i++)
        REQUIRE(scope_get(scope, names[i], &value) && value == values[i]);
    REQUIRE(scope_count(scope) == NAMES);
}

static void set(struct scope *scope, const char *name)
{
    struct error error;
    double value;
    if (scope_get(scope, name, NULL))
        return;
    if (scope_set(scope, name, 7.0, place_at("in", 1, 1), &error) != 0) {
        require_message(&error);
        return;
    }
    REQUIRE(text_value(scope, name, place_at("in", 1, 1), &value, &error) == 0);
    REQUIRE(value == 7.0);
    scope_cut(scope, NAMES);
    REQUIRE(text_value(scope, name, place_at("in", 1, 1), &value, &error) != 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct scope *scope = scope_new();
    char *text = malloc(size + 1), *rest = text, *line;
    REQUIRE(text);
    if (size > 0)
        memcpy(text, bytes, size);
    text[size] = '\0';
    for (size_t i = 0; i < NAMES; i++)
        REQUIRE(scope_set(scope, names[i], values[i], place_at("in", 1, 1), NULL) == 0);
    while ((line = strsep(&rest, "\n"))) {
        evaluate(scope, line);
        set(scope, line);
    }
    free(text);
    scope_free(scope);
    return 0;
}
