#include "describer/ranks/check.h"
#include "describer/ranks/laws.h"
#include "describer/ranks/ranks.h"
#include "describer/ranks/slices.h"

#include "describer/walk/evaluate.h"
#include "describer/walk/messages.h"

#include <math.h>
#include <string.h>

/* Numbers of processes with which a program is run, unless it is described for one alone, and the
   place of the one at which what the walk made of it is compared: there its numbers hold
   (prepare.c). */
static const int tried_usually[TRIED] = {2, 3, 4, 5, 6, 8, 16};
enum { COMPARED = TRIED - 1 };
/* Expressions that a run may evaluate: 20 to 30 ms. */
enum { STEPS_MOST_HERE = 800000 };
/* The same where loops have to be run whole: 0.3 s. */
enum { STEPS_MOST_WHOLE = 8000000 };
enum { PATH_MOST = 20, LOOPS_LEFT_OUT = 32 };
/* More sizes than these are described as their mean. */
enum { SIZES_MOST = 16 };

/* A segment that is being settled. */
struct settling {
    struct describer *describer;
    struct ranks *ranks;
    const struct segment *segment;
    const struct function *root;
    bool is_main_root;
    const struct syntax *path[PATH_MOST]; /* loops from the segment down to here */
    int depth;
    bool is_merged; /* messages of one call are taken to be as large as the largest */
};

/* Whether a run has asked for a parameter without a value. */
static bool has_missing(const struct ranks *ranks)
{
    for (int i = 0; i < ranks->missing_count; i++)
        if (!ranks->missing[i]->has_value)
            return true;
    return false;
}

static const struct run *run_with(struct settling *it, int p, int cap)
{
    struct ranks *ranks = it->ranks;
    for (int i = 0; i < ranks->run_count; i++)
        if (ranks->runs[i]->p == p && ranks->runs[i]->cap == cap &&
            ranks->runs[i]->root == it->root)
            return ranks->runs[i];
    struct run *run;
    int unlike;
    do { /* again, where a loop turns out to be one that has to be run whole */
        unlike = ranks->unlike_count;
        run = run_program(ranks, it->root, p, cap, unlike > 0 ? STEPS_MOST_WHOLE : STEPS_MOST_HERE);
        if (ranks->unlike_count > unlike)
            ranks->run_count = 0;
    } while (ranks->unlike_count > unlike);
    /* one side of the messages may be in a loop that is shortened, the other in one that is not */
    if (run->ending == REFUSED && run->is_shortened && p == ranks->tried[COMPARED] &&
        !has_missing(ranks)) {
        ranks->is_whole = true;
        struct run *whole = run_program(ranks, it->root, p, cap, STEPS_MOST_WHOLE);
        ranks->is_whole = whole->ending == ENDED;
        if (whole->ending == ENDED) {
            run = whole;
            ranks->run_count = 0;
            describer_remark(it->describer, it->segment->place,
                             "one side of the messages is in a loop of another kind than the "
                             "other: what is sent is described for these values of the "
                             "parameters only");
        }
    }
    for (int i = 0; i < unlike && run->ending == FAILED; i++)
        run->is_firm = run->is_firm || ranks->unlike[i].is_firm;
    if (ranks->run_count < RUNS_MOST)
        ranks->runs[ranks->run_count++] = run;
    return run;
}

/* What the run does the k-th time in the segment; false: it does not come there so often. */
static bool segment_at(struct settling *it, const struct run *run, int k, struct slice *slice)
{
    const bool has_way = it->root == it->segment->origin;
    return slice_of_segment(run, it->segment->syntax, has_way ? &it->segment->way : NULL, k, slice);
}

/* What the run does where the path leads; false: it does not come there. */
static bool slice_at(struct settling *it, const struct run *run, struct slice *slice)
{
    int *instances = arena_take(it->describer->arena, (size_t)run->p, sizeof(int));
    if (!segment_at(it, run, 0, slice))
        return false;
    for (int i = 0; i < it->depth; i++) {
        if (!slice_instances(slice, it->path[i], instances) ||
            slice_iterations(slice, instances) < 1)
            return false;
        *slice = slice_iteration(slice, instances, 0);
    }
    return true;
}

/* ---- what the walk made of it ---- */

static bool has_calls(const struct outline *outline)
{
    if (outline->kind == OUTLINE_CALL)
        return outline->is_message;
    for (int i = 0; i < outline->count; i++)
        if (has_calls(outline->children[i]))
            return true;
    return false;
}

static bool has_sizes_with_index(const struct outline *outline)
{
    if (outline->kind == OUTLINE_CALL && outline->is_message && outline->size &&
        polynomial_has_index(outline->size))
        return true;
    for (int i = 0; i < outline->count; i++)
        if (has_sizes_with_index(outline->children[i]))
            return true;
    return false;
}

static double trips_of(const struct outline *outline)
{
    if (!outline->loop)
        return 1;
    return fmax(0,
                polynomial_value(outline->loop->last) - polynomial_value(outline->loop->first) + 1);
}

struct walked {
    double messages, exchanges, message_bytes, collectives;
    bool has_index;  /* sizes differ between iterations */
    bool is_unknown; /* some size is not known */
};

static bool is_collective(const struct outline *call)
{
    return strcmp(call->utility, messages_utility("MPI_Send", false, true)) != 0 &&
           strcmp(call->utility, messages_utility("MPI_Sendrecv", false, true)) != 0 &&
           strcmp(call->utility, messages_utility("MPI_Sendrecv", false, false)) != 0;
}

static bool is_exchange(const char *utility)
{
    return strcmp(utility, messages_utility("MPI_Send", false, true)) != 0;
}

static void add_walked(const struct outline *outline, double times,
                       const struct outline *const *separate, int separate_count,
                       struct walked *walked)
{
    for (int i = 0; i < separate_count; i++)
        if (separate[i] == outline)
            return;
    if (outline->kind == OUTLINE_AGAIN) {
        add_walked(outline->again, times, separate, separate_count, walked);
        return;
    }
    if (outline->kind == OUTLINE_CALL && outline->is_message) {
        if (is_collective(outline)) {
            walked->collectives += times;
            walked->is_unknown = walked->is_unknown || !outline->size;
            return;
        }
        walked->messages += times;
        walked->exchanges += is_exchange(outline->utility) ? times : 0;
        walked->is_unknown = walked->is_unknown || !outline->size;
        walked->has_index =
            walked->has_index || (outline->size && polynomial_has_index(outline->size));
        walked->message_bytes += outline->size ? times * polynomial_value(outline->size) : 0;
    }
    times *= trips_of(outline);
    for (int i = 0; i < outline->count; i++)
        add_walked(outline->children[i], times, separate, separate_count, walked);
}

