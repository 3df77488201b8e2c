#include "model/segment/traffic/halo.h"

#include "model/segment/loops/dependence.h"
#include "model/segment/traffic/shift.h"

#include <math.h>

/* The work of every one of these is derived: nobody has halos as wide, and a misprint ends. */
static const double sweeps_most = 1000.0;

/* What is looked at to find how far the reads go. */
struct finding {
    struct halo *halo;
    const struct list *instances;
    const struct layout *layout;
    struct turn turn;
    bool spares; /* so far */
    struct error *error;
};

static bool reduces(const struct instance *instance)
{
    return instance->statement && instance->statement->reduce != REDUCE_NONE;
}

bool halo_covers(const struct halo *halo, const struct message *message)
{
    return halo->sweeps > 1.0 && message->lies->has_halo && !reduces(message->reader);
}

/* ---- how far the reads go ---- */

static const struct program *program_of(const struct message *message)
{
    return message->reader->nest.program;
}

static bool find_home(struct home *home, const struct finding *it, const struct message *message)
{
    return message->home && home_of(home, message->home, it->layout, program_of(message),
                                    it->turn.fixed, it->turn.at);
}

static int narrower(const struct finding *it, const struct message *message, size_t k, double reach,
                    double width)
{
    const struct formula *text = message->reads.references[k]->text;
    return error_at(it->error, program_place(program_of(message), text->place),
                    "'%.60s' reaches %g beyond what a processor owns: the halo of %s has %g",
                    text->text, reach, message->reads.array->name, width);
}

/* Along one dimension of the array, along grid dimension g. */
static int look_along(struct finding *it, const struct message *message, int d,
                      const struct home *home)
{
    const int g = message->lies->along[d].grid_dimension;
    const double width = message->lies->halo[d];
    double offset, reach = 0.0;
    size_t farthest = 0;
    const bool strides =
        home->axes[g].kind == AXIS_LOOP && fabs(home->axes[g].subscript.coefficient) != 1.0;
    for (size_t k = 0; k < message->reads.count; k++) {
        if (strides || !shift_offset(message->reads.references[k], d, &home->axes[g], message->lies,
                                     &it->turn, &offset)) {
            it->spares = false;
            return 0;
        }
        farthest = fabs(offset) > reach ? k : farthest;
        reach = fmax(reach, fabs(offset));
    }
    if (reach > width)
        return narrower(it, message, farthest, reach, width);
    if (reach > 0.0)
        it->halo->sweeps = fmin(it->halo->sweeps, floor(width / reach));
    it->halo->reach[g] = fmax(it->halo->reach[g], reach);
    return 0;
}

static bool is_written_before(const struct finding *it, const struct message *message)
{
    const struct instance *all = it->instances->items;
    for (const struct instance *writer = all; writer < message->reader; writer++)
        for (size_t k = 0; k < message->reads.count && writer->has_writes; k++)
            if (writer->writes.array == message->reads.array &&
                dependence_within(writer, message->reader, message->reads.references[k]))
                return true;
    return false;
}

static bool is_triangular(const struct nest *nest)
{
    for (int l = 0; l < nest->depth; l++)
        if (nest_is_triangular(nest, l, NULL))
            return true;
    return false;
}

static int look_at_halo(struct finding *it, const struct message *message)
{
    struct home home;
    it->spares &= message->depth == 0 && message->reader->probability == 1.0 &&
                  find_home(&home, it, message) && !is_triangular(&message->reader->nest) &&
                  !is_written_before(it, message);
    for (int d = 0; d < message->lies->dimensions && it->spares; d++)
        if (message->lies->along[d].grid_dimension >= 0 && look_along(it, message, d, &home) != 0)
            return -1;
    return 0;
}

/* Whether each of the reads alone needs nothing of others: then it is computed, or never changes,
   beyond what a processor owns as well. */
static bool is_local(const struct finding *it, const struct message *message)
{
    struct message one = *message;
    one.reads.count = 1;
    for (size_t k = 0; k < message->reads.count; k++) {
        one.reads.references[0] = message->reads.references[k];
        if (!message_is_local(&one, it->layout, program_of(message)))
            return false;
    }
    return true;
}

