#include "trainer/caches/fill.h"

#include <math.h>

/* Orders tried until a walk fits, where it is expected to, and where it is not; a set that replaces
   at random has lost its stale lines after some hundred laps. */
enum {
    ORDERS_FIT = 80,
    ORDERS_MISS = 8,
    SETS_TRIED = 16,
    SETTLE_LAPS = 6,
    ROUNDS_MOST = 4,
    WORD_BYTES = 8,
    BLOCK_PAGES = 32
};

/* Of a miss, which costs no less than a hit and a half (geometry.c); one such a set. */
static const double limit_hits = 0.75;

/* Of what one way more costs: fetching ahead drives some lines out where all fit. */
static const double stray_share = 0.25;

struct fill {
    struct cache_probe *probe;
    const struct cache_found *found;
    struct lines pages; /* owned; a line of each */
    size_t line_bytes, page_lines;
};

/* ---- all sets together ---- */

/* Lines of a page; of half of the cache's lines the pages use different halves of the sets in turn,
   so that they conflict with none. */
static void add_page(const struct fill *fill, size_t page, bool halved, struct lines *lines)
{
    const size_t each = halved ? fill->page_lines / 2 : fill->page_lines;
    const size_t first = halved && page % 2 == 1 ? each : 0;
    const size_t page_bytes = fill->probe->backend->page_bytes;
    const size_t from = fill->pages.at[page] / page_bytes * page_bytes;
    for (size_t k = first; k < first + each; k++)
        lines_add(lines, from + k * fill->line_bytes);
}

/* Adds all lines in a random order, which stays within some pages for a while, so that few
   translations are missed; by the word of the lines that is `at` bytes from where they begin. */
static void add_round(const struct fill *fill, bool halved, size_t at, struct lines *order)
{
    for (size_t first = 0; first < fill->pages.count; first += BLOCK_PAGES) {
        struct lines block = {0};
        for (size_t i = first; i < fill->pages.count && i < first + BLOCK_PAGES; i++)
            add_page(fill, i, halved, &block);
        lines_shuffle(fill->probe, &block);
        for (size_t i = 0; i < block.count; i++)
            lines_add(order, block.at[i] + at);
        lines_free(&block);
    }
}

/* Cycles of a round through the lines. What links them drives some of them out: of one order trees
   of ways would never take them all in again, so that a lap goes through several, each by another
   word of the lines. */
static double round_of(const struct fill *fill, bool halved)
{
    const struct backend *backend = fill->probe->backend;
    const size_t words = fill->line_bytes / WORD_BYTES;
    const size_t rounds = words < ROUNDS_MOST ? words : ROUNDS_MOST;
    struct lines order = {0};
    for (size_t i = 0; i < rounds; i++)
        add_round(fill, halved, i * WORD_BYTES, &order);
    backend->link(backend->state, order.at, order.count);
    backend->walk(backend->state, SETTLE_LAPS);
    const double lap = backend->walk(backend->state, 1);
    lines_free(&order);
    return lap / (double)rounds;
}

/* How much longer a round through all lines is than their hits, the least of some orders, or what
   is below enough. What the pages cost otherwise is known from half of the lines. */
static double excess(struct fill *fill, int orders, double enough)
{
    const double hit = fill->found->hit_cycles;
    const size_t halved = fill->page_lines / 2 * fill->pages.count;
    const double hits = hit * (double)(fill->page_lines * fill->pages.count - halved);
    double half = INFINITY, all = INFINITY;
    for (int i = 0; i < ORDERS_MISS; i++)
        half = fmin(half, round_of(fill, true));
    for (int i = 0; i < orders && !(all - half - hits < enough); i++)
        all = fmin(all, round_of(fill, false));
    return all - half - hits;
}

/* So many pages of every colour. */
static void choose_pages(struct fill *fill, const struct colours *colours, size_t count)
{
    lines_free(&fill->pages);
    for (size_t i = 0; i < colours->count; i++) {
        struct lines chosen = lines_choose(fill->probe, &colours->items[i].members, count);
        lines_add_all(&fill->pages, &chosen);
        lines_free(&chosen);
    }
}

/* ---- one set after the other ---- */

/* Lines of one set, anywhere in the cache. */
static struct lines lines_of_set(const struct fill *fill, const struct colours *colours,
                                 size_t count)
{
    gsl_rng *random = fill->probe->random;
    const size_t page_bytes = fill->probe->backend->page_bytes;
    const size_t at = gsl_rng_uniform_int(random, fill->page_lines) * fill->line_bytes;
    const struct colour *colour = &colours->items[gsl_rng_uniform_int(random, colours->count)];
    struct lines lines = lines_choose(fill->probe, &colour->members, count);
    for (size_t i = 0; i < lines.count; i++)
        lines.at[i] = lines.at[i] / page_bytes * page_bytes + at;
    return lines;
}

/* Of most sets as many lines fit as there are ways, and one more does not. */
static bool do_sets_agree(struct search *search, const struct fill *fill,
                          const struct colours *colours)
{
    size_t agree = 0;
    for (int i = 0; i < SETS_TRIED; i++) {
        struct lines more = lines_of_set(fill, colours, (size_t)fill->found->ways + 1);
        struct lines fits = lines_without(&more, 0, 1);
        agree += !search_is_overfull(search, &fits) && search_is_overfull(search, &more);
        lines_free(&more);
        lines_free(&fits);
    }
    return 4 * agree >= 3 * SETS_TRIED;
}

/* ---- both ---- */

const char *fill_check(struct search *search, const struct cache_found *found,
                       const struct colours *colours)
{
    struct cache_probe *probe = search->probe;
    const size_t line = (size_t)found->line_bytes, sets = (size_t)found->way_bytes / line;
    const double limit = limit_hits * found->hit_cycles * (double)sets;
    struct fill fill = {probe, found, {0}, line, sets / colours->count};
    if (fill.page_lines < 2)
        return "a way has too few lines in a page";
    if (!do_sets_agree(search, &fill, colours))
        return "most sets have other ways than the first";
    choose_pages(&fill, colours, (size_t)found->ways + 1);
    const double beyond = excess(&fill, ORDERS_MISS, limit);
    choose_pages(&fill, colours, (size_t)found->ways);
    const double allowed = fmax(limit, stray_share * beyond);
    const double within = excess(&fill, ORDERS_FIT, allowed);
    lines_free(&fill.pages);
    if (beyond < limit)
        return "more lines fit than rings say";
    return within < allowed ? NULL : "as many lines as rings say do not fit";
}
