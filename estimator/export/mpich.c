/* mpich: rules for MPI_Bcast in the grammar of MPICH's tuning files (JSON; 4.0's src/mpi/coll/src/
   csel.c). MPICH reads such a file in place of all its rules, so that its own ones (--base) are
   copied, with those of MPI_Bcast within a communicator replaced. */
#include "estimator/export/export.h"
#include "estimator/export/mpich_own.h"
#include "model/base/memory.h"
#include "model/base/yaml_in.h"
#include "model/machine/broadcast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The measured broadcasts that MPICH 4.0 has as well. The first is its own choice, which the others
   replace where they are faster beyond the errors of both. */
static const struct {
    const char *utility, *algorithm;
} choices[] = {
    {"broadcast-bc", NULL                       },
    {"broadcast-rd", "MPIR_Bcast_intra_binomial"},
};

/* What is less than that faster is not. */
static const double worth = 0.99;

enum { CHOICES = sizeof choices / sizeof *choices, PROCESSORS_MOST = 4096, RULES_MOST = 64 };

/* For messages of up to so many bytes. */
struct rule {
    double upto_bytes;
    size_t choice;
};

struct rules {
    struct rule of[RULES_MOST];
    size_t count; /* 0: MPICH's own for all messages */
};

/* ---- which is the fastest ---- */

struct candidates {
    const struct machine *machine;
    const struct cost *costs[CHOICES];
    struct yaml_node own; /* MPICH's rules within a communicator */
};

static int find_candidates(const struct exporter *exporter, struct candidates *candidates,
                           struct error *error)
{
    candidates->machine = exporter->machine;
    for (size_t i = 0; i < CHOICES; i++) {
        candidates->costs[i] = machine_cost(exporter->machine, choices[i].utility);
        if (!candidates->costs[i]) {
            char what[40];
            snprintf(what, sizeof what, "%s is", choices[i].utility);
            return export_missing(exporter, what, "mpich", error);
        }
    }
    return 0;
}

/* p as the utility counts it. */
static double counted(const struct cost *cost, double processors)
{
    return processors - (cost->processors_mean == MEAN_PARTICIPANTS ? 0.0 : 1.0);
}

/* Where MPICH's own choice is the same algorithm, there is nothing to change. */
static size_t choose(const struct candidates *candidates, double bytes, double processors)
{
    size_t best = 0;
    struct cost_answer own, answer;
    double least_us = INFINITY;
    if (cost_answer(candidates->costs[0], bytes, counted(candidates->costs[0], processors), &own,
                    NULL) != 0)
        return 0;
    for (size_t i = 1; i < CHOICES; i++) {
        const double p = counted(candidates->costs[i], processors);
        if (cost_answer(candidates->costs[i], bytes, p, &answer, NULL) == 0 &&
            !mpich_own_is(candidates->own, bytes, processors, choices[i].algorithm) &&
            answer.high_us < worth * own.low_us && answer.time_us < least_us) {
            best = i;
            least_us = answer.time_us;
        }
    }
    return best;
}

/* The last size from first on at which every candidate still has the same region, and MPICH the
   same rule. */
static double range_end(const struct candidates *candidates, double first, double most,
                        double processors)
{
    double last = mpich_own_edge(candidates->own, first, most);
    for (size_t i = 0; i < CHOICES; i++) {
        const struct cost *cost = candidates->costs[i];
        const struct region *region = cost_region(cost, first, counted(cost, processors));
        if (region)
            last = fmin(last, region->bytes_upto);
    }
    return last;
}

/* The last size from first to last with the choice of first: between two straight lines the choice
   changes once. */
static double same_choice_upto(const struct candidates *candidates, double first, double last,
                               double processors)
{
    const size_t choice = choose(candidates, first, processors);
    if (choose(candidates, last, processors) == choice)
        return last;
    while (last - first > 1.0) {
        const double middle = floor((first + last) / 2.0);
        if (choose(candidates, middle, processors) == choice)
            first = middle;
        else
            last = middle;
    }
    return first;
}

static void add_rule(struct rules *rules, double upto_bytes, size_t choice)
{
    if (rules->count > 0 && rules->of[rules->count - 1].choice == choice)
        rules->of[rules->count - 1].upto_bytes = upto_bytes;
    else if (rules->count < RULES_MOST)
        rules->of[rules->count++] = (struct rule){upto_bytes, choice};
}

static double most_bytes(const struct candidates *candidates)
{
    double most = 2147483647.0;
    for (size_t i = 0; i < CHOICES; i++)
        if (!isnan(candidates->costs[i]->bytes.most))
            most = fmin(most, candidates->costs[i]->bytes.most);
    return most;
}

static struct rules rules_at(const struct candidates *candidates, double processors)
{
    struct rules rules = {.count = 0};
    const double most = most_bytes(candidates);
    for (double first = 1.0; first <= most;) { /* nothing is sent for 0 */
        const double end = range_end(candidates, first, most, processors);
        const double last = same_choice_upto(candidates, first, end, processors);
        add_rule(&rules, last, choose(candidates, first, processors));
        first = last + 1.0;
    }
    if (rules.count > 0 && rules.of[rules.count - 1].choice == 0)
        rules.count--; /* what is longer is MPICH's own, too */
    return rules;
}

