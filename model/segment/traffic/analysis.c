#include "model/segment/traffic/analysis.h"

#include "model/base/allocation.h"
#include "model/segment/loops/settle.h"
#include "model/segment/loops/work.h"
#include "model/segment/traffic/calls.h"
#include "model/segment/traffic/demand.h"
#include "model/segment/traffic/gathers.h"
#include "model/segment/traffic/halo.h"
#include "model/segment/traffic/reduction.h"
#include "model/segment/traffic/remembered.h"
#include "model/segment/traffic/turns.h"
#include "model/segment/traffic/writeback.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SYNCHRONOUS_MOST = 64 };

/* What the derivation of a segment carries along. */
struct derivation {
    struct analysis *analysis;
    const struct program *program;
    const struct layout *layout;
    struct scope *scope;
    const struct list *instances; /* borrowed, of struct instance */
    struct list messages;
    double repeat; /* of the segment, between which nothing else runs */
    struct halo halo;
    const struct segment *described;
    /* Loops that wait for messages: in every iteration, or once in so many. */
    struct waiting {
        const struct loop *loop;
        double together;
    } synchronous[SYNCHRONOUS_MOST];
    size_t synchronous_count;
    bool *sends_result; /* by instance: a result is combined, or sent to where it lives; owned */
    struct remembered *remembered; /* NULL: everything is derived anew */
    const struct cutoff *cutoff;   /* NULL: none */
};

static const struct record work_record = {
    .name = "work", .size = sizeof(struct work), .place_offset = NO_PLACE};
const struct record pipeline_record = {
    .name = "a pipeline", .size = sizeof(struct pipeline), .place_offset = NO_PLACE};

/* ---- messages ---- */

static void add_synchronous(struct derivation *it, const struct message *message)
{
    for (int l = 0; l < message->depth; l++)
        if (it->synchronous_count < SYNCHRONOUS_MOST && message->reader->carries[l] &&
            !message_goes_on(message, l))
            it->synchronous[it->synchronous_count++] =
                (struct waiting){message->reader->nest.loops[l],
                                 l == message->depth - 1 ? fmax(1.0, message->apart) : 1.0};
}

/* Rule "Single elements": what is sent within all loops goes element by element, and nobody waits
   for it. Where it is a chain each waits for the one before. */
static bool is_single(const struct message *message)
{
    const int depth = message->reader->nest.depth;
    return depth > 0 && message->depth == depth && message->apart == 0.0;
}

static int derive_single(struct derivation *it, const struct message *message, struct collector *to,
                         struct error *error)
{
    struct traffic traffic;
    bool enumerated = false;
    if (turns_single(message, it->layout, &traffic, &enumerated, error) != 0)
        return -1;
    if (traffic.partners > 0.0)
        collector_take(to, &traffic, &message->reads, -1, 1.0, error);
    collector_say_enumerated(to, enumerated);
    return 0;
}

static int derive_turns(struct derivation *it, const struct message *message,
                        const struct layout *layout, struct collector *to, struct error *error)
{
    const struct turn_taker taker = {collector_take, to, collector_is_enough};
    bool enumerated = false;
    if (turns_take(message, layout, it->described, &taker, &enumerated, error) != 0)
        return -1;
    collector_say_enumerated(to, enumerated);
    if (to->moves)
        add_synchronous(it, message);
    return 0;
}

static struct collector collector_of(struct derivation *it, const char *prefix, struct place place)
{
    return (struct collector){.analysis = it->analysis,
                              .program = it->program,
                              .exchange = it->described->exchange,
                              .strided = it->described->strided,
                              .place = place,
                              .prefix = prefix,
                              .share = 1.0,
                              .cutoff = it->cutoff};
}

static void say_how_often(struct derivation *it, size_t first)
{
    struct demand *demands = it->analysis->demands.items;
    for (size_t i = first; i < it->analysis->demands.count; i++) {
        const size_t used = strlen(demands[i].cause);
        snprintf(demands[i].cause + used, sizeof demands[i].cause - used, ", every %g repetitions",
                 it->halo.sweeps);
    }
}

