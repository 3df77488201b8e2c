#include "model/fit/segmentation.h"

#include "model/base/allocation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the cost of one straight piece ---- */

/* Weighted moments about the mean, updated point by point (Welford), so that nothing cancels. */
struct moments {
    double weight, x, t, xx, xt, tt;
};

static void moments_add(struct moments *m, double x, double t)
{
    const double w = 1.0 / (t * t);
    const double dx = x - m->x, dt = t - m->t;
    m->weight += w;
    m->x += dx * w / m->weight;
    m->t += dt * w / m->weight;
    m->xx += w * dx * (x - m->x);
    m->xt += w * dx * (t - m->t);
    m->tt += w * dt * (t - m->t);
}

static double moments_slope(const struct moments *m)
{
    return m->xx > 0.0 && m->xt > 0.0 ? m->xt / m->xx : 0.0;
}

/* Sum of squared relative residuals of the best line with slope >= 0. */
static double moments_residual(const struct moments *m)
{
    return fmax(0.0, m->tt - moments_slope(m) * m->xt);
}

/* ---- dynamic programming ---- */

/* The least residual of the first points broken into k pieces, and where the last piece starts. */
struct optimum {
    size_t count, pieces;
    double *residual; /* [pieces][count + 1] */
    size_t *start;
};

/* residual of the piece from..to-1 for all pairs, in a triangle. */
static double *piece_residuals(const struct observation *points, size_t count)
{
    double *pieces = memory_new(count * count, sizeof *pieces);
    for (size_t from = 0; from < count; from++) {
        struct moments moments = {0};
        for (size_t to = from; to < count; to++) {
            moments_add(&moments, points[to].bytes, points[to].time_us);
            pieces[from * count + to] = moments_residual(&moments);
        }
    }
    return pieces;
}

/* Whether a piece may end between these points: equal sizes stay together. */
static bool may_break(const struct observation *points, size_t at)
{
    return points[at - 1].bytes < points[at].bytes;
}

static void extend(struct optimum *best, size_t k, const struct observation *points,
                   const double *pieces, size_t least)
{
    const size_t count = best->count;
    double *now = best->residual + k * (count + 1);
    const double *before = now - (count + 1);
    for (size_t end = 0; end <= count; end++) {
        now[end] = INFINITY;
        for (size_t start = k * least; end >= least && start <= end - least; start++) {
            if (!may_break(points, start) || isinf(before[start]))
                continue;
            const double sum = before[start] + pieces[start * count + end - 1];
            if (sum < now[end]) {
                now[end] = sum;
                best->start[k * (count + 1) + end] = start;
            }
        }
    }
}

static struct optimum optimum_new(const struct observation *points, size_t count, size_t pieces,
                                  size_t least)
{
    struct optimum best = {count, pieces, memory_new(pieces * (count + 1), sizeof(double)),
                           memory_new(pieces * (count + 1), sizeof(size_t))};
    double *residuals = piece_residuals(points, count);
    best.residual[0] = INFINITY;
    for (size_t end = 1; end <= count; end++)
        best.residual[end] = end >= least || end == count ? residuals[end - 1] : INFINITY;
    for (size_t k = 1; k < pieces; k++)
        extend(&best, k, points, residuals, least);
    free(residuals);
    return best;
}

static void optimum_free(struct optimum *best)
{
    free(best->residual);
    free(best->start);
}

/* The breaks with k + 1 pieces; whether that many are possible. */
static bool optimum_ends(const struct optimum *best, size_t k, size_t *ends)
{
    if (isinf(best->residual[k * (best->count + 1) + best->count]))
        return false;
    size_t end = best->count;
    for (size_t i = k + 1; i-- > 0;) {
        ends[i] = end;
        end = i ? best->start[i * (best->count + 1) + end] : 0;
    }
    return true;
}

/* ---- lines and their errors ---- */

static struct moments line_of(const struct observation *points, size_t from, size_t to)
{
    struct moments moments = {0};
    for (size_t i = from; i < to; i++)
        moments_add(&moments, points[i].bytes, points[i].time_us);
    return moments;
}

static double line_error(const struct moments *line, const struct observation *point)
{
    const double model = line->t + moments_slope(line) * (point->bytes - line->x);
    return fabs(model - point->time_us) / point->time_us;
}

static double noise_of(const struct observation *point, const struct fit_plan *plan)
{
    return fmax(plan->noise_floor, point->half_width_us / point->time_us);
}

/* ---- enough: the points' own noise asks for no more ---- */

/* A residual counts at most as this many noises: one bad point is no reason for a region. */
static const double clip = 20.0;

static bool explains(const struct observation *points, const size_t *ends, size_t pieces,
                     const struct fit_plan *plan)
{
    double sum = 0.0;
    size_t start = 0;
    for (size_t k = 0; k < pieces; start = ends[k++]) {
        const struct moments line = line_of(points, start, ends[k]);
        for (size_t i = start; i < ends[k]; i++)
            sum += pow(fmin(clip, line_error(&line, &points[i]) / noise_of(&points[i], plan)), 2.0);
    }
    return sum <= (double)start;
}

