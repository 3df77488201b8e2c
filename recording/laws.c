#include "recording/laws.h"

#include "model/base/allocation.h"
#include "model/base/expression.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* constant: relative difference of values that are the same: 1e-9
   a law of arithmetic: counts and bytes are whole numbers below 2^53, terms are doubles. */
static const double same = 1e-9;

/* constant: how much more complicated a law may be that is named as a tie: 1.0
   a threshold: one more factor; of terms that are more complicated than that some always fit a few
   recordings (class S of the NAS benchmarks: 10 to 40 at p = 2, 4, 8). */
static const double tie_cost = 1.0;

enum { PROBES = 3, TERMS_MOST = 4000 };

struct term {
    char text[120];
    double cost;
    double values[SETTINGS_MOST];
    double probes[PROBES]; /* twice and four times the largest p; twice the parameters */
};

struct laws {
    const struct settings *settings;
    struct term *terms;
    size_t count;
    double probe_p[PROBES];
    bool is_varied[LAW_NAMES];
};

/* ---- terms ---- */

static double value_of(const struct expression *expression, const struct settings *settings,
                       const double *values)
{
    double value = NAN;
    struct error error;
    struct scope *scope = scope_new();
    for (size_t i = 0; i < settings->name_count; i++)
        scope_set(scope, settings->names[i], values[i], place_at(NULL, 0, 0), &error);
    if (expression_value(expression, scope, place_at(NULL, 0, 0), &value, &error) != 0)
        value = NAN;
    scope_free(scope);
    return value;
}

/* The largest recording with twice or four times p along the last side, or twice the parameters. */
static void probe(const struct settings *settings, int number, double *values)
{
    size_t largest = 0;
    for (size_t s = 1; s < settings->count; s++)
        if (settings->values[s][0] > settings->values[largest][0])
            largest = s;
    memcpy(values, settings->values[largest], sizeof settings->values[largest]);
    if (number < 2) {
        values[0] *= number == 0 ? 2.0 : 4.0;
        for (size_t side = 1; side <= settings->side_count; side++)
            values[side] *= number == 1 && side <= 2                      ? 2.0
                            : number == 0 && side == settings->side_count ? 2.0
                                                                          : 1.0;
        if (settings->side_count == 1)
            values[1] = values[0];
    } else {
        for (size_t i = 1 + settings->side_count; i < settings->name_count; i++)
            values[i] *= 2.0;
    }
}

static void add_term(struct laws *laws, const char *text, double cost)
{
    struct error error;
    double values[LAW_NAMES];
    if (laws->count == TERMS_MOST)
        return;
    struct term *term = &laws->terms[laws->count];
    struct expression *expression = expression_read(text, place_at(NULL, 0, 0), &error);
    if (!expression)
        return;
    snprintf(term->text, sizeof term->text, "%s", text);
    term->cost = cost;
    bool is_value = true;
    for (size_t s = 0; s < laws->settings->count; s++) {
        term->values[s] = value_of(expression, laws->settings, laws->settings->values[s]);
        is_value &= isfinite(term->values[s]);
    }
    for (int i = 0; i < PROBES; i++) {
        probe(laws->settings, i, values);
        term->probes[i] = value_of(expression, laws->settings, values);
    }
    expression_free(expression);
    laws->count += is_value;
}

struct factor {
    char text[60];
    double cost;
};

/* The form with the names in the place of @ and #. */
static size_t add_factor(struct factor *factors, size_t count, double cost, const char *form,
                         const char *a, const char *b)
{
    char *text = factors[count].text;
    size_t used = 0;
    for (; *form && used + 1 < sizeof factors[count].text; form++) {
        const char *name = *form == '@' ? a : *form == '#' ? b : NULL;
        if (name)
            used += (size_t)snprintf(text + used, sizeof factors[count].text - used, "%s", name);
        else
            text[used++] = *form;
    }
    text[used < sizeof factors[count].text ? used : sizeof factors[count].text - 1] = '\0';
    factors[count].cost = cost;
    return count + 1;
}

/* Of the processor count: its powers; the grids of two and three dimensions that MPI_Dims_create
   makes of a power of two; and the sides of the program's own grid. */
