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
                                bool accumulates, bool is_last)
{
    struct recurrence found = {NULL, 1, 0};
    struct count *count = &run->count;
    struct describer *describer = run->writer->describer;
    const struct part *part = count->part;
    for (int i = 0; i < describer->graph.count && count->index; i++) {
        const struct node *node = &describer->graph.nodes[i];
        int distance;
        if (node->kind != NODE_LOAD || node->part != part || !count->marks[i].is_reached)
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
    for (int i = 0; i < part->link_count && is_last; i++)
        if (count->marks[part->links[i].from].is_reached &&
            !accumulation_of(count, part->links[i].from, part->links[i].to))
            consider(count, part->links[i].from, part->links[i].to, 1, &found);
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
