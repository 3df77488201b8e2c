/* Times one of the first twelve Livermore kernels:

       livermore KERNEL [N [REPETITIONS]]

   One line of CSV: kernel, n, repetitions, the time of all repetitions in us (of a quick one of
   many trials), the sum of everything in memory at the end, by which builds can be compared, and
   the cycles of the core's clock that the trial took (nan: not known). Without REPETITIONS there
   are so many that a trial takes a while. */
#include "kernels.h"

#include "../core.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIALS = 200, TRIES = 8 * TRIALS, TRIAL_US = 100, ARRAYS = 6, SUMMED = 9 };
enum { CHAIN_STEPS = 40000, CROWDED_STEPS = 10000 };

/* Between the two looks at the clock beside a trial, and between these and a crowded one. */
static const double steady_share = 0.0005, alone_share = 0.01;

/* ---- the data ---- */

static double *new_array(size_t elements, size_t seed, double scale)
{
    double *array = aligned_alloc(64, (elements * sizeof *array + 63) / 64 * 64);
    if (!array) {
        fputs("livermore: out of memory\n", stderr);
        exit(2);
    }
    for (size_t i = 0; i < elements; i++)
        array[i] = scale * (0.1 + 0.01 * (double)((7 * i + seed) % 13));
    return array;
}

/* The first array is small, so that recurrences over n terms stay small too. */
static struct data new_data(size_t elements, size_t n)
{
    return (struct data){
        .a = new_array(elements, 0, 1.0 / (double)n),
        .b = new_array(elements, 1, 1.0),
        .c = new_array(elements, 2, 1.0),
        .d = new_array(elements, 3, 1.0),
        .e = new_array(elements, 4, 1.0),
        .f = new_array(elements, 5, 1.0),
        .q = 0.5,
        .r = 0.25,
        .t = 0.125,
    };
}

static void free_data(const struct data *data)
{
    double *const arrays[ARRAYS] = {data->a, data->b, data->c, data->d, data->e, data->f};
    for (size_t k = 0; k < ARRAYS; k++)
        free(arrays[k]);
}

static double sum(const struct data *data, size_t elements)
{
    const double *const arrays[ARRAYS] = {data->a, data->b, data->c, data->d, data->e, data->f};
    double all = 0.0;
    for (size_t k = 0; k < ARRAYS; k++)
        for (size_t i = 0; i < elements; i++)
            all += arrays[k][i];
    return all;
}

/* ---- timing ---- */

/* Each repetition needs the result of the one before, so that they cannot overlap. The factor
   is not 0 for the compiler, which under -Ofast would know the product otherwise. */
static double run(const struct kernel *kernel, const struct data *data, size_t n,
                  size_t repetitions)
{
    const volatile double nothing = 0.0;
    const double zero = nothing;
    double carry = 0.0;
    const double begin_us = core_now_us();
    for (size_t i = 0; i < repetitions; i++)
        carry = zero * kernel->run(data, n, carry);
    const double end_us = core_now_us();
    return end_us - begin_us + carry;
}

struct trial {
    double time_us, cycle_us, cycles; /* cycles NAN: the clock is not known */
    int steady; /* it was the same before and after, and the core not shared */
};

/* Short, for the clock moves within milliseconds: then few trials see it move twice. Wide
   instructions lower it while they run: the one that they leave behind is theirs. */
static struct trial try_once(const struct kernel *kernel, const struct data *data, size_t n,
                             size_t repetitions)
{
    const double before_us = core_cycle_us(CHAIN_STEPS),
                 took_us = run(kernel, data, n, repetitions), after_us = core_cycle_us(CHAIN_STEPS);
    const int steady =
        fabs(before_us - after_us) <= steady_share * before_us &&
        core_crowded_cycle_us(CORE_THREE_BESIDE, CROWDED_STEPS) <= (1.0 + alone_share) * after_us;
    return (struct trial){took_us, after_us, took_us / after_us, steady};
}