/* ---- no better: points that were left out are not predicted better by more pieces ---- */

enum { FOLDS = 5 };

/* errors[k * count + i]: relative error at point i of k + 1 pieces fitted without i's fold. */
static void predict_fold(const struct observation *points, size_t count, size_t fold,
                         const struct fit_plan *plan, double *errors)
{
    struct observation *kept = memory_new(count, sizeof *kept);
    size_t kept_count = 0;
    for (size_t i = 0; i < count; i++)
        if (i % FOLDS != fold)
            kept[kept_count++] = points[i];
    struct optimum best = optimum_new(kept, kept_count, plan->regions_most, plan->points_least);
    for (size_t k = 0; k < plan->regions_most; k++) {
        size_t ends[SEGMENTS_MOST];
        const bool possible = optimum_ends(&best, k, ends);
        for (size_t i = fold; i < count; i += FOLDS) {
            size_t piece = 0, start = 0;
            while (possible && piece < k && points[i].bytes > kept[ends[piece] - 1].bytes)
                start = ends[piece++];
            const struct moments line = line_of(kept, start, possible ? ends[piece] : 0);
            errors[k * count + i] = possible ? fmin(1.0, line_error(&line, &points[i])) : INFINITY;
        }
    }
    optimum_free(&best);
    free(kept);
}

/* Whether more pieces predict better, by a tenth and beyond chance (2.5 standard errors of the
   paired differences, as there are several numbers of pieces to be tempted by). */
static bool predicts_better(const double *fewer, const double *more, size_t count)
{
    double sum = 0.0, sum_squares = 0.0, total = 0.0;
    for (size_t i = 0; i < count; i++) {
        const double gain = fewer[i] - more[i];
        if (!isfinite(gain))
            return false;
        sum += gain;
        sum_squares += gain * gain;
        total += fewer[i];
    }
    const double n = (double)count, mean = sum / n;
    const double variance = fmax(0.0, sum_squares / n - mean * mean) / n;
    return mean > 0.1 * total / n && mean > 2.5 * sqrt(variance);
}

static size_t fewest_that_predict(const struct observation *points, size_t count,
                                  const struct fit_plan *plan)
{
    double *errors = memory_new(plan->regions_most * count, sizeof *errors);
    for (size_t fold = 0; fold < FOLDS; fold++)
        predict_fold(points, count, fold, plan, errors);
    size_t k = 0;
    for (bool better = true; better && k + 1 < plan->regions_most;) {
        better = false;
        for (size_t more = k + 1; more < plan->regions_most && !better; more++)
            better = predicts_better(errors + k * count, errors + more * count, count);
        k += better;
    }
    free(errors);
    return k + 1;
}

/* ---- lost: few points far off, which cannot tell by a left-out point ---- */

/* A hump of three or four points among twenty leaves too few gains for certainty by left-out
   points. Where a point is off by more than `lost`, the fewest pieces are taken that bring all of
   them to within a share of that error. Chance does not: noise that is cut into pieces of three
   points keeps a third of its largest error: of 300 lines of 12 to 40 points with 1 to 30 % noise
   two were cut. */
static const double lost = 0.05, found = 0.1;

static double worst_error(const struct observation *points, const size_t *ends, size_t pieces)
{
    double worst = 0.0;
    size_t start = 0;
    for (size_t k = 0; k < pieces; start = ends[k++]) {
        const struct moments line = line_of(points, start, ends[k]);
        for (size_t i = start; i < ends[k]; i++)
            worst = fmax(worst, line_error(&line, &points[i]));
    }
    return worst;
}

static size_t find_lost(const struct optimum *best, const struct observation *points, size_t chosen,
                        size_t ends[SEGMENTS_MOST])
{
    size_t tried[SEGMENTS_MOST];
    const double worst = worst_error(points, ends, chosen);
    for (size_t k = chosen; worst > lost && k < best->pieces; k++)
        if (optimum_ends(best, k, tried) && worst_error(points, tried, k + 1) <= found * worst) {
            memcpy(ends, tried, sizeof tried);
            return k + 1;
        }
    return chosen;
}

size_t segmentation_choose(const struct observation *points, size_t count,
                           const struct fit_plan *plan, size_t ends[SEGMENTS_MOST])
{
    struct optimum best = optimum_new(points, count, plan->regions_most, plan->points_least);
    const size_t most = count >= (size_t)2 * FOLDS ? fewest_that_predict(points, count, plan) : 1;
    size_t chosen = 1;
    size_t tried[SEGMENTS_MOST];
    optimum_ends(&best, 0, ends);
    for (size_t k = 1; k < most && !explains(points, ends, chosen, plan); k++)
        if (optimum_ends(&best, k, tried)) {
            memcpy(ends, tried, sizeof tried);
            chosen = k + 1;
        }
    if (count >= (size_t)2 * FOLDS)
        chosen = find_lost(&best, points, chosen, ends);
    optimum_free(&best);
    return chosen;
}
