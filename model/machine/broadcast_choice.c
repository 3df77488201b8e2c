#include "model/machine/broadcast_choice.h"

#include "model/base/allocation.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Lengths at which the answer is asked. */
struct lengths {
    size_t count;
    int *items;
};

static void add_length(struct lengths *lengths, double bytes)
{
    if (!(bytes >= 0.0 && bytes <= INT_MAX))
        return;
    lengths->items = memory_grow(lengths->items, lengths->count + 1, sizeof *lengths->items);
    lengths->items[lengths->count++] = (int)bytes;
}

/* A time may jump between an edge and the next byte. */
static void add_edges(struct lengths *lengths, const struct list *regions)
{
    const struct region *region = regions->items;
    for (size_t i = 0; i < regions->count; i++) {
        add_length(lengths, floor(region[i].bytes_upto));
        add_length(lengths, floor(region[i].bytes_upto) + 1.0);
    }
}

static void add_all_edges(struct lengths *lengths, const struct machine *machine)
{
    const struct cost *costs = machine->communication.items;
    for (size_t i = 0; i < machine->communication.count; i++) {
        const struct at_processors *at = costs[i].by_processors.items;
        add_edges(lengths, &costs[i].regions);
        for (size_t k = 0; k < costs[i].by_processors.count; k++)
            add_edges(lengths, &at[k].regions);
    }
}

static void add_parts(struct lengths *lengths, const struct machine *machine)
{
    for (size_t i = 0; i < BROADCAST_COUNT; i++) {
        add_length(lengths, broadcast_part_bytes(machine, i));
        add_length(lengths, broadcast_part_bytes(machine, i) + 1.0);
    }
}

/* Between edges the times are smooth. */
static void add_grid(struct lengths *lengths)
{
    add_length(lengths, 0.0);
    for (double power = 1.0; power <= INT_MAX; power *= 2.0)
        for (double bytes = power; bytes < 2.0 * power; bytes += fmax(1.0, power / 8.0))
            add_length(lengths, bytes);
    add_length(lengths, INT_MAX);
}

static int ascending(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* The last length at which the answer is still that for `from`, where it is another one at `to`. */
static int last_before_change(broadcast_chooser *choose, const void *state, int from, int to)
{
    const int answer = choose(state, from);
    while (to - from > 1) {
        const int middle = from + (to - from) / 2;
        if (choose(state, middle) == answer)
            from = middle;
        else
            to = middle;
    }
    return from;
}

static void add_choice(struct broadcast_choices *choices, const struct machine *machine,
                       int bytes_upto, int algorithm)
{
    const double part_bytes = broadcast_part_bytes(machine, (size_t)algorithm);
    choices->items = memory_grow(choices->items, choices->count + 1, sizeof *choices->items);
    choices->items[choices->count++] = (struct broadcast_choice){
        .bytes_upto = bytes_upto,
        .algorithm = algorithm,
        .part_bytes = part_bytes < INT_MAX ? (int)fmax(part_bytes, 1.0) : INT_MAX,
    };
}

struct broadcast_choices broadcast_choices_by(const struct machine *machine,
                                              broadcast_chooser *choose, const void *state)
{
    struct broadcast_choices choices = {0, NULL};
    struct lengths lengths = {0, NULL};
    add_all_edges(&lengths, machine);
    add_parts(&lengths, machine);
    add_grid(&lengths);
    qsort(lengths.items, lengths.count, sizeof *lengths.items, ascending);
    int now = choose(state, 0);
    for (size_t i = 1; i < lengths.count; i++) {
        const int next = choose(state, lengths.items[i]);
        if (next != now)
            add_choice(&choices, machine,
                       last_before_change(choose, state, lengths.items[i - 1], lengths.items[i]),
                       now);
        now = next;
    }
    add_choice(&choices, machine, INT_MAX, now);
    free(lengths.items);
    return choices;
}

struct question {
    const struct machine *machine;
    double processors;
    int root;
};

static int fastest(const void *state, int bytes)
{
    const struct question *question = state;
    const size_t algorithm =
        broadcast_times_from(question->machine, bytes, question->processors, question->root)
            .fastest;
    return algorithm == BROADCAST_COUNT ? BROADCAST_BC : (int)algorithm;
}

struct broadcast_choices broadcast_choices(const struct machine *machine, double processors)
{
    return broadcast_choices_from(machine, processors, 0);
}

struct broadcast_choices broadcast_choices_from(const struct machine *machine, double processors,
                                                int root)
{
    const struct question question = {machine, processors, root};
    return broadcast_choices_by(machine, fastest, &question);
}

const struct broadcast_choice *broadcast_choice_at(const struct broadcast_choices *choices,
                                                   int bytes)
{
    size_t low = 0, high = choices->count - 1;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (bytes <= choices->items[middle].bytes_upto)
            high = middle;
        else
            low = middle + 1;
    }
    return &choices->items[low];
}