/* ---- the same as the processes do it ---- */

/* A number of calls as a law in p and in how often loops run. */
struct settled {
    const struct group *group;
    polynomial count;
    polynomial mean;    /* bytes of one where sizes differ; NULL: all are as large as the largest */
    polynomial members; /* of a collective operation of some processes; NULL: of all */
};

/* How often loops run that were left early, with every group: at these runs. */
static bool real_count(const struct group *few, const struct group *more, double *fixed,
                       double *each)
{
    const double loops = few->loop_count;
    if (few->loop_count != more->loop_count || few->is_odd || more->is_odd)
        return false;
    *fixed = *each = 0;
    if (loops == 0) {
        *fixed = few->count;
        return few->count == more->count;
    }
    *each = (more->count - few->count) / (pow(MORE, loops) - pow(FEW, loops));
    *fixed = few->count - *each * pow(FEW, loops);
    return true;
}

static const struct group *same_group(struct settling *it, const struct tally *tally,
                                      const struct group *group)
{
    for (int i = 0; i < tally->count; i++) {
        const struct group *other = &tally->groups[i];
        const bool is_as_large =
            it->is_merged ? group->call == other->call
            : group->form && other->form
                ? polynomial_equal(&it->describer->algebra, group->form, other->form)
                : !group->form && !other->form;
        const bool is_of_some = group->is_part || other->is_part;
        if (is_as_large && !strcmp(group->utility, other->utility) &&
            group->is_message == other->is_message && (!is_of_some || group->call == other->call))
            return other;
    }
    return NULL;
}

/* Messages of all sizes as of the largest: where each process sends another size, as of the rows of
   a matrix that are not as many for all, no size has a law of its own. */
static void merge_sizes(struct describer *describer, struct tally *tally)
{
    struct algebra *algebra = &describer->algebra;
    for (int i = 0; i < tally->count; i++) {
        struct group *group = &tally->groups[i];
        group->least = group->bytes;
        group->all = group->count * group->bytes;
        group->total = group->form && group->loop_count == 0
                           ? polynomial_scaled(algebra, group->form, group->count)
                           : NULL;
    }
    for (int i = 0; i < tally->count; i++)
        for (int k = i + 1; k < tally->count;) {
            struct group *one = &tally->groups[i], *other = &tally->groups[k];
            if (strcmp(one->utility, other->utility) != 0 || one->is_message != other->is_message ||
                one->call != other->call) {
                k++;
                continue;
            }
            const bool has_same_loops = one->loop_count == other->loop_count;
            const double count = one->count + other->count;
            const double least = fmin(one->least, other->least), all = one->all + other->all;
            polynomial total = one->total && other->total
                                   ? polynomial_sum(algebra, one->total, other->total, 1)
                                   : NULL;
            if (other->bytes > one->bytes) {
                const bool is_odd = one->is_odd;
                *one = *other;
                one->is_odd = one->is_odd || is_odd;
            }
            one->count = count;
            one->least = least;
            one->all = all;
            one->total = total;
            one->is_odd = one->is_odd || !has_same_loops;
            tally->groups[k] = tally->groups[--tally->count];
        }
}

struct tallies {
    int p[TRIED], count;
    struct tally *few[TRIED], *more[TRIED];
};

static bool is_left_out(struct settling *it, const struct run *run, const struct slice *slice,
                        const struct syntax *const *loops, int loop_count, struct slice *without)
{
    int *instances = arena_take(it->describer->arena, (size_t)run->p, sizeof(int));
    for (int i = 0; i < loop_count; i++) {
        if (!slice_instances(slice, loops[i], instances))
            return false;
        without[i] = slice_of_instances(slice, instances);
    }
    return true;
}

/* A program that ends without a message where it has some with other numbers of processes does not
   run with so many. */
static bool has_events(const struct run *run)
{
    for (int r = 0; r < run->p; r++)
        if (run->processes[r].event_count)
            return true;
    return false;
}

static bool take_tallies(struct settling *it, const struct syntax *const *loops, int loop_count,
                         struct tallies *tallies)
{
    struct slice slice, without[LOOPS_LEFT_OUT];
    tallies->count = 0;
    for (int i = 0; i < TRIED; i++) {
        const struct run *few = run_with(it, it->ranks->tried[i], FEW);
        if (few->ending == REFUSED || (few->ending == ENDED && !has_events(few)))
            continue;
        if (few->ending != ENDED)
            return false;
        const struct run *more = few->is_shortened ? run_with(it, it->ranks->tried[i], MORE) : few;
        struct tally *tally = arena_take(it->describer->arena, 2, sizeof *tally);
        if (!slice_at(it, few, &slice) || !is_left_out(it, few, &slice, loops, loop_count, without))
            return false;
        slice_tally(&slice, without, loop_count, &tally[0]);
        tally[1] = tally[0];
        if (more != few) {
            if (more->ending != ENDED || !slice_at(it, more, &slice) ||
                !is_left_out(it, more, &slice, loops, loop_count, without))
                return false;
            slice_tally(&slice, without, loop_count, &tally[1]);
        }
        if (tally[0].is_full || tally[1].is_full)
            return false;
        tallies->p[tallies->count] = it->ranks->tried[i];
        tallies->few[tallies->count] = &tally[0];
        tallies->more[tallies->count++] = &tally[1];
    }
    return tallies->count > 0;
}

/* Numbers of processes for which a law holds, the most general first. */
static bool is_any(int p)
{
    return p > 0;
}

/* A process in the middle of two has a neighbour on one side only. */
static bool is_several(int p)
{
    return p > 2;
}

static bool is_even(int p)
{
    return p > 2 && p % 2 == 0;
}

static bool is_power(int p)
{
    return (p & (p - 1)) == 0;
}

static bool is_larger_power(int p)
{
    return p > 2 && is_power(p);
}

static bool is_none(int p)
{
    (void)p;
    return false;
}

static const struct {
    bool (*has)(int p);
    const char *said;
} domains[] = {
    {is_any,          NULL                                },
    {is_several,      "of 3 processes and more"           },
    {is_even,         "of 4, 6, 8 and so on processes"    },
    {is_power,        "of 2, 4, 8, 16 and so on processes"},
    {is_larger_power, "of 4, 8, 16 and so on processes"   },
};