/* What several repetitions need is sent before the first of them. */
static int derive_halo(struct derivation *it, const struct message *message, struct collector *to,
                       struct error *error)
{
    struct halo_round rounds[2];
    const size_t count = halo_rounds(&it->halo, rounds), first = it->analysis->demands.count;
    for (size_t i = 0; i < count; i++) {
        const struct layout wide = halo_layout(&it->halo, it->layout, rounds[i].sweeps - 1.0);
        to->share = rounds[i].share;
        if (derive_turns(it, message, &wide, to, error) != 0)
            return -1;
    }
    say_how_often(it, first);
    return 0;
}

static int derive_anew(struct derivation *it, const struct message *message, const char *prefix,
                       struct error *error)
{
    struct collector to = collector_of(it, prefix, message->reads.references[0]->text->place);
    if (is_single(message))
        return derive_single(it, message, &to, error);
    if (halo_covers(&it->halo, message))
        return derive_halo(it, message, &to, error);
    return derive_turns(it, message, it->layout, &to, error);
}

/* ---- what was derived before ---- */

static struct recollection begin(struct derivation *it, const struct remembered_key *key)
{
    return remembered_begin(it->remembered, key, it->program->effort, it->analysis);
}

static int derive_message(struct derivation *it, const struct message *message, const char *prefix,
                          struct error *error)
{
    struct remembered_key key;
    if (!it->remembered || halo_covers(&it->halo, message))
        return derive_anew(it, message, prefix, error);
    remembered_message(&key, message, prefix, it->layout);
    const struct recollection begun = begin(it, &key);
    if (!begun.known) {
        const int status = derive_anew(it, message, prefix, error);
        remembered_end(&begun, status);
        return status;
    }
    remembered_add(&begun);
    if (!is_single(message) && begun.item->count > 0)
        add_synchronous(it, message);
    return 0;
}

/* ---- pipelines ---- */

static struct pipeline *add_pipeline(struct derivation *it, const struct pipeline *pipeline)
{
    struct pipeline *known = it->analysis->pipelines.items;
    for (size_t i = 0; i < it->analysis->pipelines.count; i++)
        if (pipeline_join(&known[i], pipeline))
            return &known[i];
    struct pipeline *added = list_add(&pipeline_record, &it->analysis->pipelines);
    *added = *pipeline;
    return added;
}

/* Which messages travel stage by stage: what they deliver need not be sent again. */
static int find_pipelines(struct derivation *it, struct error *error)
{
    struct message *messages = it->messages.items;
    for (size_t i = 0; i < it->messages.count; i++) {
        struct pipeline pipeline;
        if (halo_covers(&it->halo, &messages[i]) ||
            message_is_local(&messages[i], it->layout, it->program))
            continue;
        if (pipeline_find(&pipeline, &messages[i].pipelined, &messages[i], it->instances,
                          it->layout, error) != 0)
            return -1;
        if (messages[i].pipelined) {
            struct pipeline *known = add_pipeline(it, &pipeline);
            demand_list_reads(it->program, &messages[i].reads, known->at, sizeof known->at);
        }
    }
    return 0;
}

/* A message for all that share it: only its reader waits. */
static int derive_read(struct derivation *it, const struct sharing *sharing, size_t number,
                       struct error *error)
{
    struct message *message = (struct message *)it->messages.items + number;
    const size_t demands = it->analysis->demands.count;
    if (!halo_covers(&it->halo, message)) {
        delivery_drop(&it->messages, number, it->layout);
        if (message->pipelined || message->reads.count == 0 ||
            message_is_local(message, it->layout, it->program))
            return 0;
    }
    const int status = sharing->whole ? derive_anew(it, &sharing->message, "", error)
                                      : derive_message(it, &sharing->message, "", error);
    message->moves = it->analysis->demands.count > demands;
    return status;
}

