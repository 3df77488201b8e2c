#include "model/segment/traffic/demand.h"

static const struct record use_record = {
    .name = "a use", .size = sizeof(struct use), .place_offset = NO_PLACE};
static const struct record demand_record = {
    .name = "a demand", .size = sizeof(struct demand), .place_offset = NO_PLACE};

struct demand *demand_add(struct analysis *analysis, struct place place)
{
    struct demand *demand = list_add(&demand_record, &analysis->demands);
    demand->place = place;
    return demand;
}

void demand_list_reads(const struct program *program, const struct reads *reads, char *text,
                       size_t size)
{
    for (size_t i = 0; i < reads->count; i++)
        origins_list(program->origins, reads->references[i]->text->place, text, size);
}

static bool same_lines(const struct halo_exchange *a, const struct halo_exchange *b)
{
    bool same = a->own.side == b->own.side && a->own.stride == b->own.stride;
    for (int d = 0; d < a->directions && same; d++)
        same = a->lines[d].side == b->lines[d].side && a->lines[d].stride == b->lines[d].stride;
    return same;
}

static bool alike(const struct use *a, const struct use *b)
{
    return a->class == b->class && a->bytes == b->bytes && a->processors == b->processors &&
           a->processors_most == b->processors_most && a->at_once == b->at_once &&
           a->pieces == b->pieces && a->halo.directions == b->halo.directions &&
           a->halo.neighbours == b->halo.neighbours && a->in_turn == b->in_turn &&
           same_lines(&a->halo, &b->halo);
}

/* Uses that follow one another are often the same. */
void demand_add_use(struct demand *demand, const struct use *use)
{
    struct use *known = demand->uses.items;
    for (size_t back = 1; back <= 4 && back <= demand->uses.count; back++)
        if (alike(&known[demand->uses.count - back], use)) {
            known[demand->uses.count - back].times += use->times;
            return;
        }
    *(struct use *)list_add(&use_record, &demand->uses) = *use;
}

void demands_free(struct list *demands)
{
    struct demand *items = demands->items;
    for (size_t i = 0; i < demands->count; i++)
        list_free(&use_record, &items[i].uses);
    list_free(&demand_record, demands);
}