/* The number of a group's calls, as a law of those numbers of processes; NULL: there is none. */
static polynomial count_in(struct settling *it, const struct tallies *tallies,
                           const struct group *group, bool (*has)(int p))
{
    struct algebra *algebra = &it->describer->algebra;
    double fixed[TRIED] = {0}, each[TRIED] = {0};
    int p[TRIED], count = 0;
    for (int i = 0; i < tallies->count; i++) {
        const struct group *few = same_group(it, tallies->few[i], group);
        const struct group *more = same_group(it, tallies->more[i], group);
        if (!has(tallies->p[i]))
            continue;
        p[count] = tallies->p[i];
        fixed[count] = each[count] = 0;
        if ((few || more) && (!few || !more || !real_count(few, more, &fixed[count], &each[count])))
            return NULL;
        count++;
    }
    polynomial once = law_of(it->describer, p, fixed, count);
    polynomial times = law_of(it->describer, p, each, count);
    if (count == 0 || !once || !times)
        return NULL;
    if (times->count == 0)
        return once;
    for (int i = 0; i < group->loop_count; i++)
        times = polynomial_product(algebra, times, group->loops[i]);
    return polynomial_sum(algebra, once, times, 1);
}

/* How many processes take part in a collective operation, as a law; NULL in *members: all. */
static bool members_of(struct settling *it, const struct tallies *tallies,
                       const struct group *group, bool (*has)(int p), polynomial *members)
{
    double values[TRIED];
    int p[TRIED], count = 0;
    bool is_all = true;
    for (int i = 0; i < tallies->count; i++) {
        const struct group *other = same_group(it, tallies->few[i], group);
        if (!other || !has(tallies->p[i]))
            continue;
        p[count] = tallies->p[i];
        values[count++] = other->members;
        is_all = is_all && other->members == tallies->p[i];
    }
    *members = is_all ? NULL : law_of(it->describer, p, values, count);
    return is_all || *members;
}

static int settled_of(struct settling *it, const struct tallies *tallies, size_t domain,
                      struct settled *settled, int most)
{
    int count = 0;
    for (int i = tallies->count - 1; i >= 0; i--)
        for (int k = 0; domains[domain].has(tallies->p[i]) && k < tallies->few[i]->count; k++) {
            const struct group *group = &tallies->few[i]->groups[k];
            bool is_known = false;
            for (int s = 0; s < count && !is_known; s++) {
                struct tally one = {.count = 1};
                one.groups[0] = *settled[s].group;
                is_known = same_group(it, &one, group) != NULL;
            }
            if (is_known)
                continue;
            if (count == most)
                return -1;
            settled[count].group = group;
            settled[count].mean = NULL;
            settled[count].members = NULL;
            settled[count].count = count_in(it, tallies, group, domains[domain].has);
            if (settled[count].count && !group->is_message &&
                !members_of(it, tallies, group, domains[domain].has, &settled[count].members))
                settled[count].count = NULL;
            count++;
        }
    return count;
}

/* ---- putting right ---- */

static int remove_calls(struct outline *outline, const struct outline *const *separate,
                        int separate_count, bool keeps_collectives)
{
    int first = outline->count, kept = 0;
    for (int i = 0; i < outline->count; i++) {
        struct outline *child = outline->children[i];
        bool is_separate = false;
        for (int k = 0; k < separate_count; k++)
            is_separate = is_separate || separate[k] == child;
        if (child->kind == OUTLINE_CALL && child->is_message &&
            !(keeps_collectives && is_collective(child))) {
            first = kept < first ? kept : first;
            continue;
        }
        if (!is_separate && has_calls(child)) {
            first = kept < first ? kept : first;
            remove_calls(child, separate, separate_count, keeps_collectives);
        }
        outline->children[kept++] = child;
    }
    outline->count = kept;
    return first < kept ? first : kept;
}

/* What a formula names, and what that is derived from, is used in the description. */
static void use_all(struct describer *describer, polynomial formula)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    for (int i = 0; i < formula->count; i++)
        for (int j = 0; j < formula->terms[i].degree; j++) {
            struct symbol *symbol = formula->terms[i].symbols[j];
            symbol->is_used = true;
            for (const char *at = symbol->definition ? symbol->definition : ""; *at; at++) {
                const size_t length = strspn(at, letters);
                struct symbol *named =
                    length
                        ? symbol_find(&describer->symbols, arena_copy(describer->arena, at, length))
                        : NULL;
                if (named && named != symbol)
                    use_all(describer, polynomial_symbol(&describer->algebra, named));
                at += length ? length - 1 : 0;
            }
        }
}

static void insert_calls(struct settling *it, struct outline *body, int at,
                         const struct settled *settled, const char *said)
{
    struct describer *describer = it->describer;
    const struct group *group = settled->group;
    polynomial size = settled->mean ? settled->mean
                      : group->form ? group->form
                                    : polynomial_constant(&describer->algebra, group->bytes);
    double count;
    struct outline *into = arena_take(describer->arena, 1, sizeof *into);
    *into = (struct outline){.kind = OUTLINE_WAY};
    const bool is_number = polynomial_is_constant(settled->count, &count);
    it->ranks->uses[it->ranks->use_count++ % USES_MOST] = size;
    it->ranks->uses[it->ranks->use_count++ % USES_MOST] = settled->count;
    if (is_number && count == 0)
        return;
    struct outline *before = describer->body;
    describer->body = into;
    struct outline *call =
        messages_add_told(describer, group->utility, size, group->call->name, group->call->place);
    describer->body = before;
    if (it->is_merged)
        said = arena_format(describer->arena, "%s%sall as large as %s", said ? said : "",
                            said ? ", " : "", settled->mean ? "their mean" : "the largest");
    if (said)
        call->remark = arena_format(describer->arena, "%s: %s", call->remark, said);
    if (settled->members) {
        it->ranks->uses[it->ranks->use_count++ % USES_MOST] = settled->members;
        call->processors = polynomial_text(&describer->algebra, settled->members, " ");
    }
    if (is_number && count == 1) {
        outline_insert(describer->arena, body, at, call);
        return;
    }
    const struct loop *around = NULL;
    for (const struct outline *above = body; above && !around; above = above->up)
        around = above->loop;
    struct loop *loop = arena_take(describer->arena, 1, sizeof *loop);
    *loop = (struct loop){.index = symbol_index(&describer->symbols, "message", around),
                          .first = polynomial_constant(&describer->algebra, 1),
                          .last = settled->count,
                          .up = around,
                          .depth = around ? around->depth + 1 : 0,
                          .place = group->call->place};
    struct outline *outline = arena_take(describer->arena, 1, sizeof *outline);
    *outline = (struct outline){.kind = OUTLINE_LOOP, .loop = loop, .place = group->call->place};
    outline_insert(describer->arena, outline, 0, call);
    outline_insert(describer->arena, body, at, outline);
}

static void cannot(struct settling *it, struct place place, const char *why)
{
    it->describer->is_lawless = true;
    describer_fail(it->describer, place,
                   "%s: %s`ignore` the statement, and say what is sent: #pragma forecost call "
                   "point-to-point bytes(E) repeat(N)",
                   why, it->describer->is_of_one ? "" : "give one number, -p P, or ");
}

