#include "trainer/memory/bandwidth.h"

#include "model/node/memory.h"
#include "trainer/base/topology.h"
#include "trainer/node/core_clock.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined __x86_64__
#include <emmintrin.h>
#endif

/* ==== lines in the order of addresses ==== */

enum { PASSES = 15, PASSES_LEAST = 5, TRIES = 30 };

/* A sample is so long that what reading the clock takes is a thousandth of it at most. */
enum { ACCESSES_LEAST = 100000 };

/* So long are enough for PASSES_LEAST: a pass through memory lasts longer than what disturbs. */
static const double passes_ns = 4e7;

/* Two measurements of a clock that did not change differ by less. */
static const double steady = 0.002;

/* ---- the forms; by fours or more, so that it is not the loop that is timed ---- */

#define LOAD(address) (void)*(const volatile double *)(const volatile void *)(address)
#define STORE(address) *(volatile double *)(volatile void *)(address) = 1.0

/* Four accesses that are so many bytes apart. */
#define FOUR(access, address, apart)                                                               \
    do {                                                                                           \
        access(address);                                                                           \
        access((address) + (apart));                                                               \
        access((address) + 2 * (apart));                                                           \
        access((address) + 3 * (apart));                                                           \
    } while (0)

static void load_words(char *base, size_t bytes, size_t line_bytes)
{
    for (const char *end = base + bytes; base < end; base += 4 * line_bytes)
        FOUR(LOAD, base, line_bytes);
}

static void store_words(char *base, size_t bytes, size_t line_bytes)
{
    for (const char *end = base + bytes; base < end; base += 4 * line_bytes)
        FOUR(STORE, base, line_bytes);
}

/* Where what fetches ahead follows several arrays at once, each of them has to wait less often. */
static void load_words_of_four(char *base, size_t bytes, size_t line_bytes)
{
    const size_t part = bytes / 4;
    for (const char *end = base + part; base < end; base += line_bytes)
        FOUR(LOAD, base, part);
}

static void load_words_of_eight(char *base, size_t bytes, size_t line_bytes)
{
    const size_t part = bytes / 8;
    for (const char *end = base + part; base < end; base += line_bytes) {
        FOUR(LOAD, base, part);
        FOUR(LOAD, base + 4 * part, part);
    }
}

static inline void store_line(char *line, size_t line_bytes)
{
    for (const char *end = line + line_bytes; line < end; line += 4 * sizeof(double))
        FOUR(STORE, line, sizeof(double));
}

/* A line of which every word is stored needs not come before it goes. */
static void store_lines(char *base, size_t bytes, size_t line_bytes)
{
    for (const char *end = base + bytes; base < end; base += line_bytes)
        store_line(base, line_bytes);
}

static void store_lines_of_two(char *base, size_t bytes, size_t line_bytes)
{
    const size_t part = bytes / 2;
    for (const char *end = base + part; base < end; base += line_bytes) {
        store_line(base, line_bytes);
        store_line(base + part, line_bytes);
    }
}

/* Of so many bytes, a whole number of times the lines that the form touches at once. */
typedef void pass(char *base, size_t bytes, size_t line_bytes);

static const struct line_form {
    pass *pass;
    size_t lines; /* that are touched at once */
    bool stores;
    bool is_usual; /* the sources' one */
} forms[] = {
    {load_words,          4, false, true },
    {load_words_of_four,  4, false, false},
    {load_words_of_eight, 8, false, false},
    {store_words,         4, true,  true },
    {store_lines,         1, true,  false},
    {store_lines_of_two,  2, true,  false},
};

/* ---- timing ---- */

static int ascending(const void *a, const void *b)
{
    const double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

struct passes {
    double least,
        quartile; /* cycles a line: of the passes that count the least, the lower quartile */
};

static struct passes time_form(const struct line_form *form, char *base, size_t bytes,
                               size_t line_bytes)
{
    const size_t lines = bytes / line_bytes / form->lines * form->lines,
                 times = ACCESSES_LEAST / lines + 1;
    double cycles[PASSES], unsteady[TRIES];
    size_t count = 0, unsteady_count = 0;
    form->pass(base, lines * line_bytes, line_bytes);
    const double end_ns = core_clock_now_ns() + passes_ns;
    for (int i = 0;
         i < TRIES && count < PASSES && (i < PASSES_LEAST || core_clock_now_ns() < end_ns); i++) {
        const double before = core_clock_cycle_ns(), start_ns = core_clock_now_ns();
        for (size_t k = 0; k < times; k++)
            form->pass(base, lines * line_bytes, line_bytes);
        const double took_ns = core_clock_now_ns() - start_ns;
        const double after = core_clock_cycle_ns(), took = took_ns / (0.5 * (before + after));
        if (fabs(after - before) <= steady * before)
            cycles[count++] = took;
        else
            unsteady[unsteady_count++] = took;
    }
    double *all = count > 0 ? cycles : unsteady;
    const size_t used = count > 0 ? count : unsteady_count;
    qsort(all, used, sizeof *all, ascending);
    const double touched = (double)(times * lines);
    return (struct passes){all[0] / touched, all[used / 4] / touched};
}

static void time_lines(struct memory_level *level, char *base, size_t bytes, size_t line_bytes)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const struct line_form *form = &forms[i];
        const struct passes took = time_form(form, base, bytes, line_bytes);
        double *usual = form->stores ? &level->store_line_cycles : &level->load_line_cycles,
               *least =
                   form->stores ? &level->store_line_cycles_least : &level->load_line_cycles_least;
        if (form->is_usual)
            *usual = fmin(*usual, took.quartile); /* fmin leaves a NAN out */
        *least = fmin(*least, took.least);
    }
}