/* Of a message that is sent with others all that they send together. */
static int derive_together(struct derivation *it, const size_t *first, size_t number,
                           struct error *error)
{
    struct message *messages = it->messages.items;
    struct collector to = collector_of(it, "", messages[number].reads.references[0]->text->place);
    const struct turn_taker taker = {.take = collector_take, .taker = &to};
    bool done;
    if (together_take(&it->messages, first, number, it->layout, it->described, &taker, &done,
                      error) != 0)
        return -1;
    for (size_t i = number; i < it->messages.count; i++) {
        if (first[i] != number)
            continue;
        messages[i].moves = to.moves;
        if (to.moves)
            add_synchronous(it, &messages[i]);
    }
    return 0;
}

/* Of each message the first that it is sent with, as together_find has it; what cannot be told
   together is sent alone, unless it shares with another one. *alone: those. */
static int find_together(struct derivation *it, size_t *first, bool *alone, struct error *error)
{
    const size_t count = it->messages.count;
    together_find(first, &it->messages, it->layout);
    for (size_t i = 0; i < count && it->halo.sweeps > 1.0; i++)
        first[i] = i;
    for (size_t i = 0; i < count; i++) {
        bool has_others = false, done = true;
        for (size_t k = i + 1; k < count; k++)
            has_others |= first[k] == i;
        alone[i] = first[i] == i && !has_others;
        if (!has_others)
            continue;
        for (size_t k = i; k < count; k++)
            if (first[k] == i)
                delivery_drop(&it->messages, k, it->layout);
        if (together_take(&it->messages, first, i, it->layout, it->described, NULL, &done, error) !=
            0)
            return -1;
        for (size_t k = i; k < count && !done; k++)
            if (first[k] == i) {
                first[k] = k;
                alone[k] = true;
            }
    }
    for (size_t i = 0; i < count && it->halo.sweeps > 1.0; i++)
        alone[i] = false;
    return 0;
}

static int derive_messages(struct derivation *it, struct error *error)
{
    const size_t count = it->messages.count;
    size_t *first = memory_new(count, sizeof *first);
    bool *alone = memory_new(count, sizeof *alone);
    struct sharing *sharings = NULL;
    int status = find_together(it, first, alone, error);
    if (status == 0)
        sharings = sharings_find(&it->messages, alone, it->layout);
    for (size_t i = 0; i < count && status == 0; i++) {
        bool has_others = false;
        for (size_t k = i + 1; k < count; k++)
            has_others |= first[k] == i;
        if (has_others)
            status = derive_together(it, first, i, error);
        else if (first[i] == i && sharings[i].with == i)
            status = derive_read(it, &sharings[i], i, error);
    }
    if (sharings)
        sharings_free(sharings, count);
    free(alone);
    free(first);
    return status;
}

static int derive_reads(struct derivation *it, struct error *error)
{
    messages_make(&it->messages, it->instances, it->layout, it->program);
    if (messages_check_around(&it->messages, error) != 0)
        return -1;
    if (halo_find(&it->halo, it->instances, &it->messages, it->layout, it->repeat, error) != 0)
        return -1;
    if (find_pipelines(it, error) != 0)
        return -1;
    return derive_messages(it, error);
}

/* The pipeline whose band is about the nest; -1: none. */
static int pipeline_about(const struct derivation *it, const struct nest *nest)
{
    const struct pipeline *pipelines = it->analysis->pipelines.items;
    for (size_t i = 0; i < it->analysis->pipelines.count; i++)
        for (int l = 0; l < nest->depth; l++)
            if (nest->loops[l] == pipelines[i].band)
                return (int)i;
    return -1;
}

/* ---- results ---- */

static int reduce_anew(struct derivation *it, const struct instance *instance, struct error *error)
{
    char prefix[100];
    snprintf(prefix, sizeof prefix, "reduction into %.80s", instance->statement->writes.text);
    struct collector to = collector_of(it, prefix, instance->statement->place);
    const struct turn_taker taker = {.take = collector_take, .taker = &to};
    return reduction_take(instance, it->layout, &taker, error);
}