static bool same_rules(const struct rules *a, const struct rules *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (a->of[i].upto_bytes != b->of[i].upto_bytes || a->of[i].choice != b->of[i].choice)
            return false;
    return true;
}

/* ---- for which communicators ---- */

static struct span trained(const struct candidates *candidates)
{
    struct span span = {2.0, PROCESSORS_MOST};
    for (size_t i = 0; i < CHOICES; i++) {
        const struct cost *cost = candidates->costs[i];
        const double others = cost->processors_mean == MEAN_PARTICIPANTS ? 0.0 : 1.0;
        if (isnan(cost->processors.most))
            return (struct span){2.0, 2.0};
        span.least = fmax(span.least, cost->processors.least + others);
        span.most = fmin(span.most, cost->processors.most + others);
    }
    return span;
}

static bool is_asked(const struct number_list *asked, double processors)
{
    for (size_t i = 0; i < asked->count; i++)
        if (asked->values[i] == processors)
            return true;
    return asked->count == 0;
}

static struct rules rules_for(const struct exporter *exporter, const struct candidates *candidates,
                              double processors)
{
    const struct span span = trained(candidates);
    if (processors < span.least || processors > span.most ||
        !is_asked(exporter->processors, processors))
        return (struct rules){.count = 0};
    return rules_at(candidates, processors);
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

static int put_choice(struct rewriting *rewriting, size_t choice, struct error *error)
{
    char key[80];
    if (!choices[choice].algorithm)
        return copy(&rewriting->json, rewriting->candidates.own, error);
    snprintf(key, sizeof key, "algorithm=%s", choices[choice].algorithm);
    json_begin(&rewriting->json);
    json_key(&rewriting->json, key);
    json_begin(&rewriting->json);
    json_end(&rewriting->json);
    json_end(&rewriting->json);
    rewriting->replaced = true;
    return 0;
}

/* By message size, for one size of communicators. */
static int put_rules(struct rewriting *rewriting, const struct rules *rules, struct error *error)
{
    char key[80];
    if (rules->count == 0)
        return put_choice(rewriting, 0, error);
    json_begin(&rewriting->json);
    for (size_t i = 0; i < rules->count; i++) {
        snprintf(key, sizeof key, "avg_msg_size<=%.0f", rules->of[i].upto_bytes);
        json_key(&rewriting->json, key);
        if (put_choice(rewriting, rules->of[i].choice, error) != 0)
            return -1;
    }
    json_key(&rewriting->json, "avg_msg_size=any");
    if (put_choice(rewriting, 0, error) != 0)
        return -1;
    json_end(&rewriting->json);
    return 0;
}

/* By the size of the communicator: neighbours with the same rules are one. */
static int put_bcast(struct rewriting *rewriting, struct error *error)
{
    char key[80];
    const struct span span = trained(&rewriting->candidates);
    json_begin(&rewriting->json);
    struct rules rules = rules_for(rewriting->exporter, &rewriting->candidates, 2.0);
    for (double p = 2.0; p <= span.most; p++) {
        const struct rules next = rules_for(rewriting->exporter, &rewriting->candidates, p + 1.0);
        if (!same_rules(&rules, &next)) {
            snprintf(key, sizeof key, "comm_size<=%.0f", p);
            json_key(&rewriting->json, key);
            if (put_rules(rewriting, &rules, error) != 0)
                return -1;
        }
        rules = next;
    }
    json_key(&rewriting->json, "comm_size=any");
    if (put_choice(rewriting, 0, error) != 0)
        return -1;
    json_end(&rewriting->json);
    return 0;
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

/* Whether the utility is faster than all choices for some message. */
static bool is_faster_somewhere(const struct candidates *candidates, size_t algorithm)
{
    const struct span span = trained(candidates);
    if (!machine_cost(candidates->machine, broadcast_name(algorithm)))
        return false;
    for (size_t i = 0; i < CHOICES; i++)
        if (strcmp(broadcast_name(algorithm), choices[i].utility) == 0)
            return false;
    for (double p = span.least; p <= span.most; p *= 2.0)
        for (double bytes = 1.0; bytes <= most_bytes(candidates); bytes *= 2.0) {
            const struct broadcast_times times = broadcast_times(candidates->machine, bytes, p);
            double least_us = INFINITY;
            for (size_t i = 0; i < BROADCAST_COUNT; i++)
                for (size_t k = 0; k < CHOICES; k++)
                    if (strcmp(broadcast_name(i), choices[k].utility) == 0)
                        least_us = fmin(least_us, times.time_us[i]);
            if (times.time_us[algorithm] < worth * least_us)
                return true;
        }
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
    struct rewriting rewriting = {.exporter = exporter, .json = {.out = exporter->out}};
    struct yaml_file *base = NULL;
    if (find_candidates(exporter, &rewriting.candidates, error) != 0)
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