/* Each group with its law, of the most numbers of processes that there is one of. */
static bool settle_groups(struct settling *it, const struct tallies *tallies,
                          struct settled *settled, int most, int *count, size_t *domain)
{
    for (*domain = 0; *domain < sizeof domains / sizeof *domains; ++*domain) {
        *count = settled_of(it, tallies, *domain, settled, most);
        bool is_told = *count >= 0;
        for (int i = 0; i < *count; i++)
            is_told = is_told && settled[i].count;
        if (is_told)
            return true;
    }
    return false;
}

/* Sizes without a formula that are that much alike are as the largest. */
static const double ALIKE = 0.25;

/* A group without a formula of its size whose sizes at some numbers of processes are that much, as
   a part of the largest, smaller; NULL: there is none. */
static const struct group *differing(struct settling *it, const struct tallies *tallies,
                                     const struct settled *settled, int count, double most)
{
    for (int i = 0; i < count; i++)
        for (int k = 0; k < tallies->count && !settled[i].group->form && !settled[i].mean; k++) {
            const struct group *group = settled[i].group;
            const struct group *other = same_group(it, tallies->few[k], group);
            if (other && fabs(other->bytes - group->bytes) > most * group->bytes)
                return group;
        }
    return NULL;
}

/* Whether one call moves several sizes without a formula. */
static bool has_unlike(const struct tallies *tallies)
{
    for (int i = 0; i < tallies->count; i++)
        for (int k = 0; k < tallies->few[i]->count; k++)
            for (int l = 0; l < k; l++) {
                const struct group *one = &tallies->few[i]->groups[k];
                const struct group *other = &tallies->few[i]->groups[l];
                if (!one->form && !other->form && one->call == other->call &&
                    one->is_message == other->is_message && !strcmp(one->utility, other->utility))
                    return true;
            }
    return false;
}

/* The bytes of all calls of a merged group, as a law in p: parameter by parameter; NULL: there is
   none. */
static polynomial total_in(struct settling *it, const struct tallies *tallies,
                           const struct group *group, bool (*has)(int p))
{
    struct algebra *algebra = &it->describer->algebra;
    polynomial sum = polynomial_constant(algebra, 0), terms = sum;
    for (int i = 0; i < tallies->count; i++) {
        const struct group *here = same_group(it, tallies->few[i], group);
        if (!has(tallies->p[i]) || !here)
            continue;
        if (!here->total)
            return NULL;
        terms = polynomial_sum(algebra, terms, here->total, exp2(0.1 + i)); /* none vanishes */
    }
    for (int t = 0; t < terms->count; t++) {
        int p[TRIED], count = 0;
        double factors[TRIED];
        for (int i = 0; i < tallies->count; i++) {
            const struct group *here = same_group(it, tallies->few[i], group);
            if (!has(tallies->p[i]))
                continue;
            p[count] = tallies->p[i];
            factors[count] = 0;
            for (int k = 0; here && k < here->total->count; k++)
                if (term_same_symbols(&here->total->terms[k], &terms->terms[t]))
                    factors[count] = here->total->terms[k].factor;
            count++;
        }
        polynomial law = law_of(it->describer, p, factors, count);
        struct term one = terms->terms[t];
        one.factor = 1;
        if (!law)
            return NULL;
        sum = polynomial_sum(algebra, sum,
                             polynomial_product(algebra, law, polynomial_term(algebra, one)), 1);
    }
    return sum;
}

/* The mean of their sizes, as a law in p, where these are no more than numbers; NULL: there is
 * none.
 */
static polynomial mean_in_numbers(struct settling *it, const struct tallies *tallies,
                                  const struct group *group, bool (*has)(int p))
{
    int p[TRIED], count = 0;
    double means[TRIED];
    for (int i = 0; i < tallies->count; i++) {
        const struct group *here = same_group(it, tallies->few[i], group);
        if (!has(tallies->p[i]) || !here || here->count == 0)
            continue;
        if (here->loop_count > 0 || here->is_odd)
            return NULL;
        p[count] = tallies->p[i];
        means[count++] = here->all / here->count;
    }
    return law_of(it->describer, p, means, count);
}

/* Whether calls of a merged group are not alike in their sizes, or have other ones at each number
   of processes: then they are as large as their mean. false: no law was found for it. */
static bool mean_of(struct settling *it, const struct tallies *tallies, struct settled *settled,
                    bool (*has)(int p))
{
    struct describer *describer = it->describer;
    const struct group *group = settled->group;
    bool is_alike = true, is_formed = true;
    for (int i = 0; i < tallies->count; i++) {
        const struct group *here = same_group(it, tallies->few[i], group);
        if (!has(tallies->p[i]) || !here)
            continue;
        const bool has_forms = here->form && group->form;
        double more = 0;
        is_formed = is_formed && has_forms;
        is_alike = is_alike && here->least >= (1 - ALIKE) * here->bytes &&
                   (!has_forms ||
                    (polynomial_is_constant(
                         polynomial_sum(&describer->algebra, here->form, group->form, -1), &more) &&
                     fabs(more) <= ALIKE * here->bytes));
    }
    settled->mean = NULL;
    if (is_alike)
        return true;
    polynomial total = is_formed ? total_in(it, tallies, group, has) : NULL;
    if (!total && settled->count)
        settled->mean = mean_in_numbers(it, tallies, group, has);
    if (!total || !settled->count)
        return settled->mean;
    const char *mean = arena_format(describer->arena, "(%s) / (%s)",
                                    polynomial_text(&describer->algebra, total, " "),
                                    polynomial_text(&describer->algebra, settled->count, " "));
    it->ranks->uses[it->ranks->use_count++ % USES_MOST] = total;
    settled->mean = polynomial_symbol(
        &describer->algebra,
        symbol_derived(&describer->symbols, "mean", mean,
                       polynomial_value(total) / fmax(1, polynomial_value(settled->count))));
    return true;
}

/* The same, where sizes that change with a loop may not be those of its first iterations: it is run
   whole. */
static bool take_whole_tallies(struct settling *it, const struct syntax *const *loops,
                               int loop_count, struct tallies *tallies)
{
    struct ranks *ranks = it->ranks;
    const bool follows_sizes = ranks->follows_sizes;
    ranks->follows_sizes = false;
    ranks->run_count = follows_sizes ? 0 : ranks->run_count;
    const bool is_taken = take_tallies(it, loops, loop_count, tallies);
    ranks->follows_sizes = follows_sizes;
    return is_taken;
}