static size_t process_factors(const struct settings *settings, struct factor *factors)
{
    static const struct {
        const char *text;
        double cost;
    } own[] = {
        {"1",             0.0},
        {"p",             1.0},
        {"(1 / p)",       1.0},
        {"(p - 1)",       1.2},
        {"log2(p)",       1.2},
        {"(1 / p ^ 2)",   1.5},
        {"sqrt(p)",       1.5},
        {"(1 / sqrt(p))", 1.5},
        {"(sqrt(p) - 1)", 1.6},
        {"((p - 1) / p)", 1.6},
        {"p ^ 2",         2.0},
        {"(p > 1)",       1.2}
    };
    static const char *const sides[] = {"@",       "(1 / @)", "(@ - 1)",
                                        "log2(@)", "(@ > 1)", "(1 / (p * @))"};
    static const char *const made[] = {"2 ^ floor(log2(p) / 2)", "2 ^ ceil(log2(p) / 2)",
                                       "2 ^ floor(log2(p) / 3)", "2 ^ ceil(log2(p) / 3)"};
    size_t count = 0;
    /* A program that has a grid computes with its sides. */
    const double more = settings->side_count > 0 ? 1.5 : 0.0;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        count = add_factor(factors, count, own[i].cost + (own[i].cost > 0.0 ? more : 0.0), "@",
                           own[i].text, "");
    for (size_t k = 0; k < sizeof sides / sizeof *sides; k++) {
        for (size_t i = 1; i <= settings->side_count; i++)
            count = add_factor(factors, count, 1.1 + 0.1 * (double)k + (k == 5 ? more : 0.0),
                               sides[k], settings->names[i], "");
        for (size_t i = 0; i < sizeof made / sizeof *made && settings->side_count == 0; i++) {
            char bracketed[40];
            snprintf(bracketed, sizeof bracketed, "(%s)", made[i]);
            count = add_factor(factors, count, 1.4 + 0.1 * (double)k + (i > 1 ? 1.2 : 0.0),
                               sides[k], bracketed, "");
        }
    }
    for (size_t i = 1; i <= settings->side_count; i++)
        for (size_t k = i + 1; k <= settings->side_count; k++)
            count = add_factor(factors, count, 2.3, "(1 / (@ * #))", settings->names[i],
                               settings->names[k]);
    return count;
}

/* Of a parameter: its powers, without and with borders. */
static size_t parameter_factors(const char *name, bool is_first, struct factor *factors)
{
    static const struct {
        const char *text;
        double cost;
    } forms[] = {
        {"1",           0.0},
        {"@",           1.0},
        {"@ ^ 2",       1.3},
        {"@ ^ 3",       1.5},
        {"(@ - 1)",     1.6},
        {"(@ - 2)",     1.6},
        {"(@ + 1)",     1.6},
        {"(@ + 2)",     1.6},
        {"log2(@)",     1.7},
        {"(@ - 2) ^ 2", 2.2},
        {"(@ - 1) ^ 2", 2.2},
        {"(@ + 2) ^ 2", 2.2},
        {"(@ + 1) ^ 2", 2.2},
        {"sqrt(@)",     2.0}
    };
    size_t count = 0;
    for (size_t i = 0; i < (is_first ? sizeof forms / sizeof *forms : 6); i++)
        count = add_factor(factors, count, forms[i].cost, forms[i].text, name, "");
    return count;
}

/* Blocks of whole cells, of all or of those within the border: rounded up. */
static void add_blocks(struct laws *laws, const char *name)
{
    const struct settings *settings = laws->settings;
    static const char *const cells[] = {"", " - 2", " - 1"};
    const char *by[8] = {"p", "2 ^ floor(log2(p) / 2)", "2 ^ ceil(log2(p) / 2)"};
    size_t count = settings->side_count > 0 ? 0 : 3;
    for (size_t i = 1; i <= settings->side_count && count < 8; i++)
        by[count++] = settings->names[i];
    char text[120];
    for (size_t c = 0; c < sizeof cells / sizeof *cells; c++)
        for (size_t i = 0; i < count; i++) {
            const double cost = 2.7 + (c > 0 ? 0.4 : 0.0);
            snprintf(text, sizeof text, "cdiv(%s%s, %s)", name, cells[c], by[i]);
            add_term(laws, text, cost);
            snprintf(text, sizeof text, "%s * cdiv(%s%s, %s)", name, name, cells[c], by[i]);
            add_term(laws, text, cost + 1.0);
            for (size_t k = i + 1; k < count; k++) {
                snprintf(text, sizeof text, "cdiv(%s%s, %s) * cdiv(%s%s, %s)", name, cells[c],
                         by[i], name, cells[c], by[k]);
                add_term(laws, text, cost + 1.3);
            }
        }
}

