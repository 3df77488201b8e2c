#include "trainer/loops/measure_loops.h"

#include "model/base/allocation.h"
#include "model/base/file_out.h"
#include "model/loops/curve_time.h"
#include "trainer/base/clock.h"
#include "trainer/base/interruption.h"
#include "trainer/base/provenance.h"
#include "trainer/base/target.h"
#include "trainer/base/topology.h"
#include "trainer/loops/measuring.h"
#include "trainer/loops/plan.h"
#include "trainer/loops/sizes.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How long a size that is compared waits for a quiet core, each time. */
static const double patience_s = 0.04;

/* What a loop gets at most, so that few loops do not take all of a long budget. */
static const double loop_s_most = 5.5;

/* Of the memory that is free, what all ranks together may take for arrays; and one of them for a
   size of the plan, which touches a hundredth of it at most. */
static const double memory_share = 0.5, arrays_most = 0x1p30;

/* Beyond the last cache, and no more: half as much again as it holds. */
static const double beyond = 1.5, bytes_most_least = 24e6, bytes_most_most = 96e6;

static void say(const char *at, const char *what)
{
    fprintf(stderr, "trainer: loop %s: %s\n", at, what);
}

/* ---- all loops ---- */

static void leave_out(struct measuring *it, const char *at, const char *because)
{
    struct not_measured *missing = list_add(&not_measured_record, &it->curves.not_measured);
    missing->what = memory_format("loop %s", at);
    missing->because = memory_copy_text(because);
    if (it->rank == 0)
        say(at, because);
}

/* What there was no time or no quiet for. */
static void say_what_is_left(const struct forecost_loop *loop, const struct sizes_done *sizes,
                             size_t points)
{
    if (sizes->done < sizes->planned)
        fprintf(stderr, "trainer: loop %s: %zu of %zu sizes, as the budget left no time for more\n",
                loop->at, sizes->done, sizes->planned);
    if (sizes->crowded > 0)
        fprintf(
            stderr,
            "trainer: loop %s: at %zu of %zu sizes others had a share of the core whenever it was "
            "tried: these times may be too long\n",
            loop->at, sizes->crowded, points);
}

/* What ends by a signal at one size is no loop of this processor, whatever others take. */
static void leave_out_ended(struct measuring *it, const char *at, struct loop_curve *curve)
{
    char *because = it->ended_by == BENCH_EXITED
                        ? memory_copy_text("it ends the program that runs it")
                        : memory_format("it ends by a signal here: %s", strsignal(it->ended_by));
    leave_out(it, at, because);
    free(because);
    list_free(&loop_point_record, &curve->points);
}

static void measure_sizes(struct measuring *it, const struct forecost_loop *loop, struct plan *plan,
                          double end_s)
{
    struct loop_curve curve;
    struct error error;
    it->ended_by = 0;
    const struct sizes_done done = sizes_measure(it, loop, plan, end_s, &curve, &error);
    if (it->ended_by != 0) {
        leave_out_ended(it, loop->at, &curve);
        return;
    }
    if (curve.points.count == 0) {
        leave_out(it, loop->at,
                  *error.text                  ? error.text
                  : interruption_signal() != 0 ? "a signal ended the measurement"
                                               : "the budget left no time for it");
        return;
    }
    curve.nest = (double)loop->nest;
    curve.at = memory_copy_text(loop->at);
    curve.hash = memory_copy_text(loop->hash);
    loop_curve_judge(&curve);
    *(struct loop_curve *)list_add(&loop_curve_record, &it->curves.loops) = curve;
    if (it->rank == 0)
        say_what_is_left(loop, &done, curve.points.count);
}

static void measure_loop(struct measuring *it, const struct forecost_loop *loop, int left)
{
    struct plan plan;
    const double now_s = clock_s();
    const double share_s = fmin((it->end_s - now_s) / left, loop_s_most);
    it->loop_end_s = now_s + share_s;
    plan_make(&plan, &it->program, loop, it->bytes_most);
    measure_sizes(it, loop, &plan, it->loop_end_s);
    plan_free(&plan);
}

static int read_back(const char *path, struct error *error)
{
    struct loop_curves curves;
    if (loop_curves_read(&curves, path, error) != 0)
        return -1;
    loop_curves_free(&curves);
    return 0;
}

static int save(const struct measuring *it, struct error *error)
{
    struct file_out out = {0};
    if (!it->options->output_given)
        return loop_curves_write(&it->curves, stdout) ? 0 : error_set(error, "cannot be written");
    if (file_out_begin(&out, it->options->output_given, error) != 0)
        return -1;
    loop_curves_write(&it->curves, out.stream);
    return file_out_verify(&out, read_back, error) == 0 ? file_out_keep(&out, error) : -1;
}

static int measure_all(struct measuring *it, int argc, char **argv, struct error *error)
{
    const struct loops_object *object = it->program.object;
    int count = 0;
    while (object->items[count].at)
        count++;
    it->curves = loop_curves_begin();
    it->curves.source = memory_copy_text(object->source);
    it->curves.compiler = memory_copy_text(object->compiler);
    it->curves.flags = memory_copy_text(object->flags);
    it->curves.processors = it->processors;
    it->curves.measured = provenance_new(argc, argv, it->options->seed);
    for (int i = 0; i < count; i++)
        measure_loop(it, &object->items[i], count - i);
    if (it->rank != 0)
        return 0;
    if (it->curves.loops.count == 0) {
        fprintf(stderr, "trainer: nothing was measured: no file is written\n");
        return 1;
    }
    error->text[0] = '\0';
    return save(it, error);
}

