/* estimator rank --search: what a search finds, beside what was described. */
#include "estimator/commands/rank_run.h"
#include "estimator/output/output.h"
#include "forecast/search/search.h"
#include "model/base/allocation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of a search, unless told. */
static const double time_limit_s = 10.0;

/* What it did not look at, in a line. */
static void say_skipped(struct rank_run *run, const struct search *search, double processors)
{
    if (search->skipped[0] == '\0')
        return;
    fprintf(run->left_out,
            "p = %g: the search looked at %.3g %% of %.3g layouts; not looked at: %s\n", processors,
            100.0 * search->layouts / search->all_layouts, search->all_layouts, search->skipped);
}

static void print_search(const struct search *search, double processors)
{
    const struct candidate *found = search->found.items;
    printf("p = %.0f: looked at %.0f layouts on %.0f grids with %.0f predictions of a segment or "
           "a move\n",
           processors, search->layouts, search->grids, search->predictions);
    if (search->failures > 0.0)
        printf("  %.0f predictions could not be made\n", search->failures);
    for (size_t i = 0; i < search->found.count; i++) {
        char *text = candidate_text(&found[i]);
        printf("  %s: ", found[i].name);
        output_named(text);
        putchar('\n');
        free(text);
    }
}

static void leave_out(struct rank_run *run, double processors, const struct error *why)
{
    char line[800];
    fprintf(run->left_out, "p = %g: search left out: %s\n", processors,
            error_line(why, line, sizeof line));
    rank_note_failure(run, why);
}

int rank_search(struct rank_run *run, const struct machine *machine, struct study *study,
                size_t number, struct error *error)
{
    struct search search;
    const struct list *described = &run->program->candidates;
    const double limit_s = run->options->time_limit_s;
    int status = search_make(&search, study, isnan(limit_s) ? time_limit_s : limit_s, error);
    if (status < 0)
        return -1;
    const bool found = status == 0;
    if (!found)
        leave_out(run, study->processors, error);
    struct list all = {.count = described->count + search.found.count};
    struct candidate *both = memory_new(all.count, sizeof *both); /* what they own stays theirs */
    memcpy(both, described->items, described->count * sizeof *both);
    if (search.found.count > 0)
        memcpy(both + described->count, search.found.items, search.found.count * sizeof *both);
    for (size_t i = 0; i < all.count; i++)
        both[i].fill = true; /* what was found is compared with what was described */
    all.items = both;
    say_skipped(run, &search, study->processors);
    status = rank_candidates(run, machine, study, number, &all, error);
    if (status == 0 && found && report_is_text(run->options->format))
        print_search(&search, study->processors);
    free(both);
    search_free(&search);
    return status;
}