/* Called at different moments; of what was disturbed for all the time of one the other counts. */
void bandwidth_of_level(struct memory_level *level, char *base, size_t lines, size_t line_bytes,
                        double ghz)
{
    time_lines(level, base, lines * line_bytes, line_bytes);
    if (level->level == 1.0) /* no line moves */
        return;
    level->load_mb_per_s = 1e3 * (double)line_bytes * ghz / level->load_line_cycles;
    level->store_mb_per_s = 1e3 * (double)line_bytes * ghz / level->store_line_cycles;
}

/* ==== streams ==== */

enum { ARRAYS = 3, STREAM_PASSES = 5 };

/* A kernel's passes end after so long, but for the first two: the first may find its arrays in
 * caches. */
static const double kernel_ns_most = 3e8;

/* Registers of 16 bytes: every present processor of 64 bits has them, and no memory is faster than
 * they are. */
typedef double two __attribute__((vector_size(2 * sizeof(double))));

/* Volatile, or a compiler calls memcpy in place of the loop. */
#define TO(number) *(volatile two *)&(number)
#define FROM(number) *(const volatile two *)&(number)

/* Every loop goes through a line, usually: it is not the loop that is timed. */
#define LOOP(name, statement)                                                                      \
    static void name(two *a, const two *b, const two *c, size_t count)                             \
    {                                                                                              \
        const two three = {3.0, 3.0};                                                              \
        (void)a, (void)b, (void)c, (void)three;                                                    \
        for (size_t i = 0; i + 4 <= count; i += 4)                                                 \
            for (size_t k = i; k < i + 4; k++)                                                     \
                statement;                                                                         \
    }

LOOP(load, (void)FROM(b[k]))
LOOP(fill, TO(a[k]) = three)
LOOP(copy, TO(a[k]) = FROM(b[k]))
LOOP(triad, TO(a[k]) = FROM(b[k]) + three * FROM(c[k]))
#if defined __x86_64__
#define PAST(number, value) _mm_stream_pd((double *)&(number), (__m128d)(value))
LOOP(fill_past, PAST(a[k], three))
LOOP(copy_past, PAST(a[k], FROM(b[k])))
LOOP(triad_past, PAST(a[k], FROM(b[k]) + three * FROM(c[k])))
#endif

static const struct loop {
    enum stream_kernel kernel;
    void (*run)(two *a, const two *b, const two *c, size_t count);
    double arrays; /* read or written, once each */
} loops[] = {
    {STREAM_LOAD,       load,       1.0},
    {STREAM_FILL,       fill,       1.0},
    {STREAM_COPY,       copy,       2.0},
    {STREAM_TRIAD,      triad,      3.0},
#if defined __x86_64__
    {STREAM_FILL_PAST,  fill_past,  1.0},
    {STREAM_COPY_PAST,  copy_past,  2.0},
    {STREAM_TRIAD_PAST, triad_past, 3.0},
#endif
};

static double pass_ns(const struct loop *loop, two *first, size_t count)
{
    const double start_ns = core_clock_now_ns();
    loop->run(first, first + count, first + 2 * count, count);
    return core_clock_now_ns() - start_ns;
}

static double quickest_pass_ns(const struct loop *loop, two *first, size_t count)
{
    const double end_ns = core_clock_now_ns() + kernel_ns_most;
    double least_ns = INFINITY;
    for (int k = 0; k < STREAM_PASSES && (k < 2 || core_clock_now_ns() < end_ns); k++)
        least_ns = fmin(least_ns, pass_ns(loop, first, count));
    return least_ns;
}