static int look_at_messages(struct finding *it, const struct list *messages)
{
    const struct message *all = messages->items;
    for (size_t i = 0; i < messages->count && it->spares; i++) {
        if (reduces(all[i].reader))
            continue;
        if (!all[i].lies->has_halo)
            it->spares &= is_local(it, &all[i]);
        else if (look_at_halo(it, &all[i]) != 0)
            return -1;
    }
    return 0;
}

/* ---- where it runs ---- */

static bool runs_on_blocks(const struct finding *it, const struct instance *instance)
{
    struct home home;
    if (!home_of(&home, instance->has_home ? &instance->home : NULL, it->layout,
                 instance->nest.program, it->turn.fixed, it->turn.at))
        return false;
    for (int g = 0; g < home.grid_dimensions; g++) {
        const struct home_axis *axis = &home.axes[g];
        if (it->halo->reach[g] > 0.0 && axis->kind == AXIS_LOOP &&
            (!distribution_is_contiguous(&axis->along) || fabs(axis->subscript.coefficient) != 1.0))
            return false;
    }
    return true;
}

static void look_at_homes(struct finding *it)
{
    const struct instance *all = it->instances->items;
    for (size_t i = 0; i < it->instances->count && it->spares; i++)
        if (all[i].statement && !reduces(&all[i]))
            it->spares &= runs_on_blocks(it, &all[i]);
}

int halo_find(struct halo *halo, const struct list *instances, const struct list *messages,
              const struct layout *layout, double repeat, struct error *error)
{
    struct finding it = {.halo = halo,
                         .instances = instances,
                         .layout = layout,
                         .spares = repeat > 1.0 && repeat == floor(repeat),
                         .error = error};
    *halo = (struct halo){.repeat = repeat, .sweeps = INFINITY};
    if (look_at_messages(&it, messages) != 0)
        return -1;
    look_at_homes(&it);
    /* Nothing is read of others: there is nothing to spare. */
    halo->sweeps =
        it.spares && isfinite(halo->sweeps) ? fmin(fmin(halo->sweeps, sweeps_most), repeat) : 1.0;
    return 0;
}

/* ---- what it makes of a segment ---- */

size_t halo_rounds(const struct halo *halo, struct halo_round rounds[2])
{
    const double whole = floor(halo->repeat / halo->sweeps);
    const double rest = halo->repeat - whole * halo->sweeps;
    rounds[0] = (struct halo_round){halo->sweeps, whole / halo->repeat};
    rounds[1] = (struct halo_round){rest, 1.0 / halo->repeat};
    return rest > 0.0 ? 2 : 1;
}

struct layout halo_layout(const struct halo *halo, const struct layout *layout, double follow)
{
    struct layout wide = *layout;
    for (int g = 0; g < layout->grid_dimensions; g++)
        wide.beyond[g] = follow * halo->reach[g];
    return wide;
}

/* The first repetition after an exchange computes the most, the last before the next one nothing
   beyond what processors own. */
static int add_round(struct shares *sum, const struct halo *halo, const struct halo_round *round,
                     const struct instance *instance, const struct layout *layout,
                     const struct waits *waits, struct error *error)
{
    for (double follow = 0.0; follow < round->sweeps; follow += 1.0) {
        const struct layout wide = halo_layout(halo, layout, follow);
        struct shares shares;
        if (work_shares(&shares, instance, &wide, waits, error) != 0)
            return -1;
        sum->most += round->share * shares.most;
        sum->total += round->share * shares.total;
    }
    return 0;
}

int halo_shares(struct shares *shares, const struct halo *halo, const struct instance *instance,
                const struct layout *layout, const struct waits *waits, struct error *error)
{
    struct halo_round rounds[2];
    const size_t count = halo->sweeps > 1.0 && !reduces(instance) ? halo_rounds(halo, rounds) : 0;
    if (count == 0)
        return work_shares(shares, instance, layout, waits, error);
    *shares = (struct shares){0};
    for (size_t i = 0; i < count; i++)
        if (add_round(shares, halo, &rounds[i], instance, layout, waits, error) != 0)
            return -1;
    return 0;
}
