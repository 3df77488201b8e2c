/* mpich: rules for MPI_Bcast in the grammar of MPICH's tuning files (JSON; 4.0's src/mpi/coll/src/
   csel.c). MPICH reads such a file in place of all its rules, so that its own ones (--base) are
   copied, with those of MPI_Bcast within a communicator replaced. */
#include "estimator/export/export.h"
#include "estimator/export/mpich_own.h"
#include "model/base/allocation.h"
#include "model/machine/broadcast_choice.h"
#include "model/records/yaml_in.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The measured broadcasts that MPICH 4.0 has as well. Its own choice is replaced where they are
   faster beyond the errors of both. */
static const struct {
    size_t broadcast;
    const char *algorithm;
} equivalents[] = {
    {BROADCAST_RD, "MPIR_Bcast_intra_binomial"},
};

/* What is less than that faster is not. */
static const double worth = 0.99;

enum { EQUIVALENTS = sizeof equivalents / sizeof *equivalents, PROCESSORS_MOST = 4096 };

/* NULL: MPICH has none. */
static const char *algorithm_of(size_t broadcast)
{
    for (size_t i = 0; i < EQUIVALENTS; i++)
        if (equivalents[i].broadcast == broadcast)
            return equivalents[i].algorithm;
    return NULL;
}

/* ---- which is the fastest ---- */

struct candidates {
    const struct machine *machine;
    struct yaml_node own; /* MPICH's rules within a communicator */
    double processors;    /* those asked about at present */
};

static const struct cost *cost_of(const struct candidates *candidates, size_t broadcast)
{
    return machine_cost(candidates->machine, broadcast_name(broadcast));
}

static int check_measured(const struct exporter *exporter, size_t broadcast, struct error *error)
{
    char what[40];
    snprintf(what, sizeof what, "%s is", broadcast_name(broadcast));
    return machine_cost(exporter->machine, broadcast_name(broadcast))
               ? 0
               : export_missing(exporter, what, "mpich", error);
}

static int check_all_measured(const struct exporter *exporter, struct error *error)
{
    int status = check_measured(exporter, BROADCAST_BC, error);
    for (size_t i = 0; i < EQUIVALENTS && status == 0; i++)
        status = check_measured(exporter, equivalents[i].broadcast, error);
    return status;
}

/* How many the utility counts besides the participants: none, or all but one. */
static double not_counted(const struct cost *cost)
{
    return cost->processors_mean == MEAN_PARTICIPANTS ? 0.0 : 1.0;
}

static bool answer_for(const struct candidates *candidates, size_t broadcast, double bytes,
                       struct cost_answer *answer)
{
    const struct cost *cost = cost_of(candidates, broadcast);
    return (isnan(cost->bytes.most) || bytes <= cost->bytes.most) &&
           cost_answer(cost, bytes, candidates->processors - not_counted(cost), answer, NULL) == 0;
}

/* A broadcast_chooser. Nothing is sent for no bytes, which go with the shortest message; and where
   MPICH's own choice is the same algorithm there is nothing to change. */
static int choose(const void *state, int bytes)
{
    const double sent_bytes = bytes > 0 ? bytes : 1.0;
    const struct candidates *candidates = state;
    struct cost_answer own, answer;
    size_t best = BROADCAST_BC;
    double least_us = INFINITY;
    if (!answer_for(candidates, BROADCAST_BC, sent_bytes, &own))
        return (int)best;
    for (size_t i = 0; i < EQUIVALENTS; i++)
        if (answer_for(candidates, equivalents[i].broadcast, sent_bytes, &answer) &&
            answer.high_us < worth * own.low_us && answer.time_us < least_us &&
            !mpich_own_is(candidates->own, sent_bytes, candidates->processors,
                          equivalents[i].algorithm)) {
            best = equivalents[i].broadcast;
            least_us = answer.time_us;
        }
    return (int)best;
}

static bool same_choices(const struct broadcast_choices *a, const struct broadcast_choices *b)
{
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++)
        same = a->items[i].bytes_upto == b->items[i].bytes_upto &&
               a->items[i].algorithm == b->items[i].algorithm;
    return same;
}

/* ---- for which communicators ---- */

static void narrow(struct span *span, const struct cost *cost)
{
    const double others = not_counted(cost);
    span->least = fmax(span->least, cost->processors.least + others);
    span->most = fmin(span->most, fmax(cost->processors.most, 1.0) + others);
}

