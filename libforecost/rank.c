/* Rankings of all candidates. */
#include "forecast/rank/ranking.h"
#include "libforecost/call.h"
#include "libforecost/handles.h"
#include "model/base/allocation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct forecost_ranking {
    size_t count;
    struct forecost_ranked *rows; /* owned */
    char *left_out;               /* owned */
    char *unsure;                 /* owned; NULL: the order is known to be more or less sure */
};

struct asking {
    const struct forecost_machine *machine;
    const struct forecost_program *program;
    double processors;
    const char *const *definitions;
    struct forecost_ranking *ranking; /* what comes out */
};

static struct forecost_ranked row_of(const struct ranked *item, bool is_sure)
{
    return (struct forecost_ranked){
        .rank = item->rank,
        .candidate = memory_copy_text(item->candidate->name),
        .whole = times_of(&item->prediction.whole),
        .best_probability = is_sure ? item->odds.best : (double)NAN,
        .order_probability = is_sure ? item->odds.before_next : (double)NAN,
        .regret_us = is_sure ? item->odds.regret_us : (double)NAN,
        .tie_group = is_sure ? item->tie_group : 0,
    };
}

static struct forecost_ranking *ranking_of(const struct ranking *made)
{
    struct forecost_ranking *it = memory_new(1, sizeof *it);
    it->count = made->count;
    it->rows = memory_new(it->count, sizeof *it->rows);
    for (size_t i = 0; i < it->count; i++)
        it->rows[i] = row_of(&made->items[i], !made->no_odds);
    it->unsure = memory_copy_text(made->no_odds);
    return it;
}

/* 1, with the first line of what was left out, where there is no row. */
static int rank_study(struct asking *it, struct study *study, struct error *error)
{
    struct ranking made;
    char *lines = NULL;
    size_t size = 0;
    FILE *left_out = memory_stream(&lines, &size);
    int status = ranking_make(&made, study, &study->program->candidates, left_out, error);
    memory_stream_end(left_out);
    if (status == 0 && made.count == 0) {
        error_fill(error, place_at(NULL, 0, 0), "%.*s", (int)strcspn(lines, "\n"), lines);
        status = 1;
    } else if (status == 0) {
        it->ranking = ranking_of(&made);
        it->ranking->left_out = lines;
    }
    if (status >= 0)
        ranking_free(&made);
    if (status != 0)
        free(lines);
    return status;
}

static int rank(void *state, struct error *error)
{
    struct asking *it = state;
    struct program_view view;
    struct study study;
    double processors;
    program_view_begin(&view, it->program);
    if (call_check_definitions(it->definitions, error) != 0 ||
        call_processors(&it->machine->table, it->processors, &processors, error) != 0 ||
        study_make(&study, &it->machine->table, &view.program, processors, it->definitions,
                   call_count(it->definitions), error) != 0)
        return -1;
    const int status = rank_study(it, &study, error);
    study_free(&study);
    return status;
}

enum forecost_status forecost_rank(struct forecost_ranking **ranking,
                                   const struct forecost_machine *machine,
                                   const struct forecost_program *program, double processors,
                                   const char *const *definitions, struct forecost_error *error)
{
    struct asking it = {.machine = machine,
                        .program = program,
                        .processors = processors,
                        .definitions = definitions};
    const enum forecost_status status = call_body_of(rank, &it, error);
    *ranking = status == FORECOST_DONE ? it.ranking : NULL;
    return status;
}

void forecost_ranking_free(struct forecost_ranking *ranking)
{
    if (!ranking)
        return;
    for (size_t i = 0; i < ranking->count; i++) {
        free((char *)ranking->rows[i].candidate);
        times_free(&ranking->rows[i].whole);
    }
    free(ranking->rows);
    free(ranking->left_out);
    free(ranking->unsure);
    free(ranking);
}

const struct forecost_ranked *forecost_ranking_row(const struct forecost_ranking *ranking,
                                                   size_t number)
{
    return number < ranking->count ? &ranking->rows[number] : NULL;
}

const char *forecost_ranking_left_out(const struct forecost_ranking *ranking)
{
    return ranking->left_out;
}

const char *forecost_ranking_unsure(const struct forecost_ranking *ranking)
{
    return ranking->unsure;
}
