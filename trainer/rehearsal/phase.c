#include "trainer/rehearsal/phase.h"

#include "model/base/allocation.h"
#include "trainer/base/clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SWEEPS_MOST = 16 };

/* ---- parts ---- */

/* A run of sizes is as many. */
static size_t count_uses(const struct analysis *analysis)
{
    const struct demand *demands = analysis->demands.items;
    size_t count = 0;
    for (size_t i = 0; i < analysis->demands.count; i++) {
        const struct use *uses = demands[i].uses.items;
        for (size_t k = 0; k < demands[i].uses.count; k++)
            count += 1 + (size_t)uses[k].further;
    }
    return count;
}

static void add_move(struct rehearsal_phase *phase, struct subcommunicators *subcommunicators,
                     struct part *part, const struct demand *demand, const struct use *use)
{
    struct move *move = &phase->moves[phase->move_count];
    const char *wrong = move_make(move, subcommunicators, demand, use);
    if (wrong)
        part->missing = wrong;
    else if (!move_packs(move, demand, use))
        part->missing = "it is not packed, as its elements do not lie together";
    phase->move_count += !wrong;
}

static void add_moves(struct rehearsal_phase *phase, struct subcommunicators *subcommunicators,
                      struct part *part, const struct demand *demand)
{
    const struct use *uses = demand->uses.items;
    part->first = phase->move_count;
    part->flow = -1;
    for (size_t i = 0; i < demand->uses.count; i++)
        for (double number = 0.0; uses[i].times != 0.0 && number <= uses[i].further; number++) {
            const struct use use = use_in_run(&uses[i], number);
            add_move(phase, subcommunicators, part, demand, &use);
        }
    part->count = phase->move_count - part->first;
}

static void add_parts(struct rehearsal_phase *phase, struct subcommunicators *subcommunicators)
{
    const struct demand *demands = phase->analysis.demands.items;
    for (size_t i = 0; i < phase->analysis.demands.count; i++) {
        struct part *part = &phase->parts[phase->part_count++];
        const struct use *uses = demands[i].uses.items;
        const char *utility = demands[i].utility          ? demands[i].utility
                              : demands[i].uses.count > 0 ? traffic_name(uses->class)
                                                          : "nothing";
        snprintf(part->name, sizeof part->name, "%s (%.30s)", demands[i].cause, utility);
        add_moves(phase, subcommunicators, part, &demands[i]);
    }
}

static void add_flows(struct rehearsal_phase *phase, struct subcommunicators *subcommunicators,
                      double bytes_most)
{
    const struct pipeline *pipelines = phase->analysis.pipelines.items;
    for (size_t i = 0; i < phase->analysis.pipelines.count; i++) {
        if (pipelines[i].runs == 0.0)
            continue;
        struct flow *flow = &phase->flows[phase->flow_count];
        struct part *part = &phase->parts[phase->part_count++];
        pipeline_print(&pipelines[i], part->name, sizeof part->name);
        part->missing = flow_make(flow, subcommunicators, &pipelines[i], (int)i, bytes_most);
        part->flow = part->missing ? -1 : (int)phase->flow_count++;
    }
}

/* ---- memory ---- */