/* Where all of them were measured. */
static struct span trained(const struct candidates *candidates)
{
    struct span span = {2.0, PROCESSORS_MOST};
    narrow(&span, cost_of(candidates, BROADCAST_BC));
    for (size_t i = 0; i < EQUIVALENTS; i++)
        narrow(&span, cost_of(candidates, equivalents[i].broadcast));
    return span;
}

static bool is_asked(const struct number_list *asked, double processors)
{
    for (size_t i = 0; i < asked->count; i++)
        if (asked->values[i] == processors)
            return true;
    return asked->count == 0;
}

/* MPICH's own for all messages. */
static int keep_own(const void *state, int bytes)
{
    (void)state;
    (void)bytes;
    return BROADCAST_BC;
}

/* Release items with free(). */
static struct broadcast_choices choices_for(const struct exporter *exporter,
                                            struct candidates *candidates, double processors)
{
    const struct span span = trained(candidates);
    const bool is_told = processors >= span.least && processors <= span.most &&
                         is_asked(exporter->processors, processors);
    candidates->processors = processors;
    return broadcast_choices_by(candidates->machine, is_told ? choose : keep_own, candidates);
}

/* ---- JSON ---- */

struct json {
    FILE *out;
    int depth;
    bool is_first; /* in the present object */
};

static void json_key(struct json *json, const char *key)
{
    fprintf(json->out, "%s\n%*s\"", json->is_first ? "" : ",", 2 * json->depth, "");
    for (; *key; key++)
        fprintf(json->out, *key == '"' || *key == '\\' ? "\\%c" : "%c", *key);
    fputs("\": ", json->out);
    json->is_first = false;
}

static void json_begin(struct json *json)
{
    putc('{', json->out);
    json->depth++;
    json->is_first = true;
}

static void json_end(struct json *json)
{
    json->depth--;
    if (!json->is_first)
        fprintf(json->out, "\n%*s", 2 * json->depth, "");
    putc('}', json->out);
    json->is_first = false;
}

/* ---- the rules ---- */

/* What is being written: MPICH's own rules, and ours. */
struct rewriting {
    const struct exporter *exporter;
    struct candidates candidates;
    struct json json;
    bool replaced; /* a rule of ours was written */
};

static int copy(struct json *json, struct yaml_node map, struct error *error)
{
    json_begin(json);
    for (size_t i = 0; i < yaml_count(map); i++) {
        json_key(json, yaml_text(yaml_key(map, i)));
        if (yaml_expect(yaml_value(map, i), YAML_MAP, error) != 0 ||
            copy(json, yaml_value(map, i), error) != 0)
            return -1;
    }
    json_end(json);
    return 0;
}

static int put_choice(struct rewriting *rewriting, size_t broadcast, struct error *error)
{
    const char *algorithm = algorithm_of(broadcast);
    char key[80];
    if (!algorithm)
        return copy(&rewriting->json, rewriting->candidates.own, error);
    snprintf(key, sizeof key, "algorithm=%s", algorithm);
    json_begin(&rewriting->json);
    json_key(&rewriting->json, key);
    json_begin(&rewriting->json);
    json_end(&rewriting->json);
    json_end(&rewriting->json);
    rewriting->replaced = true;
    return 0;
}

/* By message size, for one size of communicators. */
static int put_choices(struct rewriting *rewriting, const struct broadcast_choices *choices,
                       struct error *error)
{
    const struct broadcast_choice *items = choices->items;
    if (choices->count == 1)
        return put_choice(rewriting, (size_t)items[0].algorithm, error);
    json_begin(&rewriting->json);
    for (size_t i = 0; i < choices->count; i++) {
        char key[80] = "avg_msg_size=any";
        if (i + 1 < choices->count)
            snprintf(key, sizeof key, "avg_msg_size<=%d", items[i].bytes_upto);
        json_key(&rewriting->json, key);
        if (put_choice(rewriting, (size_t)items[i].algorithm, error) != 0)
            return -1;
    }
    json_end(&rewriting->json);
    return 0;
}

static int put_communicators(struct rewriting *rewriting, double upto,
                             const struct broadcast_choices *choices, struct error *error)
{
    char key[80];
    snprintf(key, sizeof key, "comm_size<=%.0f", upto);
    json_key(&rewriting->json, key);
    return put_choices(rewriting, choices, error);
}

