#include "model/machine/broadcast.h"

#include "model/machine/structure.h"

#include <math.h>

/* The pipelined algorithms send a message in parts of this size (Abandah, IBM SP2, sections 3.5 and
   3.7). */
static const double printed_part_bytes = 8192.0;

/* What a formula asks: the table, n and p; and what it was told on the way. */
struct question {
    const struct machine *machine;
    double bytes, processors;
    int root;
    enum broadcast_depth depth;
    unsigned *flags;
};

static double ask(const struct question *question, const char *utility, double bytes,
                  double participants)
{
    const struct cost *cost = machine_cost(question->machine, utility);
    struct cost_answer answer;
    if (!cost)
        return NAN;
    if (structure_answer(question->machine, cost, bytes, cost_formula_p(cost, participants),
                         &answer, NULL) != 0)
        return NAN;
    *question->flags |= answer.flags;
    return answer.time_us;
}

/* T_pp(n), so many times. */
static struct broadcast_part messages(double uses, double bytes)
{
    return (struct broadcast_part){&pattern_point_to_point, uses, bytes, 2.0};
}

/* T_1m(n, destinations), so many times. To nobody it takes no time: the formulas' -5.5 us at p = 2
   are an artefact of the fit. */
static struct broadcast_part sends(double uses, double bytes, double destinations)
{
    return (struct broadcast_part){&pattern_one_to_many, destinations < 1.0 ? 0.0 : uses, bytes,
                                   destinations + 1.0};
}

static double stages(const struct question *question)
{
    return ceil(log2(question->processors));
}

/* Abandah, IBM SP2, section 3.3. */
static size_t one_to_many(const struct question *question, struct broadcast_part *parts)
{
    parts[0] = sends(1.0, question->bytes, question->processors - 2.0);
    parts[1] = messages(1.0, question->bytes);
    return 2;
}

/* Abandah, IBM SP2, section 3.4. */
static size_t recursive_doubling(const struct question *question, struct broadcast_part *parts)
{
    parts[0] = messages(stages(question), question->bytes);
    return 1;
}

/* Abandah, IBM SP2, section 3.5. The formulas for parts mean nothing below one part, where the
   algorithms are those without parts (section 3.8). The number of parts is a fraction, as
   printed. */
static size_t parted_recursive_doubling(const struct question *question,
                                        struct broadcast_part *parts)
{
    if (question->bytes <= printed_part_bytes)
        return recursive_doubling(question, parts);
    parts[0] =
        messages(question->bytes / printed_part_bytes * stages(question), printed_part_bytes);
    return 1;
}

/* As printed: ceil(log2 p) levels of a first and a second send, although the tree has one less
   between powers of two, and between two processors no second send. */
static size_t tree(const struct question *question, double bytes, struct broadcast_part *parts)
{
    const bool is_real = question->depth == BROADCAST_DEPTH_FLOOR;
    const double levels = is_real ? floor(log2(question->processors)) : stages(question);
    parts[0] = sends(levels, bytes, is_real ? fmin(1.0, question->processors - 2.0) : 1.0);
    parts[1] = messages(levels, bytes);
    return 2;
}

/* Those to whom the root of a binary tree sends. */
static double tree_sends(const struct question *question)
{
    return fmin(2.0, question->processors - 1.0);
}

/* Abandah, IBM SP2, section 3.6. */
static size_t binary_tree(const struct question *question, struct broadcast_part *parts)
{
    return tree(question, question->bytes, parts);
}

/* Abandah, IBM SP2, section 3.7: its formula, not its text. */
static size_t parted_binary_tree(const struct question *question, struct broadcast_part *parts)
{
    if (question->bytes <= printed_part_bytes)
        return binary_tree(question, parts);
    const double destinations =
        question->depth == BROADCAST_DEPTH_FLOOR ? tree_sends(question) : 2.0;
    parts[0] = sends(question->bytes / printed_part_bytes - 1.0, printed_part_bytes, destinations);
    return 1 + tree(question, printed_part_bytes, parts + 1);
}

/* What the trainer measures as broadcast and as broadcast-bc is the same. Published broadcasts end
   when the sender is done, and say nothing of the others. */
static double library_us(const struct question *question)
{
    const struct cost *cost = machine_cost(question->machine, pattern_broadcast.name);
    if (!cost || cost->measures != MEASURES_COMPLETION)
        return NAN;
    return ask(question, pattern_broadcast.name, question->bytes, question->processors);
}

