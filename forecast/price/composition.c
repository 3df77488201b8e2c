#include "forecast/price/composition.h"

#include "forecast/price/distance.h"
#include "model/cost/pattern.h"
#include "model/machine/broadcast.h"
#include "model/machine/structure.h"

#include <stdio.h>
#include <string.h>

/* Neither done nor failed: the table does not have what it takes. */
enum { NOT_THERE = 1 };

/* What is wanted on the way; nothing is composed of itself. */
struct wish {
    const struct machine *machine;
    const char *utility;
    double bytes, participants, at_once;
    const struct wish *above;
};

static bool is_wanted_above(const struct wish *wish)
{
    for (const struct wish *above = wish->above; above; above = above->above)
        if (strcmp(above->utility, wish->utility) == 0)
            return true;
    return false;
}

/* A charge under way. */
struct composing {
    struct charge charge;
    char names[CHARGE_NAME]; /* of the ingredients */
    bool is_deep;            /* one of them is composed: the utilities do not tell */
};

static int charge_wish(struct charge *charge, const struct wish *wish, struct error *error);

/* Adds so many uses of an ingredient. */
static int add_wish(struct composing *it, const struct wish *wish, double uses, const char *pattern,
                    struct error *error)
{
    const struct cost *cost = machine_cost(wish->machine, wish->utility);
    struct charge composed;
    if (cost) {
        charge_append_name(it->names, cost->utility);
        return charge_add(&it->charge, wish->machine, cost,
                          &(struct charged){uses, wish->bytes, wish->participants, wish->at_once,
                                            pattern, 0.0, NULL},
                          error);
    }
    const int status = charge_wish(&composed, wish, error);
    if (status != 0)
        return status;
    it->is_deep = true;
    charge_append_name(it->names, composed.as[0] ? composed.as : wish->utility);
    return charge_add_all(&it->charge, &composed, uses, error);
}

static void finish(const struct composing *it, struct charge *charge)
{
    *charge = it->charge;
    if (it->is_deep)
        memcpy(charge->as, it->names, sizeof charge->as);
}

/* What is not there matters more than what has no answer. */
static void note(int *status, int next)
{
    if (*status == 0 || next == NOT_THERE)
        *status = next;
}

/* A broadcast of messages by the formula of its algorithm. */
static int charge_algorithm(struct charge *charge, const struct wish *wish, struct error *error)
{
    struct broadcast_part parts[BROADCAST_PARTS_MOST];
    struct composing it = {.charge = {.instead_of = wish->utility}};
    const size_t count =
        broadcast_parts(pattern_named(wish->utility), wish->bytes, wish->participants, parts);
    int status = count > 0 ? 0 : NOT_THERE;
    for (size_t i = 0; i < count; i++) {
        const struct wish part = {wish->machine,         parts[i].pattern->name, parts[i].bytes,
                                  parts[i].participants, wish->at_once,          wish};
        if (parts[i].uses > 0.0 || i + 1 == count)
            note(&status, add_wish(&it, &part, parts[i].uses, wish->utility, error));
    }
    *charge = it.charge;
    return status;
}

static bool is_of_one_side(const struct wish *wish, const char *utility)
{
    const struct cost *cost = machine_cost(wish->machine, utility);
    return cost && (cost->measures == MEASURES_SENDER || cost->measures == MEASURES_RECEIVER);
}

/* The same between processors of different nodes; NULL: the table does not have it. */
static const struct pattern *far_of(const struct machine *machine, const struct pattern *near)
{
    for (size_t i = 0; i < patterns_count; i++)
        if (patterns[i]->near == near && machine_cost(machine, patterns[i]->name))
            return patterns[i];
    return NULL;
}

/* Of the messages between one processor and each other one, those that leave its node. */
static double leaving_uses(const struct machine *machine, const struct pattern *near,
                           const struct pattern *far, const struct wish *wish)
{
    const struct cost *halo = machine_cost(machine, pattern_halo_1.name);
    const struct cost *cost = machine_cost(machine, near->name);
    struct cost_answer nearby, away;
    if (!far || !cost || !halo || !(halo->processors_near > 0.0) ||
        wish->participants <= halo->processors_near ||
        structure_answer(machine, cost, wish->bytes, 2.0, &nearby, NULL) != 0 ||
        structure_answer(machine, machine_cost(machine, far->name), wish->bytes, 2.0, &away,
                         NULL) != 0 ||
        !distance_leaves(machine, wish->participants, wish->bytes, away.time_us - nearby.time_us))
        return 0.0;
    return wish->participants - halo->processors_near;
}

