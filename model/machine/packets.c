#include "model/machine/packets.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_multifit.h>
#include <math.h>

/* a, b and c; and more points than those, or every c explains them. */
enum { UNKNOWNS = 3, POINTS_LEAST = 6 };

double packets_of(double bytes, double packet_bytes)
{
    return fmax(1.0, ceil(bytes / packet_bytes));
}

static size_t count_longer(const struct observation *points, size_t count, double packet_bytes)
{
    size_t longer = 0;
    for (size_t i = 0; i < count; i++)
        longer += points[i].bytes > packet_bytes;
    return longer;
}

/* Rows divided by the time: the error that is made small is relative. The columns are of one size,
   n in parts. */
static double solve(const struct observation *points, size_t count, size_t rows,
                    double packet_bytes)
{
    gsl_matrix *x = gsl_matrix_alloc(rows, UNKNOWNS);
    gsl_matrix *covariance = gsl_matrix_alloc(UNKNOWNS, UNKNOWNS);
    gsl_vector *y = gsl_vector_alloc(rows), *c = gsl_vector_alloc(UNKNOWNS);
    gsl_multifit_robust_workspace *work =
        gsl_multifit_robust_alloc(gsl_multifit_robust_bisquare, rows, UNKNOWNS);
    gsl_error_handler_t *const handler = gsl_set_error_handler_off();
    for (size_t i = 0, row = 0; i < count; i++) {
        if (points[i].bytes <= packet_bytes)
            continue;
        const double weight = 1.0 / points[i].time_us;
        gsl_matrix_set(x, row, 0, weight);
        gsl_matrix_set(x, row, 1, weight * points[i].bytes / packet_bytes);
        gsl_matrix_set(x, row, 2, weight * packets_of(points[i].bytes, packet_bytes));
        gsl_vector_set(y, row++, 1.0);
    }
    const int status = gsl_multifit_robust(x, y, c, covariance, work);
    const double cost_us =
        status == GSL_SUCCESS || status == GSL_EMAXITER ? gsl_vector_get(c, 2) : 0.0;
    gsl_set_error_handler(handler);
    gsl_multifit_robust_free(work);
    gsl_vector_free(c);
    gsl_vector_free(y);
    gsl_matrix_free(covariance);
    gsl_matrix_free(x);
    return cost_us;
}

double packets_cost_us(const struct observation *points, size_t count, double packet_bytes)
{
    const size_t longer = count_longer(points, count, packet_bytes);
    if (longer < POINTS_LEAST)
        return 0.0;
    const double cost_us = solve(points, count, longer, packet_bytes);
    if (!(cost_us > 0.0))
        return 0.0;
    for (size_t i = 0; i < count; i++)
        if (points[i].time_us <= cost_us * packets_of(points[i].bytes, packet_bytes))
            return 0.0;
    return cost_us;
}