static int by_steadiness_then_time(const void *a, const void *b)
{
    const struct trial *x = a, *y = b;
    if (x->steady != y->steady)
        return y->steady - x->steady;
    if (!isnan(x->cycles) && x->cycles != y->cycles)
        return x->cycles < y->cycles ? -1 : 1;
    return (x->time_us > y->time_us) - (x->time_us < y->time_us);
}

/* By the fastest clock of all, where the one beside each is not known: rather too many cycles than
   a bound that seems to be beaten. */
static void assume_fastest(struct trial *trials)
{
    double least_us = trials[0].cycle_us;
    for (size_t i = 0; i < TRIALS; i++)
        least_us = trials[i].cycle_us < least_us ? trials[i].cycle_us : least_us;
    for (size_t i = 0; i < TRIALS; i++) {
        trials[i].cycles = trials[i].time_us / least_us;
        trials[i].steady = 0;
    }
}

/* Not the least, which owe to a clock that was another one between its two looks (of trials of a
   chain of 7 cycles, one in 20 took 6.87 to 6.99, the first quarter 6.999): the first quarter of
   those with a steady clock, or the middle one of all where there are few. */
static struct trial quick_trial(const struct kernel *kernel, const struct data *data, size_t n,
                                size_t repetitions)
{
    struct trial trials[TRIALS];
    size_t count = 0, steady = 0;
    for (size_t tries_left = TRIES; count < TRIALS; tries_left--) {
        const struct trial trial = try_once(kernel, data, n, repetitions);
        steady += trial.steady ? 1 : 0;
        if (trial.steady || tries_left <= TRIALS - count)
            trials[count++] = trial;
    }
    const int enough = steady >= TRIALS / 10;
    if (!enough)
        assume_fastest(trials);
    qsort(trials, TRIALS, sizeof *trials, by_steadiness_then_time);
    return trials[enough ? steady / 4 : TRIALS / 2];
}

static size_t enough_repetitions(const struct kernel *kernel, const struct data *data, size_t n)
{
    size_t repetitions = 1;
    while (run(kernel, data, n, repetitions) < TRIAL_US)
        repetitions *= 2;
    return repetitions;
}

/* Of everything in memory after so many repetitions, however long others are timed. */
static double sum_of(const struct kernel *kernel, size_t elements, size_t n)
{
    const struct data data = new_data(elements, n);
    run(kernel, &data, n, SUMMED);
    const double all = sum(&data, elements);
    free_data(&data);
    return all;
}

/* ---- the program ---- */

static const struct kernel *find(const char *name)
{
    for (size_t i = 0; i < kernel_count; i++)
        if (strcmp(kernels[i].name, name) == 0)
            return &kernels[i];
    return NULL;
}

static size_t whole(const char *text)
{
    char *end;
    const unsigned long long value = strtoull(text, &end, 10);
    return *end || *text == '-' || value > 1000000000 ? 0 : (size_t)value;
}

int main(int argc, char **argv)
{
    const struct kernel *kernel = argc > 1 ? find(argv[1]) : NULL;
    if (!kernel || argc > 4) {
        fputs("livermore: expected KERNEL [N [REPETITIONS]], with lfk01 to lfk12\n", stderr);
        return 2;
    }
    const size_t n = argc > 2 ? whole(argv[2]) : kernel->usual;
    if (n < kernel->least || (argc > 3 && whole(argv[3]) == 0)) {
        fprintf(stderr, "livermore: %s: expected N at least %zu, REPETITIONS at least 1\n",
                kernel->name, kernel->least);
        return 2;
    }
    const size_t elements = kernel->elements(n);
    const struct data data = new_data(elements, n);
    const size_t repetitions = argc > 3 ? whole(argv[3]) : enough_repetitions(kernel, &data, n);
    const struct trial trial = quick_trial(kernel, &data, n, repetitions);
    printf("%s,%zu,%zu,%.17g,%.17g,%.17g\n", kernel->name, n, repetitions, trial.time_us,
           sum_of(kernel, elements, n), trial.cycles);
    free_data(&data);
    return 0;
}
