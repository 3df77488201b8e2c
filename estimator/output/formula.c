#include "estimator/output/formula.h"

#include "model/base/number.h"
#include "model/cost/pattern.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- terms in p ---- */

void form_print(const struct form *form, char *text, size_t size)
{
    text[0] = '\0';
    for (size_t i = 0; i < form->count; i++) {
        const struct quotient *c = &form->terms[i].coefficient;
        const char *name = basis_name(form->terms[i].basis);
        const bool one = strcmp(name, "1") == 0, sum = strpbrk(name, "-(") == name + 1;
        char numerator[NUMBER_TEXT], over[NUMBER_TEXT + 1] = "";
        snprintf(numerator, sizeof numerator, "%.6g", fabs(c->numerator));
        if (c->denominator != 1.0)
            snprintf(over, sizeof over, "/%.6g", c->denominator);
        const size_t used = strlen(text);
        snprintf(text + used, size - used, sum ? "%s%s%s%s(%s)" : "%s%s%s%s%s",
                 c->numerator < 0.0 ? (i ? " - " : "-") : (i ? " + " : ""), numerator, over,
                 one ? "" : " ", one ? "" : name);
    }
}

static bool is_constant(const struct form *form)
{
    return form->count == 0 || (form->count == 1 && form->terms[0].basis == BASIS_ONE);
}

bool formula_is_in_p(const struct region *region)
{
    return !is_constant(&region->setup_us) || !is_constant(&region->per_byte_us) ||
           !is_constant(&region->per_root_byte_us);
}

/* ---- names ---- */

void formula_name(const char *utility, bool in_p, char text[FORMULA_TEXT])
{
    const char *letters = pattern_named(utility)->letters;
    snprintf(text, FORMULA_TEXT, "T_%s(n%s)", letters ? letters : utility, in_p ? ", p" : "");
}

/* ---- formulas ---- */

static void __attribute__((format(printf, 2, 3)))
add(char text[FORMULA_TEXT], const char *format, ...)
{
    const size_t used = strlen(text);
    va_list more;
    va_start(more, format);
    vsnprintf(text + used, FORMULA_TEXT - used, format, more);
    va_end(more);
}

/* A form with p as it stands, or its value. */
static void print_at(const struct form *form, double processors, char *text, size_t size)
{
    if (isnan(processors) || is_constant(form))
        form_print(form, text, size);
    else
        snprintf(text, size, "%.6g", form_value(form, processors));
}

/* n over the rate where that is how it was written, else the factor and n. */
static void add_bytes(char text[FORMULA_TEXT], const struct form *form, double processors,
                      const char *bytes)
{
    char factor[200];
    const struct quotient *rate = form->count ? &form->terms[0].coefficient : NULL;
    if (!rate)
        return;
    print_at(form, processors, factor, sizeof factor);
    if (is_constant(form) && rate->numerator == 1.0)
        add(text, " + %s/%.6g", bytes, rate->denominator);
    else
        add(text, strpbrk(factor, " /") ? " + (%s) %s%s" : " + %s %s%s", factor,
            isnan(processors) ? "" : "x ", bytes);
}

static void add_packets(char text[FORMULA_TEXT], const struct region *region, const char *bytes)
{
    if (isnan(region->first_packet_bytes))
        add(text, " + ceil(%s/%.0f) %.6g", bytes, region->packet_bytes, region->per_packet_us);
    else
        add(text, " + (1 + ceil((%s - %.0f)/%.0f)) %.6g", bytes, region->first_packet_bytes,
            region->packet_bytes, region->per_packet_us);
}

void formula_print(const struct region *region, double bytes, double processors,
                   char text[FORMULA_TEXT])
{
    char setup[200], n[NUMBER_TEXT] = "n", root[NUMBER_TEXT + 8];
    if (!isnan(bytes))
        snprintf(n, sizeof n, "%.0f", bytes);
    snprintf(root, sizeof root, "sqrt(%s)", n);
    print_at(&region->setup_us, processors, setup, sizeof setup);
    snprintf(text, FORMULA_TEXT, strchr(setup, ' ') ? "(%s)" : "%s", *setup ? setup : "0");
    add_bytes(text, &region->per_byte_us, processors, n);
    add_bytes(text, &region->per_root_byte_us, processors, root);
    if (!isnan(region->packet_bytes))
        add_packets(text, region, n);
}

/* One kind of messages: how many, and what each takes. */
static void add_messages(double count, const char *what, double each_us, char words[FORMULA_TEXT],
                         char numbers[FORMULA_TEXT])
{
    if (!(count > 0.0))
        return;
    add(words, "%s%.6g %s", *words ? " + " : "", count, what);
    add(numbers, "%s%.6g x %.6g", *numbers ? " + " : "", count, each_us);
}

void formula_print_messages(const struct cost *cost, double bytes, double processors,
                            char words[FORMULA_TEXT], char numbers[FORMULA_TEXT])
{
    struct arrival at;
    struct hop hop;
    *words = *numbers = '\0';
    if (!cost_hops_counts(cost, bytes, processors, &at, &hop)) {
        add(words, "messages in parts (%s)", cost_tree_name(cost->tree));
        add(numbers, "their sum");
        return;
    }
    add_messages(at.near, "near", hop.near_us, words, numbers);
    add_messages(at.near_gaps, "further near", hop.near_gap_us, words, numbers);
    add_messages(at.far, "far", hop.far_us, words, numbers);
    add_messages(at.far_gaps, "further far", hop.far_gap_us, words, numbers);
    add(words, " messages (%s)", cost_tree_name(cost->tree));
}