static void replace(struct settling *it, struct outline *body,
                    const struct outline *const *separate, int separate_count,
                    const struct syntax *const *loops, bool keeps_collectives, struct place place)
{
    enum { MOST = 2 * TALLY_MOST };
    struct tallies tallies;
    struct settled settled[MOST];
    if (!take_whole_tallies(it, loops, separate_count, &tallies)) {
        cannot(it, place,
               "how many messages one process waits for after the other differs from "
               "one number of processes to the next in a way that is not followed");
        return;
    }
    int count = 0;
    size_t domain = 0;
    bool is_told = settle_groups(it, &tallies, settled, MOST, &count, &domain);
    if (!is_told || count > SIZES_MOST || differing(it, &tallies, settled, count, 0) ||
        has_unlike(&tallies)) {
        for (int i = 0; i < tallies.count; i++) {
            merge_sizes(it->describer, tallies.few[i]);
            if (tallies.more[i] != tallies.few[i])
                merge_sizes(it->describer, tallies.more[i]);
        }
        it->is_merged = true;
        settle_groups(it, &tallies, settled, MOST, &count, &domain);
        for (int i = 0; i < count && domain < sizeof domains / sizeof *domains; i++)
            if (!mean_of(it, &tallies, &settled[i], domains[domain].has)) {
                const struct syntax *call = settled[i].group->call;
                cannot(it, call->place,
                       arena_format(it->describer->arena,
                                    "the messages of %s here are not of one size, and how many "
                                    "bytes all of them have follows no law in the number of "
                                    "processes that is known",
                                    call->name));
            }
    }
    if (count < 0)
        cannot(it, place, "more kinds of messages than are followed are sent here");
    const struct group *differs = differing(it, &tallies, settled, count, ALIKE);
    if (differs)
        cannot(it, differs->call->place,
               arena_format(it->describer->arena,
                            "how many bytes %s moves here depends on which process it is and on "
                            "how many there are, and no formula was found for it",
                            differs->call->name));
    for (int i = 0; i < count; i++)
        if (!settled[i].count)
            cannot(it, settled[i].group->call->place,
                   arena_format(it->describer->arena,
                                "how many times one process after the other waits for %s here "
                                "follows no law in the number of processes that is known",
                                settled[i].group->call->name));
    if (it->describer->has_failed)
        return;
    int at = remove_calls(body, separate, separate_count, keeps_collectives);
    if (domains[domain].said)
        it->describer->domain = domains[domain].has;
    for (int i = 0; i < count; i++)
        if (settled[i].group->is_message || !keeps_collectives)
            insert_calls(it, body, at < body->count ? at : body->count, &settled[i],
                         domains[domain].said);
    it->is_merged = false;
}

/* ---- loops that are settled by themselves ---- */

static bool is_only(const struct outline *body, const struct outline *child)
{
    int count = 0;
    for (int i = 0; i < body->count; i++)
        count += body->children[i]->loop && body->children[i]->loop->syntax == child->loop->syntax;
    return count == 1;
}

/* The parameter that stands for how often a loop runs where the source does not say that, or NULL.
 */
static struct symbol *open_trips(const struct loop *loop)
{
    struct symbol *symbol = NULL;
    for (int i = 0; i < loop->last->count && loop->last->count <= 2; i++)
        if (loop->last->terms[i].degree == 1)
            symbol = loop->last->terms[i].symbols[0];
    const bool is_open = symbol && symbol->kind == SYMBOL_PARAMETER && !symbol->has_value &&
                         !strncmp(symbol->name, "trips", 5);
    return is_open ? symbol : NULL;
}

/* Whether all processes go through the loop together, and each iteration's messages end in it: then
   the loop takes its iterations one after the other. */
static bool is_separate(struct settling *it, const struct slice *slice, const struct outline *body,
                        const struct outline *child)
{
    const struct event *open;
    const struct syntax *loop = child->loop ? child->loop->syntax : NULL;
    if (child->kind != OUTLINE_LOOP || !loop || !communicates(it->ranks, loop) ||
        !is_only(body, child) || it->depth == PATH_MOST)
        return false;
    int *instances = arena_take(it->describer->arena, (size_t)slice->run->p, sizeof(int));
    if (!slice_instances(slice, loop, instances))
        return false;
    const int iterations = slice_iterations(slice, instances);
    if (iterations < 1 || slice_is_left(slice, instances))
        return false;
    /* the walk may take the same iterations two by two */
    const struct instance *instance = &slice->run->processes[0].instances[instances[0]];
    const double trips = !instance->is_shortened ? iterations
                         : instance->trips       ? polynomial_value(instance->trips)
                                                 : trips_of(child);
    if (slice->run->p == it->ranks->tried[COMPARED] && !open_trips(child->loop) &&
        fabs(trips_of(child) - trips) > 0.5)
        return false;
    const bool is_indexed = has_sizes_with_index(child);
    struct tally *tallies = arena_take(it->describer->arena, 3, sizeof *tallies);
    const struct slice whole = slice_of_instances(slice, instances);
    slice_tally(&whole, NULL, 0, &tallies[0]);
    double time = 0;
    for (int i = 0; i < iterations; i++) {
        const struct slice one = slice_iteration(slice, instances, i);
        if (!slice_is_closed(&one, &open))
            return false;
        slice_tally(&one, NULL, 0, &tallies[i ? 2 : 1]);
        const bool is_alike =
            is_indexed ? tally_calls(&tallies[2], true) == tally_calls(&tallies[1], true) &&
                             tally_calls(&tallies[2], false) == tally_calls(&tallies[1], false)
                       : tally_is_same(&tallies[2], &tallies[1]);
        if (i && !is_alike)
            return false;
        time += tally_time(&tallies[i ? 2 : 1]);
    }
    return fabs(time - tally_time(&tallies[0])) < 1e-6 * (1 + time);
}

/* What takes the time of a body, all loops in their real length. */
struct totals {
    double messages, exchanges, bytes, collectives;
};

static bool add_totals(const struct tally *few, const struct tally *more, struct settling *it,
                       struct totals *totals)
{
    for (int i = 0; i < few->count; i++) {
        const struct group *group = &few->groups[i];
        const struct group *other = same_group(it, more, group);
        double fixed, each;
        if (!other || !real_count(group, other, &fixed, &each))
            return false;
        for (int k = 0; k < group->loop_count; k++)
            each *= polynomial_value(group->loops[k]);
        if (group->is_message) {
            totals->messages += fixed + each;
            totals->exchanges += is_exchange(group->utility) ? fixed + each : 0;
            totals->bytes += (fixed + each) * group->bytes;
        } else
            totals->collectives += fixed + each;
    }
    return few->count == more->count;
}