struct laws *laws_new(const struct settings *settings)
{
    struct factor process[80], first[20],
        second[20] =
            {
                {"1", 0.0}
    },
        third[20] = {{"1", 0.0}};
    size_t count = 0, counts[3] = {1, 1, 1};
    struct factor *const lists[3] = {first, second, third};
    struct laws *laws = memory_new(1, sizeof *laws);
    laws->settings = settings;
    laws->terms = memory_new(TERMS_MOST, sizeof *laws->terms);
    for (size_t i = 0; i < settings->name_count; i++)
        for (size_t s = 1; s < settings->count; s++)
            laws->is_varied[i] |= settings->values[s][i] != settings->values[0][i];
    snprintf(first[0].text, sizeof first[0].text, "1");
    first[0].cost = 0.0;
    for (size_t i = 1 + settings->side_count; i < settings->name_count && count < 3; i++)
        if (laws->is_varied[i]) {
            counts[count] = parameter_factors(settings->names[i], count == 0, lists[count]);
            count++;
        }
    const size_t of_processes = laws->is_varied[0] ? process_factors(settings, process) : 1;
    if (of_processes == 1)
        process[0] = (struct factor){"1", 0.0};
    for (size_t g = 0; g < of_processes; g++)
        for (size_t a = 0; a < counts[0]; a++)
            for (size_t b = 0; b < counts[1]; b++)
                for (size_t c = 0; c < counts[2]; c++) {
                    const struct factor *const all[] = {&first[a], &second[b], &third[c],
                                                        &process[g]};
                    char text[120] = "";
                    double cost = 0.0;
                    for (size_t i = 0; i < 4; i++) {
                        if (strcmp(all[i]->text, "1") == 0)
                            continue;
                        cost += all[i]->cost;
                        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s",
                                 *text ? " * " : "", all[i]->text);
                    }
                    add_term(laws, *text ? text : "1", cost);
                }
    for (size_t i = 1 + settings->side_count; i < settings->name_count && laws->is_varied[0]; i++)
        add_blocks(laws, settings->names[i]);
    return laws;
}

void laws_free(struct laws *laws)
{
    free(laws->terms);
    free(laws);
}

/* ---- fitting ---- */

struct fit {
    const struct term *term;
    double base, factor; /* base + factor * term */
    double error, cost;
};

static double fitted(const struct fit *fit, double term)
{
    return fit->base + fit->factor * term;
}

/* How far off it is where values are known, relative to the larger. */
static double error_of(const struct fit *fit, const double *values, size_t count)
{
    double most = 0.0;
    for (size_t s = 0; s < count; s++) {
        if (isnan(values[s]))
            continue;
        const double value = fitted(fit, fit->term->values[s]);
        const double larger = fmax(fabs(value), fabs(values[s]));
        most = larger > 0.0 ? fmax(most, fabs(value - values[s]) / larger) : most;
    }
    return most;
}

static bool is_round(double value)
{
    return fabs(value - rint(value)) <= same * fmax(1.0, fabs(value));
}

/* A number times the term: the middle of the least and the greatest ratio. */
static struct fit fit_factor(const struct term *term, const double *values, size_t count)
{
    double least = INFINITY, most = 0.0;
    struct fit fit = {.term = term, .error = INFINITY, .cost = term->cost};
    for (size_t s = 0; s < count; s++) {
        if (isnan(values[s]) || (values[s] == 0.0 && term->values[s] == 0.0))
            continue;
        if (!(term->values[s] > 0.0) || !(values[s] > 0.0))
            return fit;
        least = fmin(least, values[s] / term->values[s]);
        most = fmax(most, values[s] / term->values[s]);
    }
    if (most == 0.0)
        return fit;
    fit.factor = most - least <= same * most ? least : sqrt(least * most);
    if (fabs(fit.factor - rint(fit.factor)) <= 1e-7 * fit.factor && rint(fit.factor) > 0.0)
        fit.factor = rint(fit.factor);
    fit.cost += is_round(fit.factor) ? 0.0 : is_round(8.0 * fit.factor) ? 0.5 : 0.8;
    fit.error = error_of(&fit, values, count);
    return fit;
}

/* Whether a value is known where the term is neither its least nor its greatest: through two points
   goes a line of any term. */
