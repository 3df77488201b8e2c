#include "describer/walk/colours.h"
#include "describer/write/run.h"

static void consider(struct count *count, int from, int to, int distance,
                     struct recurrence *recurrence)
{
    double cycles;
    const char *chain = chain_text(count, from, to, &cycles);
    if (!chain || cycles / distance <= recurrence->cycles)
        return;
    *recurrence = (struct recurrence){chain, distance, cycles / distance};
}

/* The longest chain from what an iteration before has stored to what is stored now. */
struct recurrence recurrence_of(struct run *run, const struct statement *statement,
                                bool accumulates)
{
    struct recurrence found = {NULL, 1, 0};
    struct count *count = &run->count;
    struct describer *describer = run->writer->describer;
    const struct part *part = count->part;
    for (int i = 0; i < describer->graph.count && count->index; i++) {
        const struct node *node = &describer->graph.nodes[i];
        int distance;
        if (node->kind != NODE_LOAD || node->part != part || !count->marks[i].is_reached ||
            (colour_differs(describer, statement, &node->reference) &&
             !reference_equal(&describer->algebra, &statement->to, &node->reference)))
            continue;
        if (!reference_has(&statement->to, count->index)) {
            if (!accumulates &&
                reference_equal(&describer->algebra, &statement->to, &node->reference))
                consider(count, i, statement->value, 1, &found);
        } else if (reference_shift(&describer->algebra, &statement->to, &node->reference,
                                   count->index, &distance) &&
                   distance > 0)
            consider(count, i, statement->value, distance, &found);
    }
    return found;
}

/* ---- scalars ---- */

enum { SOURCES_MOST = 24, CYCLE_MOST = 6 };

/* What an iteration has of one before: a scalar, or an element that a statement stores. */
struct handed {
    int node, left; /* as it is found, and as it is left: nodes */
    int distance;   /* iterations between */
    bool is_kept;
};

/* How long each waits for each within an iteration. */
struct waits {
    struct handed sources[SOURCES_MOST];
    int count;
    double cycles[SOURCES_MOST][SOURCES_MOST]; /* -1: it does not wait */
    const char *chains[SOURCES_MOST][SOURCES_MOST];
};

static void add_source(struct waits *waits, struct handed source)
{
    if (waits->count < SOURCES_MOST)
        waits->sources[waits->count++] = source;
}

static void add_loads(struct count *count, struct waits *waits)
{
    struct describer *describer = count->describer;
    const struct part *part = count->part;
    for (int i = 0; i < describer->graph.count; i++) {
        const struct node *node = &describer->graph.nodes[i];
        int distance;
        for (int k = 0; node->kind == NODE_LOAD && node->part == part && k < part->statement_count;
             k++)
            if (reference_shift(&describer->algebra, &part->statements[k].to, &node->reference,
                                count->index, &distance) &&
                distance > 0)
                add_source(waits, (struct handed){i, part->statements[k].value, distance, false});
    }
}

static void find_waits(struct count *count, struct waits *waits)
{
    waits->count = 0;
    for (const struct carry *carry = count->part->loop->carries; carry; carry = carry->next)
        if (carry->is_needed && !carry->reduces)
            add_source(waits, (struct handed){carry->from, carry->to, 1, carry->is_kept});
    add_loads(count, waits);
    for (int a = 0; a < waits->count; a++)
        for (int b = 0; b < waits->count; b++)
            waits->chains[a][b] = chain_text(count, waits->sources[a].node, waits->sources[b].left,
                                             &waits->cycles[a][b]);
}

/* A way from source to source, back to the first. */
struct round {
    const struct waits *waits;
    int at[CYCLE_MOST];
    int count, distance;
    double cycles;
};

static const char *round_text(struct arena *arena, const struct round *round)
{
    const char *text = NULL;
    for (int i = 0; i < round->count; i++) {
        const char *chain = round->waits->chains[round->at[i]][round->at[(i + 1) % round->count]];
        if (chain)
            text = text ? arena_format(arena, "%s, %s", text, chain) : chain;
    }
    return text;
}

/* Of all rounds that go on from here the one that takes the most cycles an iteration. Rounds
   through a scalar before are that scalar's. */
static void go_round(struct arena *arena, struct round *round, struct recurrence *found)
{
    const struct waits *waits = round->waits;
    const int here = round->at[round->count - 1], first = round->at[0];
    const double back = waits->cycles[here][first];
    if (back >= 0 && (round->cycles + back) / round->distance > found->cycles)
        *found = (struct recurrence){round_text(arena, round), round->distance,
                                     (round->cycles + back) / round->distance};
    for (int next = 0; next < waits->count && round->count < CYCLE_MOST; next++) {
        bool is_new = next != first && waits->cycles[here][next] >= 0 &&
                      !(waits->sources[next].is_kept && next < first);
        for (int i = 0; i < round->count; i++)
            is_new = is_new && round->at[i] != next;
        if (!is_new)
            continue;
        struct round on = *round;
        on.at[on.count++] = next;
        on.distance += waits->sources[next].distance;
        on.cycles += waits->cycles[here][next];
        go_round(arena, &on, found);
    }
}

struct recurrence recurrence_of_scalar(struct run *run, const struct carry *carry)
{
    struct recurrence found = {NULL, 1, 0};
    struct waits waits;
    find_waits(&run->count, &waits);
    for (int i = 0; i < waits.count; i++) {
        if (waits.sources[i].node != carry->from)
            continue;
        struct round round = {&waits, {i}, 1, waits.sources[i].distance, 0};
        go_round(run->writer->describer->arena, &round, &found);
    }
    return found;
}

void write_recurrence(struct run *run, const struct recurrence *recurrence)
{
    struct yaml_out *out = run->writer->out;
    if (!recurrence->chain)
        return;
    yaml_out_key(out, "recurrence");
    if (recurrence->distance > 1) {
        yaml_out_map(out, true);
        yaml_out_key(out, "chain");
    }
    yaml_out_list(out, true);
    const char **names = text_split(run->writer->describer->arena, recurrence->chain, ',');
    for (; *names; names++)
        yaml_out_text(out, *names);
    yaml_out_list_end(out);
    if (recurrence->distance > 1) {
        yaml_out_key(out, "distance");
        yaml_out_number(out, recurrence->distance);
        yaml_out_map_end(out);
    }
}