static bool totals_of(struct settling *it, const struct slice *slice, const struct tally *few,
                      const struct syntax *const *loops, int loop_count, struct totals *totals)
{
    struct slice again, without[LOOPS_LEFT_OUT];
    bool is_shortened = false;
    for (int i = 0; i < few->count; i++)
        is_shortened = is_shortened || few->groups[i].loop_count || few->groups[i].is_odd;
    if (!is_shortened)
        return add_totals(few, few, it, totals);
    const struct run *run = run_with(it, slice->run->p, MORE);
    struct tally *more = arena_take(it->describer->arena, 1, sizeof *more);
    if (run->ending != ENDED || !slice_at(it, run, &again) ||
        !is_left_out(it, run, &again, loops, loop_count, without))
        return false;
    slice_tally(&again, without, loop_count, more);
    return add_totals(few, more, it, totals);
}

/* How often the process that does so most goes through a loop of which the source does not say
   that, as a law in p: its outline has a parameter instead. */
static void settle_trips(struct settling *it, struct outline *outline)
{
    struct loop *loop = (struct loop *)outline->loop;
    int p[TRIED], count = 0;
    double trips[TRIED];
    struct symbol *symbol = open_trips(loop);
    if (!symbol)
        return;
    for (int i = 0; i < TRIED; i++) {
        struct slice slice;
        const struct run *run = run_with(it, it->ranks->tried[i], FEW);
        if (run->ending == REFUSED || (run->ending == ENDED && !has_events(run)))
            continue;
        if (run->ending != ENDED || !slice_at(it, run, &slice))
            return;
        trips[count] = slice_most_iterations(&slice, loop->syntax);
        if (trips[count] < 0)
            return;
        p[count++] = it->ranks->tried[i];
    }
    polynomial law = count > 0 ? law_of(it->describer, p, trips, count) : NULL;
    if (!law)
        return;
    symbol->is_answered = true;
    loop->last = polynomial_plus(&it->describer->algebra,
                                 polynomial_sum(&it->describer->algebra, loop->first, law, 1), -1);
    it->ranks->uses[it->ranks->use_count++ % USES_MOST] = law;
}

/* Loops that are settled by themselves. */
struct inner {
    const struct outline *const *separate;
    const struct syntax *const *loops;
    const struct slice *without;
    int count;
};

/* Whether the walk has made of a body what the processes do in the slice; else whether its
   collective operations are right, and where it begins to differ. */
static bool agrees(struct settling *it, const struct outline *body, const struct slice *slice,
                   const struct inner *inner, bool is_chain, bool *keeps_collectives,
                   struct place *place)
{
    struct tally *tally = arena_take(it->describer->arena, 1, sizeof *tally);
    struct walked walked = {0};
    struct totals totals = {0};
    bool is_of_all = true;
    (is_chain ? slice_chain : slice_tally)(slice, inner->without, inner->count, tally);
    for (int i = 0; i < body->count; i++)
        add_walked(body->children[i], 1, inner->separate, inner->count, &walked);
    is_of_all = !slice_has_parts(slice);
    for (int i = 0; i < tally->count; i++)
        is_of_all =
            is_of_all && (tally->groups[i].is_message || tally->groups[i].members == slice->run->p);
    if (tally->count)
        *place = tally->groups[0].call->place;
    const bool is_right = is_of_all && !slice_has_left(slice) &&
                          totals_of(it, slice, tally, inner->loops, inner->count, &totals) &&
                          !walked.is_unknown && totals.messages == walked.messages &&
                          totals.exchanges == walked.exchanges &&
                          totals.collectives == walked.collectives &&
                          (walked.has_index ||
                           fabs(walked.message_bytes - totals.bytes) <= 1e-6 * (1 + totals.bytes));
    *keeps_collectives =
        is_of_all && !walked.is_unknown && totals.collectives == walked.collectives;
    return is_right;
}

/* The same with the number of processes that is wanted, where that is small. */
static bool agrees_at_wanted(struct settling *it, const struct outline *body,
                             const struct inner *inner)
{
    struct describer *describer = it->describer;
    struct slice slice, without[LOOPS_LEFT_OUT];
    const int wanted = describer->wanted, compared = it->ranks->tried[COMPARED];
    struct place place;
    bool keeps_collectives;
    if (wanted < 2 || wanted >= compared)
        return true;
    const struct run *run = run_with(it, wanted, FEW);
    if (run->ending != ENDED || !slice_at(it, run, &slice) ||
        !is_left_out(it, run, &slice, inner->loops, inner->count, without))
        return true;
    const struct inner its = {inner->separate, inner->loops, without, inner->count};
    condition_set_processors(describer, wanted);
    const bool is_right = agrees(it, body, &slice, &its, false, &keeps_collectives, &place) ||
                          agrees(it, body, &slice, &its, true, &keeps_collectives, &place);
    condition_set_processors(describer, compared);
    return is_right;
}

/* Whether sizes have the index of a loop that is settled iteration by iteration. */
static bool is_of_path(const struct settling *it, const struct outline *outline)
{
    polynomial size = outline->kind == OUTLINE_CALL ? outline->size : NULL;
    for (int i = 0; size && i < size->count; i++)
        for (int j = 0; j < size->terms[i].degree; j++)
            for (int k = 0; k < it->depth; k++) {
                const struct symbol *symbol = size->terms[i].symbols[j];
                if (symbol->kind == SYMBOL_INDEX && symbol->loop &&
                    symbol->loop->syntax == it->path[k])
                    return true;
            }
    for (int i = 0; i < outline->count; i++)
        if (is_of_path(it, outline->children[i]))
            return true;
    return false;
}

/* Messages that cross are exchanges. */
static void make_exchanges(struct outline *outline)
{
    if (outline->kind == OUTLINE_CALL && outline->is_message && !is_exchange(outline->utility))
        outline->utility = messages_utility("MPI_Sendrecv", false, true);
    for (int i = 0; i < outline->count; i++)
        make_exchanges(outline->children[i]);
}

static void settle_body(struct settling *it, struct outline *body, const struct slice *slice)
{
    const struct outline *separate[LOOPS_LEFT_OUT];
    const struct syntax *loops[LOOPS_LEFT_OUT];
    struct slice without[LOOPS_LEFT_OUT];
    int count = 0;
    int *instances = arena_take(it->describer->arena, (size_t)slice->run->p, sizeof(int));
    for (int i = 0; i < body->count && count < LOOPS_LEFT_OUT; i++)
        if (is_separate(it, slice, body, body->children[i])) {
            separate[count] = body->children[i];
            loops[count] = body->children[i]->loop->syntax;
            slice_instances(slice, loops[count], instances);
            without[count++] = slice_of_instances(slice, instances);
        }
    for (int i = 0; i < body->count; i++)
        if (body->children[i]->kind == OUTLINE_LOOP && body->children[i]->loop->syntax)
            settle_trips(it, body->children[i]);
    for (int i = 0; i < count && !it->describer->has_failed; i++) {
        slice_instances(slice, loops[i], instances);
        const struct slice first = slice_iteration(slice, instances, 0);
        it->path[it->depth++] = loops[i];
        settle_body(it, (struct outline *)separate[i], &first);
        it->depth--;
    }
    if (it->describer->has_failed)
        return;
    const struct inner inner = {separate, loops, without, count};
    struct place place = body->place;
    bool keeps_collectives;
    if (agrees(it, body, slice, &inner, false, &keeps_collectives, &place)) {
        if (!agrees_at_wanted(it, body, &inner))
            it->describer->domain = is_none;
        return;
    }
    if (is_of_path(it, body)) { /* the first iteration says nothing of the sizes of the others */
        make_exchanges(body);
        if (agrees(it, body, slice, &inner, false, &keeps_collectives, &place))
            return;
    }
    replace(it, body, separate, count, loops, keeps_collectives, place);
}