static bool has_third(const struct term *term, const double *values, size_t count, size_t low,
                      size_t high)
{
    bool has = false;
    for (size_t s = 0; s < count; s++)
        has |= !isnan(values[s]) && term->values[s] > term->values[low] &&
               term->values[s] < term->values[high];
    return has;
}

/* A number and a number times the term, through the values at the term's least and greatest. */
static struct fit fit_sum(const struct term *term, const double *values, size_t count)
{
    size_t low = count, high = count;
    struct fit fit = {.term = term, .error = INFINITY, .cost = term->cost + 2.5};
    for (size_t s = 0; s < count; s++) {
        if (isnan(values[s]))
            continue;
        low = low == count || term->values[s] < term->values[low] ? s : low;
        high = high == count || term->values[s] > term->values[high] ? s : high;
    }
    if (low == high || !has_third(term, values, count, low, high))
        return fit;
    fit.factor = (values[high] - values[low]) / (term->values[high] - term->values[low]);
    fit.base = values[low] - fit.factor * term->values[low];
    if (!is_round(fit.factor) || !is_round(fit.base) || fit.factor == 0.0)
        return fit;
    fit.error = error_of(&fit, values, count);
    return fit;
}

static size_t known_count(const double *values, size_t count)
{
    size_t known = 0;
    for (size_t s = 0; s < count; s++)
        known += isnan(values[s]) ? 0 : 1;
    return known;
}

/* The simplest that is exact; else the simplest of those within the error, where what a term is
   more complicated has to make it as much nearer. */
static struct fit best_fit(const struct laws *laws, const double *values, double within)
{
    const size_t count = laws->settings->count, known = known_count(values, count);
    struct fit best = {.error = INFINITY};
    double best_score = INFINITY;
    for (size_t i = 0; i < laws->count; i++)
        for (int sum = 0; sum < (known >= 4 ? 2 : 1); sum++) {
            const struct fit fit = sum ? fit_sum(&laws->terms[i], values, count)
                                       : fit_factor(&laws->terms[i], values, count);
            const bool is_exact = fit.error <= same;
            if (!is_exact && (sum || fit.error > within))
                continue;
            const double score =
                is_exact ? fit.cost : 100.0 + log(fit.error / same) + 0.3 * fit.cost;
            if (score < best_score) {
                best_score = score;
                best = fit;
            }
        }
    return best;
}

static void write_law(struct law *law, const struct fit *fit)
{
    char base[40] = "", factor[40];
    if (fit->base != 0.0)
        snprintf(base, sizeof base, "%.12g + ", fit->base);
    snprintf(factor, sizeof factor, "%.12g", fit->factor);
    if (strcmp(fit->term->text, "1") == 0)
        snprintf(law->text, sizeof law->text, "%.12g", fit->base + fit->factor);
    else
        snprintf(law->text, sizeof law->text, "%s%s%s%s", base, fit->factor == 1.0 ? "" : factor,
                 fit->factor == 1.0 ? "" : " * ", fit->term->text);
}

/* Another law as near that is about as simple, and where the two first differ. */
static void find_tie(struct law *law, const struct laws *laws, const double *values,
                     const struct fit *fit)
{
    double settings[LAW_NAMES];
    for (size_t i = 0; i < laws->count; i++) {
        const struct fit other = fit_factor(&laws->terms[i], values, laws->settings->count);
        if (other.error > fmax(same, 1.01 * fit->error) || other.cost > fit->cost + tie_cost)
            continue;
        for (int k = 0; k < PROBES; k++) {
            const double here = fitted(fit, fit->term->probes[k]);
            const double there = fitted(&other, other.term->probes[k]);
            if (!(fabs(here - there) > 0.05 * fmax(fabs(here), fabs(there))))
                continue;
            struct law second;
            write_law(&second, &other);
            probe(laws->settings, k, settings);
            law->has_tie = true;
            law->of_size = k == 2;
            if (k < 2)
                snprintf(law->decides, sizeof law->decides, "a tie: p = %g decides: or %.40s",
                         settings[0], second.text);
            else
                snprintf(law->decides, sizeof law->decides,
                         "a tie: a larger size decides: or %.40s", second.text);
            return;
        }
    }
}

