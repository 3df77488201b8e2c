/* The five published machines over a grid of n and p, against the formulas as the report prints
   them (Abandah, IBM SP2, section beside each), written out here a second time. */
#include "model/machine/machine.h"
#include "test/suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { KB = 1024 };

static double D(double p)
{
    return floor(log2(p));
}

/* ---- SP1, MPL ---- */

static double sp1_pp(double n, double p) /* section 2.3; 8192 ends the second region */
{
    (void)p;
    return n < 217 ? 43 + n / 5.56 : n <= 8 * KB ? 58 + n / 7.39 : 228 + n / 8.70;
}

static double sp1_1m(double n, double p) /* section 2.5 */
{
    return (-9 + 28 * p) + (0.114 * p) * n;
}

static double sp1_m1(double n, double p) /* section 2.6, log2 */
{
    return (-26 + 40 * sqrt(p) + 7.6 * p) + (0.128 + 0.161 * log2(p)) * n;
}

static double sp1_mm(double n, double p) /* section 2.7 */
{
    return (59 + 58 * (p - 2)) + (0.231 + 0.280 * (p - 2)) * n;
}

static double sp1_bc(double n, double p) /* section 2.8 */
{
    return n <= 4 * KB ? (21 + 25 * D(p)) + (0.117 + 0.118 * D(p)) * n
                       : (48 * p + 1.2 * p * p) + (0.115 + 0.139 * D(p) - 0.02 * D(p) * D(p)) * n;
}

static double sp1_cb(double n, double p) /* section 2.9 */
{
    return n < 217       ? (9.5 + 82 * D(p)) + 0.40 * D(p) * n
           : n <= 4 * KB ? (12 + 112 * D(p)) + 0.30 * D(p) * n
                         : (160 + 162 * p) + (-0.23 + 0.43 * sqrt(D(p))) * n;
}

static double sp_sync(double n, double p) /* section 2.10 */
{
    (void)n;
    return 84 * log2(p);
}

/* ---- SP2, MPL ---- */

static double sp2_pp(double n, double p) /* section 2.3 */
{
    (void)p;
    return n < 217       ? 47 + n / 23.5
           : n <= 2048   ? 55 + n / 22.6
           : n < 64 * KB ? 74 + n / 29.3
                         : 399 + n / 36.2;
}

static double sp2_exch(double n, double p) /* section 2.4 */
{
    (void)p;
    return n < 4 * KB ? 40 + n / 28.4 : n <= 16 * KB ? -52 + n / 16.2 : 167 + n / 20.7;
}

static double sp2_1m(double n, double p) /* section 2.5 */
{
    return (-5.5 + 15.5 * p) + (0.031 * p) * n;
}

static double sp2_m1(double n, double p) /* section 2.6 */
{
    return (3 + 13.3 * p) + (0.0285 * p) * n;
}

static double sp2_mm(double n, double p) /* section 2.7 */
{
    return (43 + 40 * (p - 2)) + (0.057 + 0.062 * (p - 2)) * n;
}

static double sp2_bc(double n, double p) /* section 2.8 */
{
    return n < 217 ? (9.6 + 14 * D(p)) + (0.0083 + 0.015 * D(p)) * n
                   : (6 + 12 * D(p)) + (0.025 + 0.026 * D(p)) * n;
}

static double sp2_mp_bcast(double n, double p) /* section 3.2; r_inf of the size */
{
    const double rinf = n < 217 ? 23.5 : n <= 2 * KB ? 22.6 : n < 64 * KB ? 29.3 : 36.2;
    return 23 + 27 * log2(p) + n * log2(p) / rinf;
}

static double sp2_cb(double n, double p) /* section 2.9 */
{
    return n < 217       ? 97 * D(p) + 0.11 * D(p) * n
           : n <= 2 * KB ? 114 * D(p) + 0.12 * D(p) * n
                         : (-50 + 191 * D(p)) + 0.09 * D(p) * n;
}

static double ip_pp(double n, double p) /* section 2.3 */
{
    (void)p;
    return n < 64 * KB ? 499 + n / 1.06 : 746 + n / 1.08;
}

/* ---- SP2, PVMe ---- */

static double pvme_pp(double n, double p) /* section 4.3 */
{
    (void)p;
    return n < 217 ? 104 + n / 15.9 : 120 + n / 17.8;
}

static double pvme_1m(double n, double p) /* section 4.4; the broadcast is similar, 4.7 */
{
    return n <= 8 * KB ? (8 + 32 * p) + (p / 30 - 0.012) * n : (163 * p - 285) + (p / 21.1) * n;
}

static double pvme_mm(double n, double p) /* section 4.6 */
{
    return p == 3 ? 600 + n / 5.12 : (300 + 750 * (p - 2)) + (0.072 + (p - 2) / 4.8) * n;
}

static double pvme_sync(double n, double p) /* section 4.8 */
{
    (void)n;
    return 1470 + 377 * log2(p);
}

/* ---- SPP-1000, ConvexPVM ---- */

static double spp_pp(double n, double p) /* section 4.3 */
{
    (void)p;
    return n <= 512 ? 74 + n / 6.44 : n <= 64 * KB ? 136 + n / 12.38 : n / 9.39 - 7.78 * sqrt(n);
}

static double spp_1m(double n, double p) /* section 4.4 */
{
    return n <= 512       ? (23 + 36 * p) + (p / 14.3) * n
           : n <= 64 * KB ? (33 + 64 * p) + (p / 26 - 0.008) * n
                          : p * n / 20.4 - (3.9 + 3.3 * p) * sqrt(n);
}