/* A message to each other processor: those to other nodes take what messages that far do. */
static int add_each(struct composing *it, const struct pattern *pattern, const struct wish *part,
                    struct error *error)
{
    const struct pattern *far = far_of(part->machine, pattern);
    const double others = part->participants - 1.0;
    const double leave = leaving_uses(part->machine, pattern, far, part);
    struct wish away = *part;
    const int status = add_wish(it, part, others - leave, NULL, error);
    if (status != 0)
        return status;
    if (!(leave > 0.0))
        return 0;
    away.utility = far->name;
    return add_wish(it, &away, leave, NULL, error);
}

static int compose(struct charge *charge, const struct composition *from, const struct wish *wish,
                   struct error *error)
{
    struct composing it = {.charge = {.instead_of = wish->utility}};
    int status = 0;
    it.charge.too_low =
        from->too_low == TOO_LOW_ALWAYS ||
        (from->too_low == TOO_LOW_OF_ONE_SIDE && is_of_one_side(wish, from->parts->pattern->name));
    for (size_t k = 0; k < INGREDIENTS_MOST && from->parts[k].pattern; k++) {
        const struct ingredient *part = &from->parts[k];
        const double bytes =
            part->bytes == BYTES_OF_ALL ? wish->bytes * wish->participants : wish->bytes;
        const struct wish each = {wish->machine,      part->pattern->name, bytes,
                                  wish->participants, wish->at_once,       wish};
        note(&status, part->uses == USES_FOR_EACH_OTHER
                          ? add_each(&it, part->pattern, &each, error)
                          : add_wish(&it, &each, (double)part->uses, NULL, error));
    }
    finish(&it, charge);
    return status;
}

/* ---- the cheapest ---- */

/* Of the compositions so far. */
struct tried {
    struct charge *best;
    bool found;
    char reasons[400]; /* of those that have no answer */
    size_t untold;     /* how many have no room there */
};

static void add_reason(struct tried *tried, const struct composition *from,
                       const struct error *error)
{
    static const char tail[] = "; ... and 99 more";
    char *reasons = tried->reasons;
    const struct ingredient *parts = from->parts;
    const size_t used = strlen(reasons), room = sizeof tried->reasons - sizeof tail - used;
    const int length = snprintf(reasons + used, room, "%s%s%s%s: %s", used ? "; " : "",
                                parts[0].pattern->name, parts[1].pattern ? " + " : "",
                                parts[1].pattern ? parts[1].pattern->name : "", error->text);
    if ((size_t)length < room)
        return;
    if (used == 0) {
        memcpy(reasons + room - sizeof "...", "...", sizeof "...");
        return;
    }
    reasons[used] = '\0';
    tried->untold++;
}

static int all_fail(const struct tried *tried, struct error *error)
{
    return tried->untold > 0
               ? error_set(error, "%s; ... and %zu more", tried->reasons, tried->untold)
               : error_set(error, "%s", tried->reasons);
}

static void take(struct tried *tried, const struct charge *charge)
{
    const struct charge *best = tried->best;
    if (!tried->found ||
        (charge->too_low == best->too_low ? charge->time_us < best->time_us : best->too_low))
        *tried->best = *charge;
    tried->found = true;
}

static int charge_wish(struct charge *charge, const struct wish *wish, struct error *error)
{
    struct tried tried = {.best = charge};
    struct charge each;
    struct error why;
    if (is_wanted_above(wish))
        return NOT_THERE;
    int status = charge_algorithm(&each, wish, &why);
    if (status == 0)
        take(&tried, &each);
    else if (status < 0)
        return error_set(error, "%s", why.text);
    const struct composition *from = pattern_named(wish->utility)->compositions;
    for (; from && from->parts->pattern; from++) {
        status = compose(&each, from, wish, &why);
        if (status == 0)
            take(&tried, &each);
        else if (status < 0)
            add_reason(&tried, from, &why);
    }
    if (tried.found)
        return 0;
    return tried.reasons[0] ? all_fail(&tried, error) : NOT_THERE;
}

int composition_charge(struct charge *charge, const struct machine *machine, const char *wanted,
                       const struct charged *charged, struct error *error)
{
    const struct wish wish = {machine,          wanted, charged->bytes, charged->participants,
                              charged->at_once, NULL};
    struct error why;
    const struct cost *cost;
    const int status = charge_wish(charge, &wish, &why);
    if (status == NOT_THERE)
        return machine_require(machine, wanted, &cost, error);
    return status == 0 ? 0
                       : error_at(error, place_at(machine->path, 0, 0),
                                  "no utility '%.60s', and what it could be composed of has no "
                                  "answer: %s",
                                  wanted, why.text);
}