/* Found without the recordings of the largest p, then without those of the largest parameters. */
static double held_out(const struct laws *laws, const double *values, double within)
{
    const struct settings *settings = laws->settings;
    double most = NAN, without[SETTINGS_MOST];
    for (size_t i = 0; i < settings->name_count; i++) {
        double largest = -INFINITY;
        if ((i > 0 && i <= settings->side_count) || !laws->is_varied[i])
            continue;
        for (size_t s = 0; s < settings->count; s++)
            if (!isnan(values[s]))
                largest = fmax(largest, settings->values[s][i]);
        for (size_t s = 0; s < settings->count; s++)
            without[s] = settings->values[s][i] == largest ? NAN : values[s];
        if (known_count(without, settings->count) < 2)
            continue;
        const struct fit fit = best_fit(laws, without, within);
        const double error = fit.term ? error_of(&fit, values, settings->count) : 1.0;
        most = isnan(most) ? error : fmax(most, error);
    }
    return most;
}

/* Values of fewer than three recordings, or of one processor count, follow any law; and those that
   are the same at two of more that were recorded need not stay so. */
static bool is_too_few(const struct settings *settings, const double *values)
{
    size_t known = 0, counts = 0, all = 0;
    bool is_constant = true;
    double first = NAN;
    for (size_t s = 0; s < settings->count; s++) {
        bool is_new = true, is_new_known = !isnan(values[s]);
        for (size_t o = 0; o < s; o++)
            if (settings->values[o][0] == settings->values[s][0]) {
                is_new = false;
                is_new_known &= isnan(values[o]);
            }
        all += is_new ? 1 : 0;
        counts += is_new_known ? 1 : 0;
        if (isnan(values[s]))
            continue;
        known++;
        first = isnan(first) ? values[s] : first;
        is_constant &= values[s] == first;
    }
    return known < 3 || counts < 2 || (counts == 2 && all > 2 && is_constant);
}

bool laws_find(struct law *law, const struct laws *laws, const double *values, double within)
{
    const struct fit fit = best_fit(laws, values, within);
    bool is_zero = true;
    *law = (struct law){.held_out = NAN};
    for (size_t s = 0; s < laws->settings->count; s++)
        is_zero &= isnan(values[s]) || values[s] == 0.0;
    if (is_zero) {
        snprintf(law->text, sizeof law->text, "0");
        return true;
    }
    if (!fit.term)
        return false;
    law->error = fit.error;
    write_law(law, &fit);
    find_tie(law, laws, values, &fit);
    if (!law->has_tie && laws->is_varied[0] && is_too_few(laws->settings, values)) {
        law->has_tie = true;
        snprintf(law->decides, sizeof law->decides,
                 "too few recordings: add one of more processes");
    }
    law->held_out = held_out(laws, values, within);
    return true;
}

void laws_of_times(struct law *law, const struct laws *laws, const double *values)
{
    static const struct {
        const char *text;
        double cost;
    } shares[] = {
        {"1 / p",        0.0 },
        {"1",            0.02},
        {"p ^ (-0.5)",   0.05},
        {"p ^ (-2 / 3)", 0.05}
    };
    const struct settings *settings = laws->settings;
    double least = INFINITY;
    *law = (struct law){.held_out = NAN};
    size_t first = 1 + settings->side_count;
    while (first < settings->name_count && !laws->is_varied[first])
        first++;
    const int powers = first < settings->name_count ? 4 : 1;
    for (size_t k = 0; k < sizeof shares / sizeof *shares; k++)
        for (int a = 0; a < powers; a++) {
            char text[120];
            double logs[SETTINGS_MOST], middle = 0.0, off = 0.0;
            size_t count = 0;
            snprintf(text, sizeof text, "%s", shares[k].text);
            if (a > 0)
                snprintf(text, sizeof text, "%s * %s ^ %d", shares[k].text, settings->names[first],
                         a);
            struct expression *term = expression_read(text, place_at(NULL, 0, 0), NULL);
            for (size_t s = 0; s < settings->count; s++)
                if (!isnan(values[s]) && values[s] > 0.0) {
                    logs[count] = log(values[s] / value_of(term, settings, settings->values[s]));
                    middle += logs[count++];
                }
            expression_free(term);
            middle /= fmax(1.0, (double)count);
            for (size_t s = 0; s < count; s++)
                off += fabs(logs[s] - middle) / (double)count;
            if (count == 0 || !(off + shares[k].cost < least))
                continue;
            least = off + shares[k].cost;
            law->error = expm1(off);
            snprintf(law->text, sizeof law->text, "%.6g * %s", exp(middle), text);
        }
    if (!isfinite(least))
        snprintf(law->text, sizeof law->text, "0");
}