/* ---- a file against the machine ---- */

static void print_comparison(const struct loop_curve *curve, const struct loop_point *point,
                             double predicted_ns)
{
    printf("%s,%.6g,%.6g,%.6g,%.5g,%.5g,%.4f\n", curve->at, point->shape.row,
           point->shape.plane_bytes, point->shape.nest_bytes, point->alone_ns, predicted_ns,
           predicted_ns / point->alone_ns);
}

/* The best of some measurements, as those of the file are. */
static bool measure_best(struct measuring *it, const struct forecost_loop *loop,
                         struct measured *best, struct error *error)
{
    const struct options *options = it->options;
    struct measured again;
    for (int i = 0; i < VISITS_MOST || (!best->is_quiet && i < CROWDED_VISITS_MOST); i++) {
        if (!measuring_point(it, loop, options->definitions, options->definition_count, patience_s,
                             &again, error))
            return false;
        *best = i == 0 ? again : measuring_better(best, &again);
    }
    return true;
}

/* At the values of the description and -D; errors[i]: relative. Returns how many. */
static size_t compare_all(struct measuring *it, double *errors)
{
    struct measured measured;
    struct error error;
    size_t count = 0;
    if (it->rank == 0)
        puts("loop,row,plane_bytes,nest_bytes,measured_ns,predicted_ns,ratio");
    for (const struct forecost_loop *loop = it->program.object->items; loop->at; loop++) {
        const struct loop_curve *curve = loop_curves_find(&it->curves, loop->hash);
        if (!measuring_goes_on(it->end_s))
            break;
        if (!curve || !measure_best(it, loop, &measured, &error)) {
            if (it->rank == 0)
                say(loop->at, curve ? error.text : "its text is not in the file");
            continue;
        }
        const double predicted_ns = loop_curve_time(curve, &measured.point.shape, false).each_ns;
        errors[count++] = fabs(predicted_ns / measured.point.alone_ns - 1.0);
        if (it->rank == 0)
            print_comparison(curve, &measured.point, predicted_ns);
    }
    return count;
}

static int compare(struct measuring *it, struct error *error)
{
    size_t count = 0;
    while (it->program.object->items[count].at)
        count++;
    if (loop_curves_read(&it->curves, it->options->validate, error) != 0)
        return -1;
    double *errors = memory_new(count + 1, sizeof *errors);
    count = compare_all(it, errors);
    gsl_sort(errors, 1, count);
    const double median =
        count ? gsl_stats_quantile_from_sorted_data(errors, 1, count, 0.5) : INFINITY;
    free(errors);
    if (it->rank == 0)
        fprintf(stderr, "trainer: %zu loops, median error %.1f %%\n", count, 100.0 * median);
    return median <= it->options->tolerance ? 0 : 1;
}

/* ---- the whole ---- */

/* A loop that ends the program only after it has run may not look like a success. */
static pid_t measuring; /* this process, not one that tries a loop; 0: none measures */

static void say_exit(void)
{
    if (getpid() != measuring)
        return;
    fputs("trainer: a loop of the object ended the program: nothing is written\n", stderr);
    _exit(2);
}

/* Of this machine's memory what nobody uses; INFINITY: not told. */
static double free_bytes(void)
{
    char line[120];
    double kib = INFINITY;
    FILE *stream = fopen("/proc/meminfo", "r");
    while (stream && fgets(line, sizeof line, stream))
        if (sscanf(line, "MemAvailable: %lf kB", &kib) == 1)
            break;
    if (stream)
        fclose(stream);
    return 1024.0 * kib;
}

static int begin(struct measuring *it, struct error *error)
{
    const struct options *options = it->options;
    int status = 0;
    if (it->rank == 0 && options->output_given && !options->validate)
        status = target_check(options->output_given, "forecost-loops:", "a file of loops", error);
    it->program.processors = it->processors;
    if (status == 0) {
        it->program.object = object_load(options->loops, error);
        status = it->program.object ? 0 : -1;
    }
    if (status == 0) {
        const char *text = it->program.object->description;
        status = program_read_text(&it->program.program, options->loops, text, strlen(text), error);
    }
    if (!measuring_agrees(status == 0) && status == 0) {
        program_free(&it->program.program);
        status = error_set(error, "another rank cannot load the loops");
    }
    return status;
}

int measure_loops(const struct options *options, int argc, char **argv, struct error *error)
{
    struct measuring it = {.options = options, .end_s = clock_s() + options->budget_s};
    const double cache_bytes = topology_cache(3).capacity_bytes;
    it.loop_end_s = it.end_s;
    MPI_Comm_rank(MPI_COMM_WORLD, &it.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &it.processors);
    it.bytes_most = isnan(cache_bytes) ? bytes_most_least : beyond * cache_bytes;
    it.bytes_most = fmin(fmax(it.bytes_most, bytes_most_least), bytes_most_most);
    it.program.bytes_most = memory_share * free_bytes() / it.processors;
    if (!options->validate)
        it.program.bytes_most = fmin(it.program.bytes_most, arrays_most);
    atexit(say_exit);
    if (begin(&it, error) != 0)
        return -1;
    measuring = getpid();
    int status = options->validate ? compare(&it, error) : measure_all(&it, argc, argv, error);
    measuring = 0;
    if (status >= 0 && interruption_signal() != 0)
        status = 128 + interruption_signal();
    MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    loop_curves_free(&it.curves);
    program_free(&it.program.program);
    return status;
}