static struct memory_stream *stream_of(struct list *streams, enum stream_kernel kernel)
{
    struct memory_stream *all = streams->items;
    for (size_t i = 0; i < streams->count; i++)
        if (all[i].kernel == (int)kernel)
            return &all[i];
    struct memory_stream *added = list_add(&memory_stream_record, streams);
    added->kernel = (int)kernel;
    return added;
}

static void time_streams(char *base, size_t bytes, struct list *streams)
{
    two *first = (two *)(void *)base;
    const size_t count = bytes / ARRAYS / sizeof *first / 4 * 4;
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
        const struct loop *loop = &loops[i];
        const double least_ns = quickest_pass_ns(loop, first, count);
        struct memory_stream *stream = stream_of(streams, loop->kernel);
        const double moved = loop->arrays * (double)(count * sizeof *first);
        stream->array_bytes = (double)(count * sizeof *first);
        stream->mb_per_s = fmax(stream->mb_per_s, 1e3 * moved / least_ns);
    }
}

/* ==== pages ==== */

/* So large are they on the processors that have small ones of 4 KB; where others have larger ones,
   the system asks for no better place. */
enum { LARGE_BYTES = 2 << 20 };

static char *aligned(char *base)
{
    return base + (LARGE_BYTES - (size_t)base % LARGE_BYTES) % LARGE_BYTES;
}

/* Memory of its own. large: on pages as large as the system gives to who asks for them, else as a
   program gets that does not. */
struct pages {
    char *base; /* of the bytes asked for */
    char *mapped;
    size_t mapped_bytes;
};

static bool pages_begin(struct pages *pages, size_t bytes, bool large)
{
    pages->mapped_bytes = bytes + LARGE_BYTES;
    pages->mapped = mmap(NULL, pages->mapped_bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages->mapped == MAP_FAILED)
        return false;
    pages->base = aligned(pages->mapped);
    if (large)
        madvise(pages->base, bytes, MADV_HUGEPAGE); /* a system without them gives others */
    return true;
}

/* The system gives pages when they are first touched, which takes virtual machines 4 s a GB.
   Touches them to `bytes`, or as many as a second lets, but `least_bytes`; returns how many. */
static size_t touched(const struct pages *pages, size_t bytes, size_t least_bytes)
{
    const double end_ns = core_clock_now_ns() + 1e9;
    size_t done = 0;
    while (done < bytes && (done < least_bytes || core_clock_now_ns() < end_ns)) {
        const size_t step = bytes - done < LARGE_BYTES ? bytes - done : LARGE_BYTES;
        memset(pages->base + done, 1, step);
        done += step;
    }
    return done;
}

static void pages_end(const struct pages *pages)
{
    munmap(pages->mapped, pages->mapped_bytes);
}

/* STREAM's rule: an array is four times as large as the last cache, if that is told (a virtual
   machine may tell of a cache that it shares with many others); but all of them together are a
   quarter of the memory at most. */
static size_t stream_bytes(size_t least_bytes)
{
    enum { CACHES = 4, LEVELS = 4, SHARE = 4 };
    const double memory_bytes = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    double last_bytes = 0.0;
    for (int level = 1; level <= LEVELS; level++)
        last_bytes = fmax(last_bytes, topology_cache(level).capacity_bytes);
    return (size_t)fmin(fmax((double)least_bytes, ARRAYS * CACHES * last_bytes),
                        memory_bytes / SHARE);
}

/* Loops through arrays of pages as programs get them, of `least_bytes` together at least. */
static void add_streams(struct memory *memory, size_t least_bytes)
{
    const size_t bytes = stream_bytes(least_bytes);
    struct pages pages;
    if (!pages_begin(&pages, bytes, false))
        return;
    time_streams(pages.base, touched(&pages, bytes, least_bytes), &memory->streams);
    pages_end(&pages);
}

/* No program takes less, nor one that asks for large pages. */
static void time_large_pages(struct memory_level *last, size_t bytes, size_t line_bytes)
{
    struct memory_level large;
    struct pages pages;
    if (!pages_begin(&pages, bytes, true))
        return;
    touched(&pages, bytes, bytes);
    record_begin(&memory_level_record, &large);
    time_lines(&large, pages.base, bytes, line_bytes);
    pages_end(&pages);
    last->load_line_cycles_least = fmin(last->load_line_cycles_least, large.load_line_cycles_least);
    last->store_line_cycles_least =
        fmin(last->store_line_cycles_least, large.store_line_cycles_least);
}

void bandwidth_beyond(struct memory *memory, size_t bytes, size_t line_bytes)
{
    struct memory_level *last =
        (struct memory_level *)memory->levels.items + memory->levels.count - 1;
    if (!isinf(last->level))
        return;
    add_streams(memory, bytes);
    time_large_pages(last, bytes, line_bytes);
}
