#include "forecast/search/candidate_text.h"

#include "model/base/allocation.h"

#include <stdlib.h>
#include <string.h>

static char *with_list(char *text, const char *before, const struct list *formulas)
{
    const struct formula *items = formulas->items;
    char *longer = memory_format("%s%s[", text, before);
    free(text);
    for (size_t i = 0; i < formulas->count; i++) {
        const bool star = strcmp(items[i].text, "*") == 0;
        char *next =
            memory_format(star ? "%s%s\"%s\"" : "%s%s%s", longer, i ? ", " : "", items[i].text);
        free(longer);
        longer = next;
    }
    char *closed = memory_format("%s]", longer);
    free(longer);
    return closed;
}

static char *with_distribute(char *text, const char *first, const struct list *distributes)
{
    const struct distribute *items = distributes->items;
    for (size_t i = 0; i < distributes->count; i++) {
        char *name = memory_format("%s%s: ", i ? ", " : first, items[i].array);
        text = with_list(text, name, &items[i].dimensions);
        free(name);
    }
    return text;
}

static char *with(char *text, const char *more)
{
    char *longer = memory_format("%s%s", text, more);
    free(text);
    return longer;
}

char *candidate_text(const struct candidate *candidate)
{
    const struct redistribute *changes = candidate->redistribute.items;
    char *text = with_list(memory_copy_text(""), "{grid: ", &candidate->grid);
    text = with_distribute(with(text, ", distribute: {"), "", &candidate->distribute);
    text = with(text, "}");
    for (size_t i = 0; i < candidate->redistribute.count; i++) {
        char *begin = memory_format("%s{before: \"%s\"", i ? ", " : ", redistribute: [",
                                    changes[i].before ? changes[i].before : "");
        text = with(text, begin);
        free(begin);
        text = with(with_distribute(text, ", ", &changes[i].distribute), "}");
    }
    text = with(text, candidate->redistribute.count ? "]" : "");
    return with(text, candidate->fill ? ", fill: true}" : "}");
}