static int derive_reduction(struct derivation *it, const struct instance *instance,
                            struct error *error)
{
    struct remembered_key key;
    if (!it->remembered)
        return reduce_anew(it, instance, error);
    remembered_reduction(&key, instance, it->layout);
    const struct recollection begun = begin(it, &key);
    if (begun.known) {
        remembered_add(&begun);
        return 0;
    }
    const int status = reduce_anew(it, instance, error);
    remembered_end(&begun, status);
    return status;
}

static int derive_writeback(struct derivation *it, const struct instance *instance,
                            struct error *error)
{
    struct writeback writeback;
    if (!writeback_make(&writeback, instance, it->layout))
        return error_particular_at(
            error, program_place(it->program, instance->statement->place),
            "it does not run where it writes, and its loops are coupled: write the "
            "communication of its result as a call");
    return derive_message(it, &writeback.message, "result ", error);
}

static int derive_results(struct derivation *it, struct error *error)
{
    const struct instance *instances = it->instances->items;
    for (size_t i = 0; i < it->instances->count; i++) {
        const struct statement *statement = instances[i].statement;
        const size_t demands = it->analysis->demands.count;
        if (!statement || !instances[i].has_writes || !instances[i].has_home)
            continue;
        const bool reduces = statement->reduce != REDUCE_NONE;
        if (reduces && derive_reduction(it, &instances[i], error) != 0)
            return -1;
        if ((reduces || statement->home.text) && derive_writeback(it, &instances[i], error) != 0)
            return -1;
        it->sends_result[i] = it->analysis->demands.count > demands;
    }
    return 0;
}

/* ---- work ---- */

/* The loops of a nest, from the outermost, that wait for messages. */
static struct waits waits_of(const struct derivation *it, const struct nest *nest)
{
    struct waits waits = {0, 1.0};
    for (int l = 0; l < nest->depth; l++)
        for (size_t i = 0; i < it->synchronous_count; i++) {
            const struct waiting *waiting = &it->synchronous[i];
            if (nest->loops[l] != waiting->loop)
                continue;
            waits.together =
                waits.depth == l + 1 ? fmin(waits.together, waiting->together) : waiting->together;
            waits.depth = l + 1;
        }
    return waits;
}

static int derive_shares(struct derivation *it, const struct instance *instance,
                         struct shares *shares, struct error *error)
{
    const struct waits waits = waits_of(it, &instance->nest);
    struct remembered_key key;
    if (!it->remembered || it->halo.sweeps > 1.0)
        return halo_shares(shares, &it->halo, instance, it->layout, &waits, error);
    remembered_work(&key, instance, &waits, it->layout);
    const struct recollection begun = begin(it, &key);
    if (begun.known) {
        *shares = begun.item->shares;
        return 0;
    }
    const int status = work_shares(shares, instance, it->layout, &waits, error);
    if (status == 0 && begun.item)
        begun.item->shares = *shares;
    remembered_end(&begun, status);
    return status;
}

/* Halos are computed beyond what a processor owns, in other loops each time: there all statements
   wait for one another. */
static void find_phases(struct derivation *it)
{
    const struct instance *instances = it->instances->items;
    if (it->halo.sweeps > 1.0)
        return;
    struct waits *waits = memory_new(it->instances->count, sizeof *waits);
    for (size_t i = 0; i < it->instances->count; i++)
        waits[i] = waits_of(it, &instances[i].nest);
    const struct phase_finding finding = {.instances = it->instances,
                                          .messages = &it->messages,
                                          .sends_result = it->sends_result,
                                          .waits = waits,
                                          .layout = it->layout};
    phases_find(&it->analysis->work, &finding);
    free(waits);
}

static int derive_work(struct derivation *it, struct error *error)
{
    const struct instance *instances = it->instances->items;
    for (size_t i = 0; i < it->instances->count; i++) {
        struct shares shares;
        if (!instances[i].statement)
            continue;
        if (derive_shares(it, &instances[i], &shares, error) != 0)
            return -1;
        struct work *work = list_add(&work_record, &it->analysis->work);
        const double probability = instances[i].probability;
        *work = (struct work){instances[i].statement,
                              probability * shares.most,
                              probability * shares.total / it->layout->processors,
                              pipeline_about(it, &instances[i].nest),
                              NULL,
                              false,
                              it->analysis->work.count};
    }
    find_phases(it);
    return 0;
}