static bool has_parts(const struct outline *outline)
{
    bool has = outline->kind == OUTLINE_PART && outline->part->statement_count > 0;
    for (int i = 0; i < outline->count && !has; i++)
        has = has_parts(outline->children[i]);
    return has;
}

/* ---- segments ---- */

static bool has_ways(const struct outline *outline)
{
    if (outline->kind == OUTLINE_WAY && has_calls(outline))
        return true;
    for (int i = 0; i < outline->count; i++)
        if (has_ways(outline->children[i]))
            return true;
    return false;
}

static const struct outline *unknown_call(const struct outline *outline)
{
    if (outline->kind == OUTLINE_CALL && outline->is_message && !outline->size)
        return outline;
    for (int i = 0; i < outline->count; i++) {
        const struct outline *found = unknown_call(outline->children[i]);
        if (found)
            return found;
    }
    return NULL;
}

/* Whether communicators of some processes are made: what goes on in them is not of all. */
static bool makes_groups(const struct source *source, const struct syntax *syntax, int depth)
{
    enum { DEPTH_MOST = 6 };
    if (syntax->kind == SYNTAX_CALL) {
        const struct function *function;
        if (!strcmp(syntax->name, "MPI_Comm_split") ||
            !strncmp(syntax->name, "MPI_Comm_create", 15))
            return true;
        for (int i = 0; depth < DEPTH_MOST && (function = function_maybe_called(source, syntax, i));
             i++)
            if (makes_groups(source, function->body, depth + 1))
                return true;
    }
    for (int i = 0; i < syntax->count; i++)
        if (syntax->children[i] && makes_groups(source, syntax->children[i], depth))
            return true;
    return false;
}

/* All calls that are one segment have to send the same. */
static bool calls_are_alike(struct settling *it, const struct run *run, const struct slice *first)
{
    struct slice other;
    struct tally *tallies = arena_take(it->describer->arena, 2, sizeof *tallies);
    for (int k = 1; segment_at(it, run, k, &other); k++) {
        if (slice_is_same(first, &other))
            continue;
        slice_tally(first, NULL, 0, &tallies[0]);
        slice_tally(&other, NULL, 0, &tallies[1]);
        if (tally_is_same(&tallies[0], &tallies[1]))
            continue;
        describer_fail(it->describer, it->segment->place,
                       "%s does not send the same each time that it is called: put #pragma "
                       "forecost segment NAME before the loop around its call, or, where there is "
                       "none, before each of its calls",
                       it->segment->name);
        return false;
    }
    return true;
}

static void settle(struct settling *it, struct segment *segment)
{
    const struct event *open;
    struct slice slice;
    if (has_ways(&segment->root)) /* as often as a directive says */
        return;
    const struct run *run = run_with(it, it->ranks->tried[COMPARED], FEW);
    int last = COMPARED;
    while ((run->ending == REFUSED || (run->ending == ENDED && !has_events(run))) && last > 0)
        run = run_with(it, it->ranks->tried[--last], FEW);
    if (it->describer->is_of_one && run->ending == ENDED && !has_events(run)) {
        remove_calls(&segment->root, NULL, 0, false);
        if (!has_parts(&segment->root))
            describer_fail(
                it->describer, segment->place,
                "with %d processes the program neither computes nor sends anything: give "
                "another number, -p P",
                run->p);
        return;
    }
    if (last == 0 && run->ending == ENDED && !it->describer->is_of_one)
        describer_remark(it->describer, segment->place,
                         "the program runs with %d processes only, and is described so", run->p);
    const bool is_certain = !segment->is_by_rank && !unknown_call(&segment->root) &&
                            !makes_groups(it->describer->source, it->root->body, 0);
    if (run->ending != ENDED) {
        if (!is_certain || run->is_firm)
            describer_fail(it->describer, run->place, "%s%s", run->why,
                           run->ending == REFUSED && run->is_shortened && has_missing(it->ranks)
                               ? arena_format(it->describer->arena,
                                              ", or one side's loop runs otherwise than the "
                                              "other's: give its number: -D %s=1000",
                                              it->ranks->missing[0]->name)
                               : "");
        return;
    }
    if (!slice_at(it, run, &slice))
        return;
    if (!slice_is_closed(&slice, &open)) {
        if (!slice_is_of_all(&slice))
            describer_fail(it->describer, segment->place,
                           "not all processes call %s here, and what %s %s in it is %s elsewhere: "
                           "put all that belongs together in braces, and #pragma forecost segment "
                           "NAME before them",
                           segment->name, open->call->name,
                           open->kind == EVENT_SEND ? "sends" : "receives",
                           open->kind == EVENT_SEND ? "received" : "sent");
        else if (!is_certain)
            cannot(it, open->call->place,
                   arena_format(it->describer->arena, "what this %s %s", open->call->name,
                                open->kind == EVENT_SEND ? "sends is received nowhere in this "
                                                           "segment"
                                                         : "receives is sent nowhere in this "
                                                           "segment"));
        return;
    }
    if (calls_are_alike(it, run, &slice))
        settle_body(it, &segment->root, &slice);
}

/* ---- whose turn it is ---- */

static void find_turns(struct ranks *ranks, const struct outline *outline)
{
    if (outline->turn) {
        ranks->turns = arena_more(ranks->describer->arena, ranks->turns, (size_t)ranks->turn_count,
                                  sizeof *ranks->turns);
        ranks->turns[ranks->turn_count++] = outline;
    }
    for (int i = 0; i < outline->count; i++)
        find_turns(ranks, outline->children[i]);
}

/* How often the processes that are asked for, or a few, take their turns in so many iterations of a
   loop that a parameter repeats: as often that who waits for whom shows. false: it is not known. */
