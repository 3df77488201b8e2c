#include "describer/prepare.h"

#include "model/base/number.h"

#include <string.h>

static bool is_name(const char *text)
{
    return *text &&
           strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") ==
               strlen(text);
}

/* NAME = VALUE; a name alone takes what the source gives it. */
static void set_parameter(struct describer *describer, const char *text, struct place place,
                          bool is_told)
{
    const size_t length = strcspn(text, "=");
    const char *name = text_trimmed(describer->arena, text, length);
    double value;
    if (!is_name(name)) {
        describer_fail(describer, place, "'%s': expected NAME = VALUE", text);
        return;
    }
    struct symbol *symbol = symbol_find(&describer->symbols, name);
    const bool is_new = !symbol;
    if (is_new)
        symbol = symbol_parameter(&describer->symbols, name, place);
    symbol->is_used = symbol->is_used || is_told;
    symbol->is_told = symbol->is_told || is_told;
    symbol->is_defined = symbol->is_defined || !is_told;
    if (!text[length] || (!is_new && symbol->has_value && is_told))
        return;
    const char *number =
        text_trimmed(describer->arena, text + length + 1, strlen(text + length + 1));
    if (!number_parse_bytes(number, &value)) {
        describer_fail(describer, place, "%s = %s: %s", name, number, number_wrong(number));
        return;
    }
    symbol->value = value;
    symbol->has_value = true;
}

void prepare(struct describer *describer, const struct options *options, int processes)
{
    const struct place line = place_at(NULL, 0, 0);
    struct symbol *processors = symbol_parameter(&describer->symbols, "P", line);
    *processors =
        (struct symbol){.name = "p", .kind = SYMBOL_GIVEN, .value = processes, .has_value = true};
    struct symbol *rank = symbol_parameter(&describer->symbols, "RANK", line);
    *rank = (struct symbol){
        .name = "-", .kind = SYMBOL_RANK, .number = 1, .value = processes / 2.0, .has_value = true};
    describer->processors = processors;
    describer->rank = rank;
    for (int i = 0; i < options->definition_count; i++)
        set_parameter(describer, options->definitions[i], line, false);
    for (int i = 0; i < describer->directives.count; i++) {
        struct directive *directive = &describer->directives.items[i];
        if (directive->word != WORD_PARAMETERS)
            continue;
        directive->is_used = true;
        const char *text = directive_clause(directive, "parameters");
        for (const char **part = text_split(describer->arena, text ? text : "", ','); *part; part++)
            set_parameter(describer, *part, directive->place, true);
    }
}

static void check_defined(struct describer *describer)
{
    for (int i = 0; i < describer->symbols.count; i++) {
        const struct symbol *symbol = describer->symbols.items[i];
        if (symbol->is_defined && !symbol->is_used && !symbol->is_met &&
            symbol->kind == SYMBOL_PARAMETER)
            describer_fail(describer, place_at(describer->source->files[0], 0, 0),
                           "-D %s=...: what is described has no parameter of that name",
                           symbol->name);
    }
}

void check_used(struct describer *describer)
{
    check_defined(describer);
    for (int i = 0; i < describer->directives.count; i++) {
        const struct directive *directive = &describer->directives.items[i];
        if (!directive->is_used && !directive->is_implied &&
            directive_stands_before_statement(directive))
            describer_fail(describer, directive->place,
                           "this directive stands before no statement that is described: put it "
                           "directly before a loop or statement of a segment");
        if (!directive->is_used && directive->word == WORD_ALIGN)
            describer_fail(describer, directive->place,
                           "align: no array of that name is used in a segment");
    }
}
