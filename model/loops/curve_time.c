#include "model/loops/curve_time.h"

#include "model/base/allocation.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

enum { KEYS = 5, COLUMNS = KEYS + 1, NEAREST = 4 };

/* Octaves that a key's difference counts as, beside those of bytes. Chosen on the curves of
   PolyBench's loops, each point from the others. Columns are many times slower where their pages
   are more than the processor knows translations of, however much the loops around them touch. */
static const double key_weight[KEYS] = {1.0, 1.0, 1.0, 1.0, 3.0};

/* Of rows on fewer pages the processor knows all translations. */
static const double pages_known = 64.0;

/* The weight of slopes that no points tell, which are then none. */
static const double ridge = 1e-3;

/* A shape is measured where so many octaves from it there is a point. */
static const double near_octaves = 2.0;

static void keys_of(const struct loop_shape *shape, double keys[KEYS])
{
    keys[0] = key_weight[0] * log2(shape->row);
    keys[1] = key_weight[1] * log2(shape->plane_bytes);
    keys[2] = key_weight[2] * log2(shape->nest_bytes);
    keys[3] = key_weight[3] * shape->crowding;
    keys[4] = key_weight[4] * log2(fmax(shape->row_pages, pages_known) / pages_known);
}

static double time_ns(const struct loop_point *point, bool together)
{
    return together && !isnan(point->together_ns) ? point->together_ns : point->alone_ns;
}

/* A point as it is seen from the shape that is asked for. */
struct seen {
    double away[KEYS], distance, octaves, log_ns;
};

static int nearer(const void *a, const void *b)
{
    const struct seen *first = a, *second = b;
    return (first->distance > second->distance) - (first->distance < second->distance);
}

/* All points but one, the nearest first; to be freed. */
static struct seen *look(const struct loop_curve *curve, const struct loop_shape *shape,
                         bool together, size_t without, size_t *count)
{
    const struct loop_point *points = curve->points.items;
    struct seen *seen = memory_new(curve->points.count + 1, sizeof *seen);
    double here[KEYS], there[KEYS];
    *count = 0;
    keys_of(shape, here);
    for (size_t i = 0; i < curve->points.count; i++) {
        if (i == without)
            continue;
        struct seen *it = &seen[(*count)++];
        keys_of(&points[i].shape, there);
        *it = (struct seen){.log_ns = log(time_ns(&points[i], together))};
        for (int k = 0; k < KEYS; k++) {
            it->away[k] = there[k] - here[k];
            it->distance = hypot(it->distance, it->away[k]);
            it->octaves = hypot(it->octaves, it->away[k] / key_weight[k]);
        }
    }
    qsort(seen, *count, sizeof *seen, nearer);
    return seen;
}

/* Solves a symmetric positive definite system in place (Cholesky); the right side becomes the
   solution. */
static void solve(double matrix[COLUMNS][COLUMNS], double right[COLUMNS])
{
    for (int i = 0; i < COLUMNS; i++)
        for (int j = 0; j <= i; j++) {
            double sum = matrix[i][j];
            for (int k = 0; k < j; k++)
                sum -= matrix[i][k] * matrix[j][k];
            matrix[i][j] = i == j ? sqrt(fmax(sum, 1e-300)) : sum / matrix[j][j];
        }
    for (int i = 0; i < COLUMNS; i++) {
        for (int k = 0; k < i; k++)
            right[i] -= matrix[i][k] * right[k];
        right[i] /= matrix[i][i];
    }
    for (int i = COLUMNS - 1; i >= 0; i--) {
        for (int k = i + 1; k < COLUMNS; k++)
            right[i] -= matrix[k][i] * right[k];
        right[i] /= matrix[i][i];
    }
}

/* The plane's height where the shape is. */
static double height(const struct seen *seen, size_t count, double reach)
{
    double matrix[COLUMNS][COLUMNS] = {{0.0}}, right[COLUMNS] = {0.0};
    for (size_t i = 0; i < count && seen[i].distance < reach; i++) {
        const double share = seen[i].distance / reach, rest = 1.0 - share * share * share;
        const double weight = rest * rest * rest;
        double row[COLUMNS] = {1.0};
        for (int k = 0; k < KEYS; k++)
            row[k + 1] = seen[i].away[k];
        for (int k = 0; k < COLUMNS; k++) {
            right[k] += weight * row[k] * seen[i].log_ns;
            for (int l = 0; l < COLUMNS; l++)
                matrix[k][l] += weight * row[k] * row[l];
        }
    }
    for (int k = 1; k < COLUMNS; k++)
        matrix[k][k] += ridge * reach * reach;
    solve(matrix, right);
    return right[0];
}

static struct loop_time time_at(const struct loop_curve *curve, const struct loop_shape *shape,
                                bool together, size_t without)
{
    size_t count;
    struct seen *seen = look(curve, shape, together, without, &count);
    const size_t near = count < NEAREST ? count : NEAREST;
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < near; i++) {
        least = fmin(least, seen[i].log_ns);
        most = fmax(most, seen[i].log_ns);
    }
    const double reach = 1.5 * seen[near - 1].distance + 1e-6;
    const double found = height(seen, count, reach);
    const struct loop_time time = {exp(fmin(fmax(found, least), most)),
                                   seen[0].octaves > near_octaves};
    free(seen);
    return time;
}

struct loop_time loop_curve_time(const struct loop_curve *curve, const struct loop_shape *shape,
                                 bool together)
{
    return time_at(curve, shape, together, curve->points.count);
}

double loop_curve_time_without(const struct loop_curve *curve, size_t point)
{
    const struct loop_point *points = curve->points.items;
    return time_at(curve, &points[point].shape, false, point).each_ns;
}

void loop_curve_judge(struct loop_curve *curve)
{
    const struct loop_point *points = curve->points.items;
    const size_t count = curve->points.count;
    curve->error = curve->error_p95 = NAN;
    if (count < NEAREST)
        return;
    double *errors = memory_new(count, sizeof *errors);
    for (size_t i = 0; i < count; i++)
        errors[i] = fabs(loop_curve_time_without(curve, i) / points[i].alone_ns - 1.0);
    gsl_sort(errors, 1, count);
    curve->error = gsl_stats_quantile_from_sorted_data(errors, 1, count, 0.5);
    curve->error_p95 = gsl_stats_quantile_from_sorted_data(errors, 1, count, 0.95);
    free(errors);
}