static double spp_mm(double n, double p) /* section 4.6; from p = 5 on there is none */
{
    return p <= 4 ? (100 + 85 * (p - 2)) + ((p - 1) / 10) * n : (double)NAN;
}

static double spp_bc(double n, double p) /* section 4.7 */
{
    return (52 + 8.4 * p) + n / 23;
}

static double spp_sync(double n, double p) /* section 4.8 */
{
    (void)n;
    return 39 + 0.465 * p * p * p;
}

static const struct {
    const char *machine, *utility;
    double (*time_us)(double n, double p);
} published[] = {
    {"sp1-mpl",           "point-to-point",  sp1_pp      },
    {"sp1-mpl",           "one-to-many",     sp1_1m      },
    {"sp1-mpl",           "many-to-one",     sp1_m1      },
    {"sp1-mpl",           "many-to-many",    sp1_mm      },
    {"sp1-mpl",           "broadcast",       sp1_bc      },
    {"sp1-mpl",           "combine",         sp1_cb      },
    {"sp1-mpl",           "synchronization", sp_sync     },
    {"sp2-mpl",           "point-to-point",  sp2_pp      },
    {"sp2-mpl",           "exchange",        sp2_exch    },
    {"sp2-mpl",           "one-to-many",     sp2_1m      },
    {"sp2-mpl",           "many-to-one",     sp2_m1      },
    {"sp2-mpl",           "many-to-many",    sp2_mm      },
    {"sp2-mpl",           "broadcast",       sp2_bc      },
    {"sp2-mpl",           "broadcast-bc",    sp2_mp_bcast},
    {"sp2-mpl",           "combine",         sp2_cb      },
    {"sp2-mpl",           "synchronization", sp_sync     },
    {"sp2-ip",            "point-to-point",  ip_pp       },
    {"sp2-pvme",          "point-to-point",  pvme_pp     },
    {"sp2-pvme",          "one-to-many",     pvme_1m     },
    {"sp2-pvme",          "many-to-many",    pvme_mm     },
    {"sp2-pvme",          "broadcast",       pvme_1m     },
    {"sp2-pvme",          "synchronization", pvme_sync   },
    {"spp1000-convexpvm", "point-to-point",  spp_pp      },
    {"spp1000-convexpvm", "one-to-many",     spp_1m      },
    {"spp1000-convexpvm", "many-to-many",    spp_mm      },
    {"spp1000-convexpvm", "broadcast",       spp_bc      },
    {"spp1000-convexpvm", "synchronization", spp_sync    },
};

enum { PUBLISHED = sizeof published / sizeof *published };

static const double sizes[] = {0,     1,     8,     100,   216,   217,    218,    448,
                               449,   511,   512,   513,   1024,  2047,   2048,   2049,
                               4095,  4096,  4097,  8191,  8192,  8193,   16383,  16384,
                               16385, 32768, 65535, 65536, 65537, 131072, 524288, 1048576};

static struct machine read_machine(const char *name)
{
    struct machine machine;
    struct error error;
    char path[1024], line[800];
    const char *source = getenv("FORECOST_SOURCE");
    snprintf(path, sizeof path, "%s/machines/%s.yaml", source ? source : ".", name);
    if (machine_read(&machine, path, &error) != 0)
        ck_abort_msg("%s", error_line(&error, line, sizeof line));
    return machine;
}

static void compare(const struct cost *cost, double n, double p, double expected_us)
{
    struct cost_answer answer;
    if (isnan(expected_us)) {
        ck_assert_int_eq(cost_answer(cost, n, p, &answer, NULL), -1);
        return;
    }
    ck_assert_int_eq(cost_answer(cost, n, p, &answer, NULL), 0);
    if (expected_us < 0.0) { /* clamped */
        ck_assert_double_eq(answer.time_us, 0.0);
        ck_assert_uint_ne(answer.flags & COST_CLAMPED, 0);
    } else {
        ck_assert_double_eq_tol(answer.time_us, expected_us, 1e-9 * expected_us + 1e-12);
    }
}

START_TEST(every_published_formula_on_a_grid)
{
    for (size_t i = 0; i < PUBLISHED; i++) {
        struct machine machine = read_machine(published[i].machine);
        const struct cost *cost = machine_cost(&machine, published[i].utility);
        ck_assert_ptr_nonnull(cost);
        for (double p = 1; p <= 40; p++)
            for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
                compare(cost, sizes[k], p, published[i].time_us(sizes[k], p));
        for (double p = 1; p <= 40; p += 3)
            for (double n = 0; n <= 9000; n++)
                compare(cost, n, p, published[i].time_us(n, p));
        machine_free(&machine);
    }
}
END_TEST

START_TEST(no_machine_has_a_utility_without_a_formula_here)
{
    static const char *const machines[] = {"sp1-mpl", "sp2-mpl", "sp2-ip", "sp2-pvme",
                                           "spp1000-convexpvm"};
    size_t utilities = 0;
    for (size_t i = 0; i < 5; i++) {
        struct machine machine = read_machine(machines[i]);
        utilities += machine.communication.count;
        machine_free(&machine);
    }
    ck_assert_uint_eq(utilities, PUBLISHED);
}
END_TEST

SUITE("golden", every_published_formula_on_a_grid, no_machine_has_a_utility_without_a_formula_here)