/* By the size of the communicator: neighbours with the same choices are one. */
static int put_bcast(struct rewriting *rewriting, struct error *error)
{
    struct candidates *candidates = &rewriting->candidates;
    const double most = trained(candidates).most;
    struct broadcast_choices choices = choices_for(rewriting->exporter, candidates, 2.0);
    int status = 0;
    json_begin(&rewriting->json);
    for (double p = 2.0; p <= most && status == 0; p++) {
        struct broadcast_choices next = choices_for(rewriting->exporter, candidates, p + 1.0);
        if (!same_choices(&choices, &next))
            status = put_communicators(rewriting, p, &choices, error);
        free(choices.items);
        choices = next;
    }
    free(choices.items);
    if (status != 0)
        return -1;
    json_key(&rewriting->json, "comm_size=any");
    status = put_choice(rewriting, BROADCAST_BC, error);
    json_end(&rewriting->json);
    return status;
}

/* Copies the map; along the path of keys, the last one's value becomes ours. */
static int rewrite(struct rewriting *rewriting, struct yaml_node map, const char *const *path,
                   struct error *error)
{
    bool is_found = false;
    json_begin(&rewriting->json);
    for (size_t i = 0; i < yaml_count(map); i++) {
        const char *key = yaml_text(yaml_key(map, i));
        const struct yaml_node value = yaml_value(map, i);
        json_key(&rewriting->json, key);
        if (yaml_expect(value, YAML_MAP, error) != 0)
            return -1;
        int status;
        if (strcmp(key, path[0]) != 0)
            status = copy(&rewriting->json, value, error);
        else if (path[1])
            status = rewrite(rewriting, value, path + 1, error);
        else {
            rewriting->candidates.own = value;
            status = put_bcast(rewriting, error);
        }
        is_found = is_found || strcmp(key, path[0]) == 0;
        if (status != 0)
            return -1;
    }
    json_end(&rewriting->json);
    return is_found
               ? 0
               : error_at(error, yaml_place(map), "no \"%s\": expected MPICH's own rules", path[0]);
}

/* ---- what MPICH has not ---- */

/* Whether the broadcast is faster than all that MPICH has, for a message of so many bytes. */
static bool is_faster(const struct candidates *candidates, size_t broadcast, double bytes, double p)
{
    const struct broadcast_times times = broadcast_times(candidates->machine, bytes, p);
    double least_us = times.time_us[BROADCAST_BC];
    for (size_t i = 0; i < EQUIVALENTS; i++)
        least_us = fmin(least_us, times.time_us[equivalents[i].broadcast]);
    return times.time_us[broadcast] < worth * least_us;
}

static bool is_faster_somewhere(const struct candidates *candidates, size_t broadcast)
{
    const struct span span = trained(candidates);
    const struct cost *cost = cost_of(candidates, broadcast);
    if (!cost || broadcast == BROADCAST_BC || algorithm_of(broadcast))
        return false;
    const double most = isnan(cost->bytes.most) ? 1048576.0 : cost->bytes.most;
    for (double p = span.least; p <= span.most; p *= 2.0)
        for (double bytes = 1.0; bytes <= most; bytes *= 2.0)
            if (is_faster(candidates, broadcast, bytes, p))
                return true;
    return false;
}

static void say_what_is_missing(const struct rewriting *rewriting)
{
    for (size_t i = 0; i < BROADCAST_COUNT; i++)
        if (is_faster_somewhere(&rewriting->candidates, i))
            export_note(rewriting->exporter,
                        "%s is faster for some messages; MPICH 4.0 has no such MPI_Bcast",
                        broadcast_name(i));
    if (!rewriting->replaced)
        export_note(rewriting->exporter,
                    "no broadcast is faster than MPICH's own choice beyond the errors of both, "
                    "or it is its own choice: "
                    "these are its own rules");
}

int export_mpich(const struct exporter *exporter, struct error *error)
{
    static const char *const path[] = {"collective=bcast", "comm_type=intra", NULL};
    struct rewriting rewriting = {.exporter = exporter,
                                  .candidates = {.machine = exporter->machine},
                                  .json = {.out = exporter->out}};
    struct yaml_file *base = NULL;
    if (check_all_measured(exporter, error) != 0)
        return -1;
    if (!exporter->base)
        return error_set(error, "no --base: MPICH takes the file in place of all its rules, which "
                                "are needed (doc/export.md says where they are)");
    if (yaml_open(&base, exporter->base, error) != 0)
        return -1;
    int status = yaml_expect(yaml_root(base), YAML_MAP, error);
    if (status == 0)
        status = rewrite(&rewriting, yaml_root(base), path, error);
    yaml_close(base);
    if (status != 0)
        return -1;
    putc('\n', exporter->out);
    say_what_is_missing(&rewriting);
    return 0;
}
