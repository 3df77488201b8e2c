#include "trainer/effort/effort.h"

#include "model/base/allocation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An estimate is no nearer than this: what falls short by less is complete. */
static const double short_share = 0.98;

/* Beyond this minutes are told, then hours. */
static const double minutes_from_s = 100.0, hours_from_s = 5400.0;

double effort_share_s(double left_s, int parts, bool is_large)
{
    enum { LARGE_OF = 3 };
    return left_s / (is_large && parts > LARGE_OF ? LARGE_OF : parts);
}

void effort_fill(struct effort *effort)
{
    double sum_s = 0.0;
    size_t known = 0;
    for (size_t i = 0; i < effort->count; i++) {
        const double needs_s = effort->parts[i].needs_s;
        known += isnan(needs_s) ? 0 : 1;
        sum_s += isnan(needs_s) ? 0.0 : needs_s;
    }
    for (size_t i = 0; i < effort->count; i++)
        if (isnan(effort->parts[i].needs_s))
            effort->parts[i].needs_s = known > 0 ? sum_s / (double)known : 0.0;
}

void effort_share(struct effort *effort)
{
    double left_s = fmax(0.0, effort->budget_s - effort->begun_s);
    for (size_t i = 0; i < effort->count; i++) {
        struct effort_part *part = &effort->parts[i];
        part->gets_s =
            fmin(part->needs_s, effort_share_s(left_s, (int)(effort->count - i), part->is_large));
        left_s -= part->gets_s;
    }
}

double effort_needs_s(const struct effort *effort)
{
    double needs_s = effort->begun_s;
    for (size_t i = 0; i < effort->count; i++)
        needs_s += effort->parts[i].needs_s;
    return needs_s;
}

double effort_takes_s(const struct effort *effort)
{
    double takes_s = effort->begun_s;
    for (size_t i = 0; i < effort->count; i++)
        takes_s += effort->parts[i].gets_s;
    return takes_s;
}

bool effort_is_short(const struct effort_part *part)
{
    return part->gets_s < short_share * part->needs_s;
}

/* ---- in words ---- */

/* Two digits are all that is known. */
static double two_digits(double number)
{
    const double unit = number > 0.0 ? pow(10.0, floor(log10(number)) - 1.0) : 1.0;
    return unit * round(number / unit);
}

static char *duration(double time_s)
{
    if (time_s >= hours_from_s)
        return memory_format("%.3g h", two_digits(time_s / 3600.0));
    return time_s >= minutes_from_s ? memory_format("%.3g min", two_digits(time_s / 60.0))
                                    : memory_format("%.3g s", two_digits(time_s));
}

static char *cost_of(const struct effort *effort, double time_s)
{
    char *how_long = duration(time_s);
    char *text =
        memory_format("about %s of %d ranks, %.3g core-hours", how_long, effort->processors,
                      two_digits(time_s * effort->processors / 3600.0));
    free(how_long);
    return text;
}

/* Adds ", name" to the list. */
static void join(char **list, const char *name)
{
    char *longer = **list ? memory_format("%s, %s", *list, name) : memory_copy_text(name);
    free(*list);
    *list = longer;
}

static bool is_suite_short(const struct effort *effort, const char *suite)
{
    for (size_t i = 0; i < effort->count; i++)
        if (strcmp(effort->parts[i].suite, suite) == 0 && effort_is_short(&effort->parts[i]))
            return true;
    return false;
}

static bool is_new(const struct effort *effort, size_t i)
{
    return i == 0 || strcmp(effort->parts[i].suite, effort->parts[i - 1].suite) != 0;
}

/* Which suites are complete, and which are not. */
static char *what_fits(const struct effort *effort)
{
    char *whole = memory_copy_text(""), *cut = memory_copy_text("");
    for (size_t i = 0; i < effort->count; i++)
        if (is_new(effort, i)) {
            const char *suite = effort->parts[i].suite;
            join(is_suite_short(effort, suite) ? &cut : &whole, suite);
        }
    char *text = *cut ? memory_format("; with --budget %g: %s; cut short: %s", effort->budget_s,
                                      *whole ? whole : "no suite complete", cut)
                      : memory_format("; --budget %g is enough", effort->budget_s);
    free(whole);
    free(cut);
    return text;
}

char *effort_line(const struct effort *effort)
{
    char *cost = cost_of(effort, effort_needs_s(effort)), *fits = what_fits(effort);
    char *line = memory_format("%s%s", cost, fits);
    free(cost);
    free(fits);
    return line;
}

/* ---- as CSV ---- */

static void write_suite(const struct effort *effort, size_t from, FILE *out)
{
    const char *suite = effort->parts[from].suite;
    char *cut = memory_copy_text("");
    double needs_s = 0.0, gets_s = 0.0;
    for (size_t i = from; i < effort->count && strcmp(effort->parts[i].suite, suite) == 0; i++) {
        needs_s += effort->parts[i].needs_s;
        gets_s += effort->parts[i].gets_s;
        if (effort_is_short(&effort->parts[i]))
            join(&cut, effort->parts[i].name);
    }
    fprintf(out, "%s,%.3g,%.3g,\"%s\"\n", suite, needs_s, gets_s, cut);
    free(cut);
}

void effort_write(const struct effort *effort, FILE *out)
{
    fprintf(out, "suite,needs_s,gets_s,cut_short\n");
    for (size_t i = 0; i < effort->count; i++)
        if (is_new(effort, i))
            write_suite(effort, i, out);
    fprintf(out, "all,%.3g,%.3g,\"\"\n", effort_needs_s(effort), effort_takes_s(effort));
}
