#include "trainer/memory/latency.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <string.h>

enum { PARTS = 64, PART_LOADS = 2048 };

/* One line of so many of a page: what is fetched ahead is seldom one of them, and a quarter of the
   loads at most misses its translation. */
enum { SHARE = 16, APART = 13 };

static void look(struct cache_probe *probe, struct lines *lines, struct latency *latency)
{
    const struct backend *backend = probe->backend;
    const size_t each = lines->count / PARTS;
    double ns[PARTS];
    backend->link_past(backend->state, lines->at, lines->count);
    for (size_t i = 0; i < PARTS; i++)
        ns[i] = backend->walk_from(backend->state, lines->at[i * each],
                                   each < PART_LOADS ? each : PART_LOADS);
    gsl_sort(ns, 1, PARTS);
    latency->ns[latency->count++] = ns[PARTS / 10];
    lines_free(lines);
}

static bool is_possible(const struct cache_probe *probe, double bytes,
                        const struct latency *latency)
{
    const struct backend *backend = probe->backend;
    return latency->count < MOMENTS_MOST && backend->enlarge(backend->state, (size_t)bytes);
}

void latency_look(struct cache_probe *probe, double bytes, double line_bytes,
                  struct latency *latency)
{
    if (!is_possible(probe, bytes, latency))
        return;
    struct lines lines = lines_by_pages(probe, bytes, line_bytes, SHARE);
    look(probe, &lines, latency);
}

/* Round after round through all pages, on each by a line far from the one before, from a random one
   on: no page again before all others were there. */
static struct lines lines_apart(const struct cache_probe *probe, double bytes, double line_bytes)
{
    const size_t page = probe->backend->page_bytes, line = (size_t)line_bytes;
    const size_t pages = (size_t)bytes / page, in_page = page / line;
    struct lines order = {0}, all = {0};
    for (size_t i = 0; i < pages; i++)
        lines_add(&order, i * in_page + gsl_rng_uniform_int(probe->random, in_page));
    lines_shuffle(probe, &order);
    for (size_t k = 0; all.count < PARTS * PART_LOADS && k < in_page; k++)
        for (size_t i = 0; i < pages; i++)
            lines_add(&all,
                      order.at[i] / in_page * page + (order.at[i] + k * APART) % in_page * line);
    lines_free(&order);
    return all;
}

void latency_look_apart(struct cache_probe *probe, double bytes, double line_bytes,
                        struct latency *latency)
{
    if (!is_possible(probe, bytes, latency))
        return;
    struct lines lines = lines_apart(probe, bytes, line_bytes);
    look(probe, &lines, latency);
}

struct latency_found latency_of(const struct latency *latency)
{
    double ns[MOMENTS_MOST];
    if (latency->count == 0)
        return (struct latency_found){NAN, NAN, NAN};
    memcpy(ns, latency->ns, latency->count * sizeof *ns);
    gsl_sort(ns, 1, latency->count);
    return (struct latency_found){ns[latency->count / 4], ns[0], ns[latency->count - 1]};
}