static int make_buffers(struct rehearsal_phase *phase, double bytes_most, struct error *error)
{
    double bytes = 0.0, doubles = 0.0;
    for (size_t i = 0; i < phase->move_count; i++) {
        bytes = fmax(bytes, move_bytes(&phase->moves[i]));
        doubles = fmax(doubles, move_field_doubles(&phase->moves[i]));
    }
    const double all = 2.0 * (bytes + doubles * (double)sizeof(double));
    if (all > bytes_most)
        return error_set(error,
                         "the messages of %.80s take %.3g bytes on a processor: expected at most "
                         "%.3g for a rehearsal",
                         phase->name, all, bytes_most);
    int has_room = buffers_new(&phase->buffers, bytes, doubles);
    MPI_Allreduce(MPI_IN_PLACE, &has_room, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return has_room ? 0 : error_set(error, "no memory for the messages of %.80s", phase->name);
}

int phase_make(struct rehearsal_phase *phase, struct subcommunicators *subcommunicators,
               double bytes_most, struct error *error)
{
    const struct analysis *analysis = &phase->analysis;
    const size_t pipelines = analysis->pipelines.count;
    phase->parts = memory_new(analysis->demands.count + pipelines, sizeof *phase->parts);
    phase->moves = memory_new(count_uses(analysis), sizeof *phase->moves);
    phase->flows = memory_new(pipelines, sizeof *phase->flows);
    phase->share = 1.0;
    phase->sweeps = 1;
    add_parts(phase, subcommunicators);
    add_flows(phase, subcommunicators, bytes_most);
    return make_buffers(phase, bytes_most, error);
}

void phase_free(struct rehearsal_phase *phase)
{
    for (size_t i = 0; i < phase->move_count; i++)
        move_end(&phase->moves[i]);
    for (size_t i = 0; i < phase->flow_count; i++)
        flow_free(&phase->flows[i]);
    buffers_free(&phase->buffers);
    proxy_kernels_free(&phase->proxy_kernels);
    analysis_free(&phase->analysis);
    free(phase->parts);
    free(phase->moves);
    free(phase->flows);
}

/* ---- looking ---- */

static bool all_agree(bool mine)
{
    int right = mine;
    MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return right;
}

/* How often a use is in one run of its utility is known where it was set up: on rank 0 always. */
static void agree_on_uses(struct rehearsal_phase *phase)
{
    for (size_t i = 0; i < phase->move_count; i++) {
        struct site *site = &phase->moves[i].site;
        site->uses_per_run = site->uses_per_run > 0 ? site->uses_per_run : 1;
        MPI_Bcast(&site->uses_per_run, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
}

static double units_of(const struct rehearsal_phase *phase, const struct move *move)
{
    return move->times * phase->sweeps * phase->share / move->site.uses_per_run;
}

/* Rounds of so few sweeps that each use is carried out a whole number of times: a message there and
   back is two, a branch that is gone every third time comes up once in three sweeps. */
static void choose_sweeps(struct rehearsal_phase *phase)
{
    for (phase->sweeps = 1; phase->sweeps < SWEEPS_MOST; phase->sweeps++) {
        bool whole = true;
        for (size_t i = 0; i < phase->move_count; i++) {
            const double units = units_of(phase, &phase->moves[i]);
            whole &= fabs(units - round(units)) < 1e-6;
        }
        if (whole)
            return;
    }
}

static bool check_part(struct rehearsal_phase *phase, const struct part *part)
{
    bool right = true;
    for (size_t k = 0; k < part->count; k++)
        right &= move_check(&phase->moves[part->first + k], &phase->buffers);
    if (part->flow >= 0)
        right &= flow_check(&phase->flows[part->flow], phase->deadline);
    return all_agree(right);
}

/* What is quickest, tried out. */
static void choose(struct rehearsal_phase *phase)
{
    for (size_t i = 0; i < phase->move_count && !deadline_agree(phase->deadline); i++)
        move_choose_subcommunicator(&phase->moves[i], &phase->buffers);
    for (size_t i = 0; i < phase->flow_count && !deadline_agree(phase->deadline); i++)
        flow_choose_width(&phase->flows[i], &phase->proxy_kernels, phase->deadline);
}

const char *phase_check(struct rehearsal_phase *phase)
{
    for (size_t i = 0; i < phase->move_count; i++)
        move_begin(&phase->moves[i], &phase->buffers);
    for (size_t i = 0; i < phase->part_count; i++) {
        if (deadline_agree(phase->deadline))
            return NULL;
        const bool right = check_part(phase, &phase->parts[i]);
        if (!right && !deadline_agree(phase->deadline))
            return phase->parts[i].name;
    }
    choose(phase);
    if (deadline_agree(phase->deadline))
        return NULL;
    buffers_clear(&phase->buffers);
    for (size_t i = 0; i < phase->move_count; i++) {
        move_end(&phase->moves[i]);
        move_begin(&phase->moves[i], &phase->buffers);
    }
    agree_on_uses(phase);
    choose_sweeps(phase);
    return NULL;
}

/* ---- sweeps ---- */

/* Of `all`, which are done over the sweeps of a round, those of this one. */
static double due(double all, int sweep, int sweeps)
{
    return floor(all * (sweep + 1) / sweeps) - floor(all * sweep / sweeps);
}

/* So many at once that ranks do not agree more often than every some milliseconds. */
static void run_units(struct rehearsal_phase *phase, struct move *move, long units)
{
    if (!deadline_agrees(phase->deadline)) {
        move_run(move, &phase->buffers, units);
        return;
    }
    for (long done = 0, chunk = 1; done < units && !deadline_agree(phase->deadline);) {
        const double begin_s = clock_s();
        move_run(move, &phase->buffers, chunk < units - done ? chunk : units - done);
        done += chunk;
        double took_s = clock_s() - begin_s;
        MPI_Allreduce(MPI_IN_PLACE, &took_s, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        chunk = took_s < 0.005 ? 2 * chunk : took_s > 0.05 && chunk > 1 ? chunk / 2 : chunk;
    }
}

static void run_part(struct rehearsal_phase *phase, const struct part *part, int sweep,
                     struct stamps *stamps)
{
    double done = 0.0, wanted = 0.0;
    for (size_t k = 0; k < part->count; k++) {
        struct move *move = &phase->moves[part->first + k];
        const double units = fmax(1.0, round(units_of(phase, move)));
        run_units(phase, move, (long)due(units, sweep, phase->sweeps));
        done += units * move->site.uses_per_run;
        wanted += move->times * phase->sweeps;
    }
    if (part->count > 0)
        stamps->communicate_s += stamps_lap(stamps) * wanted / done;
}

/* Whether statements of that pipeline go through it here. */
static bool flows(const struct rehearsal_phase *phase, int pipeline)
{
    for (size_t i = 0; i < phase->flow_count; i++)
        if (phase->flows[i].number == pipeline)
            return true;
    return false;
}

/* The statements that go through no pipeline. */
static void run_statements(const struct rehearsal_phase *phase, struct stamps *stamps)
{
    for (size_t i = 0; i < phase->proxy_kernels.count; i++) {
        struct walk *walk = &phase->proxy_kernels.items[i].walk;
        if (flows(phase, phase->proxy_kernels.items[i].pipeline) || walk->rows == 0.0)
            continue;
        const double rows = fmax(1.0, round(walk->rows * phase->share));
        deadline_walk(phase->deadline, walk, 0.0, rows, 0, walk->length);
        stamps->compute_s += stamps_lap(stamps) * walk->rows / rows;
    }
}

/* One run after the other, each of which begins on all processors at once. */
static void run_flow(const struct rehearsal_phase *phase, struct flow *flow, struct stamps *stamps)
{
    const double runs = fmax(1.0, round(flow->pipeline->runs * phase->share));
    struct stamps mine = *stamps;
    mine.compute_s = mine.communicate_s = 0.0;
    for (double run = 0.0; run < runs; run += 1.0) {
        if (deadline_agrees(phase->deadline) && deadline_agree(phase->deadline))
            break;
        MPI_Barrier(MPI_COMM_WORLD);
        stamps_start(&mine);
        flow_run(flow, &phase->proxy_kernels, phase->deadline, &mine);
    }
    stamps->compute_s += mine.compute_s * flow->pipeline->runs / runs;
    stamps->communicate_s += mine.communicate_s * flow->pipeline->runs / runs;
    stamps_start(stamps);
}

static void run_sweep(struct rehearsal_phase *phase, int sweep, struct stamps *stamps)
{
    run_statements(phase, stamps);
    for (size_t i = 0; i < phase->part_count && !deadline_is_over(phase->deadline); i++)
        run_part(phase, &phase->parts[i], sweep, stamps);
    for (size_t i = 0; i < phase->flow_count && !deadline_is_over(phase->deadline); i++)
        run_flow(phase, &phase->flows[i], stamps);
}

void phase_run(struct rehearsal_phase *phase, long rounds, double *compute_s, double *communicate_s)
{
    struct stamps stamps = {.reading_s = phase->reading_s};
    stamps_start(&stamps);
    for (long round = 0; round < rounds; round++)
        for (int sweep = 0; sweep < phase->sweeps && !deadline_is_over(phase->deadline); sweep++)
            run_sweep(phase, sweep, &stamps);
    *compute_s = stamps.compute_s;
    *communicate_s = stamps.communicate_s;
}
