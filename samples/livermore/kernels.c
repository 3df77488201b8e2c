#include "kernels.h"

/* ---- how large ---- */

static size_t vector(size_t n)
{
    return n + 16;
}

static size_t double_vector(size_t n)
{
    return 2 * n + 16;
}

static size_t square(size_t n)
{
    return n * n;
}

enum { COLUMNS = 25, LAYER = 5 };

static size_t columns(size_t n)
{
    return COLUMNS * n;
}

static size_t layers(size_t n)
{
    return 2 * LAYER * (n + 1);
}

/* ---- the kernels ---- */

static double hydrodynamics(const struct data *data, size_t n, double carry)
{
    double *restrict x = data->a;
    const double *restrict y = data->b, *restrict z = data->c;
    const double q = data->q + carry, r = data->r, t = data->t;
    for (size_t k = 0; k < n; k++)
        x[k] = q + y[k] * (r * z[k + 10] + t * z[k + 11]);
    return x[n - 1];
}

/* n is a power of two: each pass reads what the one before has written behind its own input. */
static double cholesky_gradient(const struct data *data, size_t n, double carry)
{
    double *x = data->a;
    const double *v = data->b;
    size_t input = 0, output = n, half = n;
    x[0] += carry;
    while (half > 1) {
        half /= 2;
        for (size_t i = 0; i < half; i++) {
            const size_t k = input + 2 * i + 1;
            x[output + i] = x[k] - v[k] * x[k - 1] - v[k + 1] * x[k + 1];
        }
        input = output;
        output += half;
    }
    return x[output - 1];
}

static double inner_product(const struct data *data, size_t n, double carry)
{
    const double *x = data->a, *z = data->b;
    double q = carry;
    for (size_t k = 0; k < n; k++)
        q += z[k] * x[k];
    data->c[0] = q;
    return q;
}

static double banded_equations(const struct data *data, size_t n, double carry)
{
    const double *x = data->a, *y = data->b;
    const size_t band = (n - 7) / 2, terms = (n - 4) / 5;
    for (size_t k = 0; k < 3; k++) {
        double sum = carry;
        for (size_t j = 0; j < terms; j++)
            sum += x[k * band + j] * y[5 * j + 4];
        data->c[k] = y[4] * sum;
    }
    return data->c[2];
}

static double tridiagonal(const struct data *data, size_t n, double carry)
{
    double *restrict x = data->a;
    const double *restrict y = data->b, *restrict z = data->c;
    x[0] += carry;
    for (size_t i = 1; i < n; i++)
        x[i] = z[i] * (y[i] - x[i - 1]);
    return x[n - 1];
}

static double linear_recurrence(const struct data *data, size_t n, double carry)
{
    double *restrict w = data->b;
    const double *restrict b = data->a;
    w[0] += carry;
    for (size_t i = 1; i < n; i++) {
        double sum = 0.01;
        for (size_t k = 0; k < i; k++)
            sum += b[k * n + i] * w[i - k - 1];
        w[i] = sum;
    }
    return w[n - 1];
}

static double state_equation(const struct data *data, size_t n, double carry)
{
    double *restrict x = data->a;
    const double *restrict y = data->b, *restrict z = data->c, *restrict u = data->d;
    const double q = data->q + carry, r = data->r, t = data->t;
    for (size_t k = 0; k < n; k++)
        x[k] = u[k] + r * (z[k] + r * y[k]) +
               t * (u[k + 3] + r * (u[k + 2] + r * u[k + 1]) +
                    t * (u[k + 6] + q * (u[k + 5] + q * u[k + 4])));
    return x[n - 1];
}

/* One field: the new layer from the old one and the three differences along y. */
static double integrate(const double *u, size_t at, double q, double r, double t, double along1,
                        double along2, double along3)
{
    return u[at] + q * along1 + r * along2 + t * along3 + r * (u[at + 1] - 2.0 * u[at] + u[at - 1]);
}

static double implicit_integration(const struct data *data, size_t n, double carry)
{
    double *restrict u1 = data->a, *restrict u2 = data->b, *restrict u3 = data->c;
    double *restrict du1 = data->d, *restrict du2 = data->e, *restrict du3 = data->f;
    const double q = data->q + carry, r = data->r, t = data->t;
    const size_t layer = LAYER * (n + 1);
    for (size_t kx = 1; kx < 3; kx++)
        for (size_t ky = 1; ky < n; ky++) {
            const size_t at = LAYER * ky + kx;
            du1[ky] = u1[at + LAYER] - u1[at - LAYER];
            du2[ky] = u2[at + LAYER] - u2[at - LAYER];
            du3[ky] = u3[at + LAYER] - u3[at - LAYER];
            u1[layer + at] = integrate(u1, at, q, r, t, du1[ky], du2[ky], du3[ky]);
            u2[layer + at] = integrate(u2, at, r, t, q, du1[ky], du2[ky], du3[ky]);
            u3[layer + at] = integrate(u3, at, t, q, r, du1[ky], du2[ky], du3[ky]);
        }
    return u1[layer + LAYER * (n - 1) + 2];
}

static double predict(const struct data *data, size_t n, double carry)
{
    double *px = data->a;
    const double q = data->q + carry, r = data->r, t = data->t;
    for (size_t i = 0; i < n; i++, px += COLUMNS)
        px[0] = q * px[12] + r * px[11] + t * px[10] + q * px[9] + r * px[8] + t * px[7] +
                q * px[6] + r * (px[4] + px[5]) + px[2];
    return data->a[0];
}

static double predict_differences(const struct data *data, size_t n, double carry)
{
    double *px = data->a;
    const double *cx = data->b;
    px[4] += carry;
    for (size_t i = 0; i < n; i++, px += COLUMNS, cx += COLUMNS) {
        double difference = cx[4];
        for (size_t k = 4; k < 13; k++) {
            const double next = difference - px[k];
            px[k] = difference;
            difference = next;
        }
        px[13] = difference;
    }
    return data->a[13];
}

static double first_sum(const struct data *data, size_t n, double carry)
{
    double *restrict x = data->a;
    const double *restrict y = data->b;
    x[0] = y[0] + carry;
    for (size_t k = 1; k < n; k++)
        x[k] = x[k - 1] + y[k];
    return x[n - 1];
}

static double first_difference(const struct data *data, size_t n, double carry)
{
    double *restrict x = data->a;
    double *restrict y = data->b;
    y[0] += carry;
    for (size_t k = 0; k < n; k++)
        x[k] = y[k + 1] - y[k];
    return x[n - 1];
}

const struct kernel kernels[] = {
    {"lfk01", 1001, 1, hydrodynamics,        vector       },
    {"lfk02", 1024, 2, cholesky_gradient,    double_vector},
    {"lfk03", 1001, 1, inner_product,        vector       },
    {"lfk04", 1001, 9, banded_equations,     double_vector},
    {"lfk05", 1001, 2, tridiagonal,          vector       },
    {"lfk06", 64,   2, linear_recurrence,    square       },
    {"lfk07", 995,  1, state_equation,       vector       },
    {"lfk08", 100,  3, implicit_integration, layers       },
    {"lfk09", 101,  1, predict,              columns      },
    {"lfk10", 101,  1, predict_differences,  columns      },
    {"lfk11", 1001, 2, first_sum,            vector       },
    {"lfk12", 1000, 1, first_difference,     vector       },
};
const size_t kernel_count = sizeof kernels / sizeof *kernels;
