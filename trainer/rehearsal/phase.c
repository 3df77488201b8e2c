#include "trainer/rehearsal/phase.h"

#include "model/base/allocation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SWEEPS_MOST = 16 };

/* ---- parts ---- */

static size_t count_uses(const struct analysis *analysis)
{
    const struct demand *demands = analysis->demands.items;
    size_t count = 0;
    for (size_t i = 0; i < analysis->demands.count; i++)
        count += demands[i].uses.count;
    return count;
}

static void add_moves(struct scene *scene, struct companies *companies, struct part *part,
                      const struct demand *demand)
{
    const struct use *uses = demand->uses.items;
    part->first = scene->move_count;
    part->flow = -1;
    for (size_t i = 0; i < demand->uses.count; i++) {
        if (uses[i].times == 0.0)
            continue;
        struct move *move = &scene->moves[scene->move_count];
        const char *wrong = move_make(move, companies, demand, &uses[i]);
        if (wrong)
            part->missing = wrong;
        else if (!move_packs(move, demand, &uses[i]))
            part->missing = "it is not packed, as its elements do not lie together";
        scene->move_count += !wrong;
    }
    part->count = scene->move_count - part->first;
}

static void add_parts(struct scene *scene, struct companies *companies)
{
    const struct demand *demands = scene->analysis.demands.items;
    for (size_t i = 0; i < scene->analysis.demands.count; i++) {
        struct part *part = &scene->parts[scene->part_count++];
        const struct use *uses = demands[i].uses.items;
        const char *utility = demands[i].utility          ? demands[i].utility
                              : demands[i].uses.count > 0 ? traffic_name(uses->class)
                                                          : "nothing";
        snprintf(part->name, sizeof part->name, "%s (%.30s)", demands[i].cause, utility);
        add_moves(scene, companies, part, &demands[i]);
    }
}

static void add_flows(struct scene *scene, struct companies *companies, double bytes_most)
{
    const struct pipeline *pipelines = scene->analysis.pipelines.items;
    for (size_t i = 0; i < scene->analysis.pipelines.count; i++) {
        if (pipelines[i].runs == 0.0)
            continue;
        struct flow *flow = &scene->flows[scene->flow_count];
        struct part *part = &scene->parts[scene->part_count++];
        snprintf(part->name, sizeof part->name, "%.120s", pipelines[i].cause);
        part->missing = flow_make(flow, companies, &pipelines[i], (int)i, bytes_most);
        part->flow = part->missing ? -1 : (int)scene->flow_count++;
    }
}

/* ---- memory ---- */