/* ---- the segment ---- */

static int read_repeat(struct derivation *it, const struct segment *segment, struct error *error)
{
    double all;
    if (segment_repeat(segment, it->program, it->scope, &it->analysis->repeat, error) != 0 ||
        program_repeat(it->program, it->scope, &all, error) != 0)
        return -1;
    it->repeat = it->analysis->repeat;
    it->analysis->repeat *= all;
    return 0;
}

/* What the segment says of itself: for which values it is known, and what was measured. */
static int read_known(struct derivation *it, const struct segment *segment, struct error *error)
{
    const struct distribute *known = segment->known.items;
    double is_known = 1.0;
    it->analysis->measured_us = NAN;
    if (segment->only.text &&
        program_value(it->program, &segment->only, false, it->scope, &is_known, error) != 0)
        return -1;
    it->analysis->is_not_known = is_known == 0.0;
    for (size_t i = 0; i < segment->known.count; i++) {
        const struct formula *ends = known[i].dimensions.items;
        double value = 0.0, least, most;
        if (!scope_get(it->scope, known[i].array, &value))
            return error_at(error, program_place(it->program, known[i].place),
                            "'%.60s' is no parameter", known[i].array);
        if (program_value(it->program, &ends[0], false, it->scope, &least, error) != 0 ||
            program_value(it->program, &ends[1], false, it->scope, &most, error) != 0)
            return -1;
        it->analysis->is_beyond |= value < least || value > most;
    }
    if (!segment->time.us.text || it->analysis->is_not_known)
        return 0;
    if (program_value(it->program, &segment->time.us, false, it->scope, &it->analysis->measured_us,
                      error) != 0)
        return -1;
    it->analysis->measured_us = fmax(0.0, it->analysis->measured_us);
    return 0;
}

static int derive_segment(struct derivation *it, struct error *error)
{
    struct analysis *analysis = it->analysis;
    if (read_repeat(it, it->described, error) != 0 || derive_reads(it, error) != 0 ||
        derive_results(it, error) != 0 ||
        gathers_derive(analysis, it->instances, it->layout, it->scope,
                       it->described->corners == CORNERS_DIRECT, error) != 0 ||
        calls_derive(analysis, it->instances, it->layout, it->scope, error) != 0 ||
        pipelines_fill(&analysis->pipelines, it->described, it->program, it->scope,
                       analysis->repeat, error) != 0)
        return -1;
    return derive_work(it, error);
}

int analysis_make(struct analysis *analysis, const struct subject *subject, size_t segment,
                  const struct layout *layout, struct error *error)
{
    const struct segment *described =
        (const struct segment *)subject->program->segments.items + segment;
    struct list settled;
    settle_instances(&settled, &subject->instances[segment], layout);
    struct derivation it = {.analysis = analysis,
                            .program = subject->program,
                            .layout = layout,
                            .scope = subject->scope,
                            .instances = settled.items ? &settled : &subject->instances[segment],
                            .remembered = subject->remembered,
                            .cutoff = subject->cutoff,
                            .described = described};
    *analysis = (struct analysis){0};
    it.sends_result = memory_new(it.instances->count, sizeof *it.sends_result);
    effort_begin(subject->program->effort);
    int status = read_known(&it, described, error);
    if (status == 0 && !analysis->is_not_known)
        status = derive_segment(&it, error);
    analysis->sweeps = it.halo.sweeps;
    if (status == 0)
        status = program_check_effort(subject->program, described->place, error);
    list_free(&message_record, &it.messages);
    list_free(&instance_record, &settled);
    free(it.sends_result);
    if (status != 0)
        analysis_free(analysis);
    return status;
}

void analysis_free(struct analysis *analysis)
{
    struct work *work = analysis->work.items;
    for (size_t i = 0; i < analysis->work.count; i++)
        free(work[i].iterations);
    list_free(&work_record, &analysis->work);
    demands_free(&analysis->demands);
    list_free(&pipeline_record, &analysis->pipelines);
}