/* A library's own broadcast is what its table says: t_bc of Abandah, IBM SP2, section 3.2 stands in
   sp2-mpl. It is not among the algorithms to choose from, which are for those who have no library's
   (Abandah, IBM SP2, section 3.9). In the order of enum broadcast_algorithm. */
static const struct {
    const struct pattern *pattern;
    size_t (*parts)(const struct question *question, struct broadcast_part *parts);
    bool to_choose, in_parts;
} algorithms[BROADCAST_COUNT] = {
    {&pattern_broadcast_1m,  one_to_many,               true,  false},
    {&pattern_broadcast_rd,  recursive_doubling,        true,  false},
    {&pattern_broadcast_prd, parted_recursive_doubling, false, true },
    {&pattern_broadcast_bt,  binary_tree,               false, false},
    {&pattern_broadcast_pbt, parted_binary_tree,        true,  true },
    {&pattern_broadcast_bc,  NULL,                      false, false},
};

const char *broadcast_name(size_t algorithm)
{
    return algorithms[algorithm].pattern->name;
}

size_t broadcast_parts(const struct pattern *pattern, double bytes, double processors,
                       struct broadcast_part parts[BROADCAST_PARTS_MOST])
{
    const struct question question = {
        .bytes = bytes, .processors = processors, .depth = BROADCAST_DEPTH_PRINTED};
    for (size_t i = 0; i < BROADCAST_COUNT; i++)
        if (algorithms[i].parts && algorithms[i].pattern == pattern)
            return algorithms[i].parts(&question, parts);
    return 0;
}

static double formula_us(const struct question *question, size_t algorithm)
{
    struct broadcast_part parts[BROADCAST_PARTS_MOST];
    double sum_us = 0.0;
    if (!algorithms[algorithm].parts)
        return library_us(question);
    const size_t count = algorithms[algorithm].parts(question, parts);
    for (size_t i = 0; i < count; i++)
        if (parts[i].uses > 0.0)
            sum_us += parts[i].uses *
                      ask(question, parts[i].pattern->name, parts[i].bytes, parts[i].participants);
    return sum_us;
}

/* How many processors share the node of the root, itself included, where nodes of `node` stand in a
   row; the last one may be smaller. */
static double beside_root(const struct question *question, double node)
{
    const double first = node * floor(question->root / node);
    return fmin(node, question->processors - first);
}

/* The bytes of a far message, as the messages of recursive doubling tell. */
static double far_bytes_us(const struct question *question)
{
    const struct cost *cost = machine_cost(question->machine, broadcast_name(BROADCAST_RD));
    if (!cost || cost->hops_far.count == 0)
        return NAN;
    const struct region *region = cost->hops_far.items;
    while (question->bytes > region->bytes_upto)
        region++;
    return form_value(&region->per_byte_us, 2.0) * question->bytes;
}

/* 1m from the first of so many processors, which may be more than were ever measured: each further
   one waits for the bytes of another far message. */
static double one_to_many_beyond_us(const struct question *question, const struct cost *cost,
                                    double processors)
{
    const double more = processors - cost->processors.most, bytes_us = far_bytes_us(question);
    if (!(more > 0.0) || isnan(bytes_us))
        return ask(question, cost->utility, question->bytes, processors);
    return ask(question, cost->utility, question->bytes, cost->processors.most) + more * bytes_us;
}

/* 1m from a root whose node is smaller than the first one: as many far messages as from the first
   processor among so many more, less what the near messages that are missing took. While the first
   far message is under way, near ones cost nothing. NAN: the node is as large as the first. */
static double one_to_many_from_root_us(const struct question *question, const struct cost *cost)
{
    const char *const name = cost->utility;
    const double node = cost_processors(cost, cost->processors_near);
    if (!(cost->processors_near > 0.0 && question->processors > node))
        return NAN;
    const double beside = beside_root(question, node);
    if (beside == node)
        return NAN;
    const double first_far_us = ask(question, name, 0.0, node + 1.0);
    const double fewer_us = beside > 1.0 ? ask(question, name, question->bytes, beside) : 0.0;
    const double saved_us =
        ask(question, name, question->bytes, node) - fmax(fewer_us, first_far_us);
    return one_to_many_beyond_us(question, cost, question->processors - beside + node) -
           fmax(0.0, saved_us);
}

/* From another root than the first; NAN: the table does not tell it apart. Between two there is but
   one way. */