static int make_luggage(struct scene *scene, double bytes_most, struct error *error)
{
    double bytes = 0.0, doubles = 0.0;
    for (size_t i = 0; i < scene->move_count; i++) {
        bytes = fmax(bytes, move_bytes(&scene->moves[i]));
        doubles = fmax(doubles, move_field_doubles(&scene->moves[i]));
    }
    const double all = 2.0 * (bytes + doubles * (double)sizeof(double));
    if (all > bytes_most)
        return error_set(error,
                         "the messages of %.80s take %.3g bytes on a processor: expected at most "
                         "%.3g for a rehearsal",
                         scene->name, all, bytes_most);
    int has_room = luggage_new(&scene->luggage, bytes, doubles);
    MPI_Allreduce(MPI_IN_PLACE, &has_room, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return has_room ? 0 : error_set(error, "no memory for the messages of %.80s", scene->name);
}

int scene_make(struct scene *scene, struct companies *companies, double bytes_most,
               struct error *error)
{
    const struct analysis *analysis = &scene->analysis;
    const size_t pipelines = analysis->pipelines.count;
    scene->parts = memory_new(analysis->demands.count + pipelines, sizeof *scene->parts);
    scene->moves = memory_new(count_uses(analysis), sizeof *scene->moves);
    scene->flows = memory_new(pipelines, sizeof *scene->flows);
    scene->share = 1.0;
    scene->sweeps = 1;
    add_parts(scene, companies);
    add_flows(scene, companies, bytes_most);
    return make_luggage(scene, bytes_most, error);
}

void scene_free(struct scene *scene)
{
    for (size_t i = 0; i < scene->move_count; i++)
        move_end(&scene->moves[i]);
    for (size_t i = 0; i < scene->flow_count; i++)
        flow_free(&scene->flows[i]);
    luggage_free(&scene->luggage);
    stand_ins_free(&scene->stand_ins);
    analysis_free(&scene->analysis);
    free(scene->parts);
    free(scene->moves);
    free(scene->flows);
}

bool scene_is_partial(const struct scene *scene)
{
    bool partial = scene->overlaps;
    for (size_t i = 0; i < scene->part_count; i++)
        partial |= scene->parts[i].missing != NULL;
    return partial;
}

/* ---- looking ---- */

static bool all_agree(bool mine)
{
    int right = mine;
    MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return right;
}

/* How often a use is in one run of its utility is known where it was set up: on rank 0 always. */
static void agree_on_uses(struct scene *scene)
{
    for (size_t i = 0; i < scene->move_count; i++) {
        struct site *site = &scene->moves[i].site;
        site->uses_per_run = site->uses_per_run > 0 ? site->uses_per_run : 1;
        MPI_Bcast(&site->uses_per_run, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
}

static double units_of(const struct scene *scene, const struct move *move)
{
    return move->times * scene->sweeps * scene->share / move->site.uses_per_run;
}

/* Rounds of so few sweeps that each use is carried out a whole number of times: a message there and
   back is two, a branch that is gone every third time comes up once in three sweeps. */
static void choose_sweeps(struct scene *scene)
{
    for (scene->sweeps = 1; scene->sweeps < SWEEPS_MOST; scene->sweeps++) {
        bool whole = true;
        for (size_t i = 0; i < scene->move_count; i++) {
            const double units = units_of(scene, &scene->moves[i]);
            whole &= fabs(units - round(units)) < 1e-6;
        }
        if (whole)
            return;
    }
}

static bool check_part(struct scene *scene, const struct part *part)
{
    bool right = true;
    for (size_t k = 0; k < part->count; k++)
        right &= move_check(&scene->moves[part->first + k], &scene->luggage);
    if (part->flow >= 0)
        right &= flow_check(&scene->flows[part->flow], scene->deadline);
    return all_agree(right);
}

/* What is quickest, tried out. */
static void choose(struct scene *scene)
{
    for (size_t i = 0; i < scene->move_count && !deadline_agree(scene->deadline); i++)
        move_choose_company(&scene->moves[i], &scene->luggage);
    for (size_t i = 0; i < scene->flow_count && !deadline_agree(scene->deadline); i++)
        flow_choose_width(&scene->flows[i], &scene->stand_ins, scene->deadline);
}

const char *scene_check(struct scene *scene)
{
    for (size_t i = 0; i < scene->move_count; i++)
        move_begin(&scene->moves[i], &scene->luggage);
    for (size_t i = 0; i < scene->part_count; i++) {
        if (deadline_agree(scene->deadline))
            return NULL;
        const bool right = check_part(scene, &scene->parts[i]);
        if (!right && !deadline_agree(scene->deadline))
            return scene->parts[i].name;
    }
    choose(scene);
    if (deadline_agree(scene->deadline))
        return NULL;
    luggage_clear(&scene->luggage);
    for (size_t i = 0; i < scene->move_count; i++) {
        move_end(&scene->moves[i]);
        move_begin(&scene->moves[i], &scene->luggage);
    }
    agree_on_uses(scene);
    choose_sweeps(scene);
    return NULL;
}

/* ---- sweeps ---- */

/* Of `all`, which are done over the sweeps of a round, those of this one. */
static double due(double all, int sweep, int sweeps)
{
    return floor(all * (sweep + 1) / sweeps) - floor(all * sweep / sweeps);
}

/* So many at once that ranks do not agree more often than every some milliseconds. */
static void run_units(struct scene *scene, struct move *move, long units)
{
    if (!deadline_agrees(scene->deadline)) {
        move_run(move, &scene->luggage, units);
        return;
    }
    for (long done = 0, chunk = 1; done < units && !deadline_agree(scene->deadline);) {
        const double begin_s = MPI_Wtime();
        move_run(move, &scene->luggage, chunk < units - done ? chunk : units - done);
        done += chunk;
        double took_s = MPI_Wtime() - begin_s;
        MPI_Allreduce(MPI_IN_PLACE, &took_s, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        chunk = took_s < 0.005 ? 2 * chunk : took_s > 0.05 && chunk > 1 ? chunk / 2 : chunk;
    }
}

static void run_part(struct scene *scene, const struct part *part, int sweep, struct stamps *stamps)
{
    double done = 0.0, wanted = 0.0;
    for (size_t k = 0; k < part->count; k++) {
        struct move *move = &scene->moves[part->first + k];
        const double units = fmax(1.0, round(units_of(scene, move)));
        run_units(scene, move, (long)due(units, sweep, scene->sweeps));
        done += units * move->site.uses_per_run;
        wanted += move->times * scene->sweeps;
    }
    if (part->count > 0)
        stamps->communicate_s += stamps_lap(stamps) * wanted / done;
}

/* Whether statements of that pipeline go through it here. */
static bool flows(const struct scene *scene, int pipeline)
{
    for (size_t i = 0; i < scene->flow_count; i++)
        if (scene->flows[i].number == pipeline)
            return true;
    return false;
}

/* The statements that go through no pipeline. */
static void run_statements(const struct scene *scene, struct stamps *stamps)
{
    for (size_t i = 0; i < scene->stand_ins.count; i++) {
        struct walk *walk = &scene->stand_ins.items[i].walk;
        if (flows(scene, scene->stand_ins.items[i].pipeline) || walk->rows == 0.0)
            continue;
        const double rows = fmax(1.0, round(walk->rows * scene->share));
        deadline_walk(scene->deadline, walk, 0.0, rows, 0, walk->length);
        stamps->compute_s += stamps_lap(stamps) * walk->rows / rows;
    }
}

/* One run after the other, each of which begins on all processors at once. */
static void run_flow(const struct scene *scene, struct flow *flow, struct stamps *stamps)
{
    const double runs = fmax(1.0, round(flow->pipeline->runs * scene->share));
    struct stamps mine = *stamps;
    mine.compute_s = mine.communicate_s = 0.0;
    for (double run = 0.0; run < runs; run += 1.0) {
        if (deadline_agrees(scene->deadline) && deadline_agree(scene->deadline))
            break;
        MPI_Barrier(MPI_COMM_WORLD);
        stamps_start(&mine);
        flow_run(flow, &scene->stand_ins, scene->deadline, &mine);
    }
    stamps->compute_s += mine.compute_s * flow->pipeline->runs / runs;
    stamps->communicate_s += mine.communicate_s * flow->pipeline->runs / runs;
    stamps_start(stamps);
}

static void run_sweep(struct scene *scene, int sweep, struct stamps *stamps)
{
    run_statements(scene, stamps);
    for (size_t i = 0; i < scene->part_count && !deadline_is_over(scene->deadline); i++)
        run_part(scene, &scene->parts[i], sweep, stamps);
    for (size_t i = 0; i < scene->flow_count && !deadline_is_over(scene->deadline); i++)
        run_flow(scene, &scene->flows[i], stamps);
}

void scene_run(struct scene *scene, long rounds, double *compute_s, double *communicate_s)
{
    struct stamps stamps = {.reading_s = scene->reading_s};
    stamps_start(&stamps);
    for (long round = 0; round < rounds; round++)
        for (int sweep = 0; sweep < scene->sweeps && !deadline_is_over(scene->deadline); sweep++)
            run_sweep(scene, sweep, &stamps);
    *compute_s = stamps.compute_s;
    *communicate_s = stamps.communicate_s;
}
