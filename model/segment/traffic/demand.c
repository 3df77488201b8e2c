#include "model/segment/traffic/demand.h"

#include "model/segment/traffic/message.h"

#include <stdio.h>
#include <string.h>

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

static bool same_line(const struct grid_line *a, const struct grid_line *b)
{
    return a->side == b->side && a->stride == b->stride && a->is_ring == b->is_ring &&
           a->is_one_way == b->is_one_way;
}

static bool same_lines(const struct halo_exchange *a, const struct halo_exchange *b)
{
    bool same = same_line(&a->own, &b->own);
    for (int d = 0; d < a->directions && same; d++)
        same = same_line(&a->lines[d], &b->lines[d]);
    return same;
}

/* In all but how often, and how many bytes. */
static bool alike(const struct use *a, const struct use *b)
{
    return a->class == b->class && a->processors == b->processors &&
           a->processors_most == b->processors_most && a->at_once == b->at_once &&
           a->pieces == b->pieces && a->strided == b->strided &&
           a->element_bytes == b->element_bytes && a->halo.directions == b->halo.directions &&
           a->halo.neighbours == b->halo.neighbours && a->in_turn == b->in_turn &&
           a->by_shift == b->by_shift && a->is_call == b->is_call && a->in_a_row == b->in_a_row &&
           same_lines(&a->halo, &b->halo);
}

struct use use_in_run(const struct use *run, double number)
{
    struct use use = *run;
    use.bytes += number * run->bytes_step;
    use.further = use.bytes_step = 0.0;
    return use;
}

static bool add_times(struct use *known, const struct use *use)
{
    if (known->further > 0.0 || use->further > 0.0 || known->bytes != use->bytes)
        return false;
    known->times += use->times;
    return true;
}

static bool continue_run(struct use *known, const struct use *use)
{
    const double step = use->bytes - (known->bytes + known->further * known->bytes_step);
    if (use->further > 0.0 || known->times != use->times || step == 0.0 ||
        (known->further > 0.0 && step != known->bytes_step))
        return false;
    known->further++;
    known->bytes_step = step;
    return true;
}

/* One of the last few takes this use, too. */
static bool is_taken(const struct demand *demand, const struct use *use,
                     bool (*take)(struct use *known, const struct use *use))
{
    struct use *uses = demand->uses.items;
    const size_t count = demand->uses.count, few = count < 4 ? count : 4;
    for (size_t back = 1; back <= few; back++)
        if (alike(&uses[count - back], use) && take(&uses[count - back], use))
            return true;
    return false;
}

/* Uses that follow one another are often the same, or a little shorter each time. */
void demand_add_use(struct demand *demand, const struct use *use)
{
    if (is_taken(demand, use, add_times) || is_taken(demand, use, continue_run))
        return;
    *(struct use *)list_add(&use_record, &demand->uses) = *use;
}

void demand_add_copy(struct analysis *analysis, const struct demand *demand)
{
    struct demand *added = list_add(&demand_record, &analysis->demands);
    const struct use *uses = demand->uses.items;
    *added = *demand;
    added->uses = (struct list){0};
    for (size_t i = 0; i < demand->uses.count; i++)
        *(struct use *)list_add(&use_record, &added->uses) = uses[i];
}

static struct demand *demand_for(struct collector *to, const struct reads *reads,
                                 int grid_dimension)
{
    size_t *number = &to->demands[grid_dimension + 1];
    struct list *demands = &to->analysis->demands;
    char text[100];
    if (*number > 0)
        return (struct demand *)demands->items + *number - 1;
    struct demand *demand = demand_add(to->analysis, to->place);
    *number = demands->count;
    reads_print(reads, text, sizeof text);
    origins_list(to->program->origins, to->place, demand->at, sizeof demand->at);
    demand_list_reads(to->program, reads, demand->at, sizeof demand->at);
    if (grid_dimension < 0)
        snprintf(demand->cause, sizeof demand->cause, "%s%s", to->prefix, text);
    else
        snprintf(demand->cause, sizeof demand->cause, "%s%.80s along grid dimension %d", to->prefix,
                 text, grid_dimension);
    return demand;
}

static struct halo_exchange halo_of(const struct traffic *traffic, int exchange)
{
    const bool one_by_one = exchange == EXCHANGE_BY_DIMENSION || exchange == EXCHANGE_BY_SHIFT;
    return one_by_one && traffic->halo.directions > 0
               ? halo_exchange_alone(&traffic->halo, traffic->partners)
               : traffic->halo;
}

int collector_take(void *collector, const struct traffic *traffic, const struct reads *reads,
                   int grid_dimension, double times, struct error *error)
{
    struct collector *to = collector;
    const struct use use = {.class = traffic->class,
                            .times = times * traffic->partners * to->share,
                            .bytes = traffic->elements * reads->array->element_bytes,
                            .further = traffic->further,
                            .bytes_step = traffic->elements_step * reads->array->element_bytes,
                            .processors = traffic->group,
                            .processors_most = traffic->group_most,
                            .at_once = traffic->at_once,
                            .pieces = traffic->pieces,
                            .strided = to->strided,
                            .element_bytes = reads->array->element_bytes,
                            .halo = halo_of(traffic, to->exchange),
                            .in_turn = to->exchange == EXCHANGE_IN_TURN,
                            .by_shift = to->exchange == EXCHANGE_BY_SHIFT};
    (void)error;
    demand_add_use(demand_for(to, reads, grid_dimension), &use);
    to->moves = true;
    return 0;
}

bool collector_is_enough(void *collector, turns_moved *moved, const void *turns)
{
    const struct collector *to = collector;
    if (!to->cutoff)
        return false;
    struct error error;
    struct analysis under_way = {.repeat = to->analysis->repeat};
    struct collector so_far = *to;
    so_far.analysis = &under_way;
    memset(so_far.demands, 0, sizeof so_far.demands);
    const struct turn_taker taker = {.take = collector_take, .taker = &so_far};
    const bool is_reached = moved(turns, &taker, &error) == 0 &&
                            to->cutoff->is_reached(to->cutoff->asked, to->analysis, &under_way);
    demands_free(&under_way.demands);
    return is_reached;
}

void collector_say_enumerated(const struct collector *collector, bool enumerated)
{
    struct demand *demands = collector->analysis->demands.items;
    for (int g = 0; g <= DIMENSIONS_MOST && enumerated; g++)
        if (collector->demands[g] > 0)
            demands[collector->demands[g] - 1].enumerated = true;
}

void demands_free(struct list *demands)
{
    struct demand *items = demands->items;
    for (size_t i = 0; i < demands->count; i++)
        list_free(&use_record, &items[i].uses);
    list_free(&demand_record, demands);
}