static bool turns_of(struct settling *it, const struct outline *way, struct turns *turns)
{
    enum { PROCESSES = 2, ITERATIONS = 128 }; /* tried_usually[2] is 4 */
    struct slice slice;
    const int wanted = it->describer->wanted, most = it->ranks->tried[COMPARED];
    const int p = wanted > 1 && wanted <= most ? wanted : it->ranks->tried[PROCESSES];
    const struct run *run = run_with(it, p, ITERATIONS);
    if (run->ending == REFUSED)
        run = run_with(it, it->ranks->tried[COMPARED], FEW);
    if (run->ending != ENDED || !segment_at(it, run, 0, &slice))
        return false;
    *turns = slice_turns(&slice, way->turn, way->turn_way);
    return true;
}

/* A way that is as long as all turns together; the others' way is left beside it. */
static void lengthen(struct settling *it, struct outline *way)
{
    struct outline *branch = way->up, *around = branch->up;
    struct outline *alone = arena_take(it->describer->arena, 1, sizeof *alone);
    int at = 0, own = 0;
    way->probability = way->alone;
    while (around->children[at] != branch)
        at++;
    while (branch->children[own] != way)
        own++;
    branch->count--;
    memmove(&branch->children[own], &branch->children[own + 1],
            (size_t)(branch->count - own) * sizeof *branch->children);
    if (has_parts(branch))
        describer_remark(it->describer, way->turn->place,
                         "what one process does here and what the others do meanwhile is counted "
                         "as if it were done one after the other");
    *alone = (struct outline){.kind = OUTLINE_BRANCH, .place = branch->place};
    outline_insert(it->describer->arena, alone, 0, way);
    outline_insert(it->describer->arena, around, at, alone);
}

/* Where the others wait while one takes its turn, the turns are one after the other. What differs
   by no more than this share needs no remark: predictions are meant to be within it. */
static const double little = 0.1;

static void settle_turns(struct settling *it, struct outline *outline)
{
    struct turns turns;
    for (int i = 0; i < outline->count; i++) {
        struct outline *child = outline->children[i];
        settle_turns(it, child);
        i += outline->children[i] != child; /* moved by one */
    }
    if (!outline->turn || !has_parts(outline))
        return;
    if (!turns_of(it, outline, &turns)) {
        describer_remark(it->describer, outline->turn->place,
                         "whether the others wait while one process does this is not known: it is "
                         "described as if all did it at the same time");
        return;
    }
    const double beyond = turns.longest - turns.busiest,
                 left = fmin(turns.all, turns.asked) - turns.longest;
    if (beyond > left)
        lengthen(it, outline);
    if (fmin(beyond, left) > little * turns.busiest)
        describer_remark(it->describer, outline->turn->place,
                         "the processes do this partly one after the other: it is described as if "
                         "%s",
                         beyond > left ? "they all did" : "none waited for another one");
}

static const struct function *main_of(const struct source *source)
{
    for (int i = 0; i < source->function_count; i++)
        if (!strcmp(source->functions[i]->name, "main"))
            return source->functions[i];
    return NULL;
}

static void settle_all(struct ranks *ranks)
{
    struct describer *describer = ranks->describer;
    for (int i = 0; i < describer->segment_count && !describer->has_failed; i++) {
        struct segment *segment = describer->segments[i];
        struct settling it = {.describer = describer, .ranks = ranks, .segment = segment};
        if (!segment->syntax || !communicates(ranks, segment->syntax) || !segment->function)
            continue;
        struct slice slice;
        it.root = main_of(describer->source);
        const struct run *run = it.root ? run_with(&it, ranks->tried[COMPARED], FEW) : NULL;
        if (!run || (run->ending == ENDED && !slice_at(&it, run, &slice)))
            it.root = segment->function;
        settle(&it, segment);
        if (!describer->has_failed)
            settle_turns(&it, &segment->root);
        const struct outline *unknown = unknown_call(&segment->root);
        if (unknown && !describer->has_failed)
            describer_fail(describer, unknown->place, "%s", unknown->why);
    }
}

/* Compares what is described with what is sent: by the number of processes that is asked for, as
   far as the program is run quickly with it. */
static void check(struct ranks *ranks)
{
    enum { PROCESSES_MOST = 64, STEPS_MOST_CHECKED = 200000 };
    struct describer *describer = ranks->describer;
    const int wanted = describer->wanted;
    const int p = wanted > 1 && wanted <= PROCESSES_MOST ? wanted : ranks->tried[COMPARED];
    const struct function *root = main_of(describer->source);
    struct settling it = {.describer = describer, .ranks = ranks, .root = root};
    const struct run *run = root && p <= ranks->tried[COMPARED] ? run_with(&it, p, FEW) : NULL;
    if (!root || has_missing(ranks))
        return;
    if (!run || run->is_shortened)
        run = run_program(ranks, root, p, 0, STEPS_MOST_CHECKED);
    if (has_events(run))
        ranks_check(describer, run);
    else if (p == wanted && run->ending == ENDED && !describer->is_of_one) {
        describer->is_lawless = true;
        describer_fail(describer, root->place, "with %d processes the program sends nothing", p);
    }
}

void ranks_settle(struct describer *describer)
{
    struct ranks *ranks = arena_take(describer->arena, 1, sizeof *ranks);
    ranks->describer = describer;
    for (int i = 0; i < TRIED; i++)
        ranks->tried[i] =
            describer->is_of_one ? (int)describer->processors->value : tried_usually[i];
    ranks->marked =
        arena_take(describer->arena, (size_t)describer->segment_count + 1, sizeof(struct syntax *));
    for (int i = 0; i < describer->segment_count; i++) {
        const struct segment *segment = describer->segments[i];
        if (segment->syntax && communicates(ranks, segment->syntax))
            ranks->marked[ranks->marked_count++] = segment->syntax;
    }
    if (ranks->marked_count == 0)
        return;
    for (int i = 0; i < describer->segment_count; i++)
        find_turns(ranks, &describer->segments[i]->root);
    /* what the runs have computed with is no part of the description */
    const int count = describer->symbols.count;
    bool *was_used = arena_take(describer->arena, (size_t)count + 1, sizeof *was_used);
    for (int i = 0; i < count; i++)
        was_used[i] = describer->symbols.items[i]->is_used;
    for (int i = 0; i < describer->segment_count; i++)
        ranks->follows_sizes =
            ranks->follows_sizes || has_sizes_with_index(&describer->segments[i]->root);
    settle_all(ranks);
    if (!describer->has_failed)
        check(ranks);
    for (int i = 0; i < describer->symbols.count; i++)
        describer->symbols.items[i]->is_used =
            i < count && was_used[i] && !describer->symbols.items[i]->is_answered;
    for (int i = 0; i < ranks->use_count && i < USES_MOST; i++)
        use_all(describer, ranks->uses[i]);
}