static double from_root_us(const struct question *question, size_t algorithm)
{
    const struct cost *cost = machine_cost(question->machine, broadcast_name(algorithm));
    if (question->root == 0 || question->processors <= 2.0 || !cost)
        return NAN;
    const double time_us =
        cost_hops_time_us(cost, question->bytes, question->processors, question->root);
    if (!isnan(time_us))
        return time_us;
    if (algorithm == BROADCAST_1M)
        return one_to_many_from_root_us(question, cost);
    return algorithm == BROADCAST_BC ? ask(question, pattern_broadcast_bc_other.name,
                                           question->bytes, question->processors)
                                     : NAN;
}

static double time_us(const struct question *question, size_t algorithm)
{
    if (question->processors <= 1.0)
        return 0.0;
    const double special_us = from_root_us(question, algorithm);
    if (!isnan(special_us))
        return special_us;
    if (machine_cost(question->machine, broadcast_name(algorithm)))
        return ask(question, broadcast_name(algorithm), question->bytes, question->processors);
    return formula_us(question, algorithm);
}

bool broadcast_depends_on_root(const struct machine *machine)
{
    if (machine_cost(machine, pattern_broadcast_bc_other.name))
        return true;
    for (size_t i = 0; i < BROADCAST_COUNT; i++) {
        const struct cost *cost = machine_cost(machine, broadcast_name(i));
        if (cost &&
            (cost->hops_far.count > 0 || (i == BROADCAST_1M && cost->processors_near > 0.0)))
            return true;
    }
    return false;
}

static size_t fastest_to_choose(const struct broadcast_times *times)
{
    size_t best = BROADCAST_COUNT;
    for (size_t i = 0; i < BROADCAST_COUNT; i++)
        if (algorithms[i].to_choose && !isnan(times->time_us[i]) &&
            (best == BROADCAST_COUNT || times->time_us[i] < times->time_us[best]))
            best = i;
    return best;
}

static size_t fastest_of_all(const struct broadcast_times *times)
{
    size_t fastest = times->time_us[BROADCAST_BC] > 0.0 ? BROADCAST_BC : BROADCAST_COUNT;
    for (size_t i = 0; i < BROADCAST_COUNT; i++)
        if (times->time_us[i] > 0.0 &&
            (fastest == BROADCAST_COUNT || times->time_us[i] < times->time_us[fastest]))
            fastest = i;
    return fastest;
}

static struct broadcast_times answer(const struct machine *machine, double bytes, double processors,
                                     int root, enum broadcast_depth depth)
{
    struct broadcast_times times = {.flags = 0};
    const struct question question = {machine, bytes, processors, root, depth, &times.flags};
    for (size_t i = 0; i < BROADCAST_COUNT; i++)
        times.time_us[i] = time_us(&question, i);
    times.best = fastest_to_choose(&times);
    times.fastest = fastest_of_all(&times);
    return times;
}

struct broadcast_times broadcast_times(const struct machine *machine, double bytes,
                                       double processors)
{
    return broadcast_times_from(machine, bytes, processors, 0);
}

struct broadcast_times broadcast_times_from(const struct machine *machine, double bytes,
                                            double processors, int root)
{
    return answer(machine, bytes, processors, root, BROADCAST_DEPTH_PRINTED);
}

struct broadcast_times broadcast_times_of_depth(const struct machine *machine, double bytes,
                                                double processors, enum broadcast_depth depth)
{
    return answer(machine, bytes, processors, 0, depth);
}

double broadcast_bt_sender_us(const struct machine *machine, double bytes, double processors,
                              unsigned *flags)
{
    const char *measured = pattern_broadcast_bt_sender.name;
    unsigned seen = 0;
    const struct question question = {machine, bytes, processors, 0, BROADCAST_DEPTH_PRINTED,
                                      &seen};
    if (processors <= 1.0)
        return 0.0;
    const double time_us =
        machine_cost(machine, measured)
            ? ask(&question, measured, bytes, processors)
            : ask(&question, pattern_one_to_many.name, bytes, tree_sends(&question) + 1.0);
    *flags |= seen;
    return time_us;
}

double broadcast_part_bytes(const struct machine *machine, size_t algorithm)
{
    const struct cost *cost = machine_cost(machine, broadcast_name(algorithm));
    if (!algorithms[algorithm].in_parts)
        return INFINITY;
    return cost && !isnan(cost->part_bytes) ? cost->part_bytes : printed_part_bytes;
}
