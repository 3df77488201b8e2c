/* A utility: its time or rate against message bytes (Abandah, IBM SP2, figures 2.2 to 2.10), and
   how far the model is from the points. */
#include "estimator/pictures/kinds.h"
#include "forecast/price/one_use.h"
#include "model/cost/rate.h"
#include "model/fit/points.h"

#include <math.h>
#include <string.h>

enum { SIZES = 240 };

static double value_of(const char *utility, double bytes, double processors, double time_us,
                       bool is_rate)
{
    return is_rate ? rate_mb_per_s(utility, bytes, processors, time_us) : time_us;
}

static double least_bytes(const struct cost *cost)
{
    return fmax(1.0, isnan(cost->bytes.least) ? 1.0 : cost->bytes.least);
}

/* The i-th of SIZES sizes that grow by equal factors over those that the cost was measured for. */
static double size_number(const struct cost *cost, int i)
{
    const double most = isfinite(cost->bytes.most) ? cost->bytes.most : 1048576.0;
    const double least = least_bytes(cost);
    return round(least * pow(most / least, (double)i / (SIZES - 1)));
}

/* ---- the model ---- */

/* A utility of a machine, as `cost` answers it, among so many that take part. */
struct asked {
    const struct machine *machine;
    const struct cost *cost; /* of one_use_find */
    double participants;
    bool is_rate;
};

static struct asked asked_of(const struct machine *machine, const struct cost *cost,
                             double processors, bool is_rate)
{
    return (struct asked){machine, cost, cost_processors(cost, processors), is_rate};
}

static int ask(const struct asked *asked, double bytes, struct one_use *use, struct error *error)
{
    return one_use_price(use, asked->machine, asked->cost, bytes, asked->participants, error);
}

static double drawn(const struct asked *asked, double bytes, const struct one_use *use,
                    double time_us)
{
    return value_of(asked->cost->utility, bytes, use->formula_p, time_us, asked->is_rate);
}

/* From low to high, where the table says how far off it is. */
static void draw_band(struct picture *picture, const struct asked *asked, int like)
{
    struct one_use use;
    if (ask(asked, least_bytes(asked->cost), &use, NULL) != 0 || !(use.high_us > use.low_us) ||
        !plot_series(&picture->plot, "", PLOT_BAND, like))
        return;
    for (int i = 0; i < SIZES; i++) {
        const double bytes = size_number(asked->cost, i);
        if (ask(asked, bytes, &use, NULL) == 0)
            plot_band(&picture->plot, bytes, drawn(asked, bytes, &use, use.low_us),
                      drawn(asked, bytes, &use, use.high_us));
    }
    plot_series_end(&picture->plot);
}

static void draw_model(struct picture *picture, const struct asked *asked)
{
    for (int i = 0; i < SIZES; i++) {
        struct one_use use;
        const double bytes = size_number(asked->cost, i);
        if (ask(asked, bytes, &use, NULL) == 0)
            plot_point(&picture->plot, bytes, drawn(asked, bytes, &use, use.time_us));
    }
    plot_series_end(&picture->plot);
}

/* ---- the points ---- */

/* What the model was fitted to. */
static double measured_us(const struct cost *cost, const struct point *point)
{
    return point_time_us(point, (enum statistic)cost->statistic);
}

static void draw_points(struct picture *picture, const struct list *points, const struct cost *cost,
                        double processors, bool is_rate, bool held_out, int like, const char *of)
{
    const char *utility = cost->utility;
    const struct point *items = points->items;
    const double attempt = points_last_attempt(points, utility, processors);
    char title[120];
    if (of)
        snprintf(title, sizeof title, "%s%s", of, held_out ? "held out" : "measured");
    else
        snprintf(title, sizeof title, "%s, p = %g", held_out ? "held out" : "measured",
                 cost_processors(cost, processors));
    if (attempt == 0.0 ||
        !plot_series(&picture->plot, title, held_out ? PLOT_OPEN_MARKS : PLOT_MARKS, like))
        return;
    for (size_t i = 0; i < points->count; i++)
        if (strcmp(items[i].utility, utility) == 0 && items[i].processors == processors &&
            items[i].attempt == attempt && items[i].held_out == held_out && items[i].bytes > 0.0)
            plot_point(&picture->plot, items[i].bytes,
                       value_of(utility, items[i].bytes, processors, measured_us(cost, &items[i]),
                                is_rate));
    plot_series_end(&picture->plot);
}

void picture_cost(struct picture *picture, const struct machine *machine, const struct cost *cost,
                  const struct list *points, const char *title, const char *which, bool is_rate)
{
    const double processors = isfinite(cost->processors.most) ? cost->processors.most : 2.0;
    const struct asked asked = asked_of(machine, cost, processors, is_rate);
    const int like = picture->colours++;
    char of[80];
    snprintf(of, sizeof of, "%s, %s, ", title, which);
    if (picture_series(picture, machine, PLOT_LINE, like, "%smodel", of))
        draw_model(picture, &asked);
    draw_points(picture, points, cost, processors, is_rate, false, like, of);
    draw_points(picture, points, cost, processors, is_rate, true, like, of);
}

static void draw_at(struct picture *picture, const struct machine *machine, const struct cost *cost,
                    const struct list *points, double processors, bool is_rate)
{
    const struct asked asked = asked_of(machine, cost, processors, is_rate);
    const int like = picture->colours++;
    char of[80] = "";
    if (picture->several)
        snprintf(of, sizeof of, "%s, p = %g, ", cost->utility, asked.participants);
    draw_band(picture, &asked, like);
    if (picture->several ? picture_series(picture, machine, PLOT_LINE, like, "%smodel", of)
                         : picture_series(picture, machine, PLOT_LINE, like, "model, p = %g",
                                          asked.participants))
        draw_model(picture, &asked);
    const char *prefix = picture->several ? of : NULL;
    draw_points(picture, points, cost, processors, is_rate, false, like, prefix);
    draw_points(picture, points, cost, processors, is_rate, true, like, prefix);
}

/* What has no size, such as a synchronization, is drawn against processors. */
static bool has_sizes(const struct cost *cost)
{
    return !(cost->bytes.most <= 1.0);
}

/* Of each processor count those of the last attempt. */
static void draw_points_by_processors(struct picture *picture, const struct machine *machine,
                                      const struct list *points, const struct cost *cost,
                                      bool held_out, int like)
{
    const char *utility = cost->utility;
    const struct point *items = points->items;
    bool begun = false;
    for (size_t i = 0; i < points->count; i++) {
        if (strcmp(items[i].utility, utility) != 0 || items[i].held_out != held_out ||
            items[i].attempt != points_last_attempt(points, utility, items[i].processors))
            continue;
        if (!begun && !picture_series(picture, machine, held_out ? PLOT_OPEN_MARKS : PLOT_MARKS,
                                      like, "%s", held_out ? "held out" : "measured"))
            return;
        begun = true;
        plot_point(&picture->plot, cost_processors(cost, items[i].processors),
                   measured_us(cost, &items[i]));
    }
    if (begun)
        plot_series_end(&picture->plot);
}

static int draw_by_processors(struct picture *picture, const struct machine *machine,
                              const struct cost *cost, const struct list *points,
                              struct error *error)
{
    const struct span trained = cost->processors;
    const int like = picture->colours++;
    if (!(isfinite(trained.most) && trained.most > trained.least))
        return picture_missing(machine, "more than one processor count of it", error);
    if (!picture_series(picture, machine, PLOT_LINE, like, "model"))
        return 0;
    for (double p = trained.least; p <= trained.most; p++) {
        struct cost_answer answer;
        if (cost_answer(cost, 0.0, p, &answer, NULL) == 0)
            plot_point(&picture->plot, cost_processors(cost, p), answer.time_us);
    }
    plot_series_end(&picture->plot);
    draw_points_by_processors(picture, machine, points, cost, false, like);
    draw_points_by_processors(picture, machine, points, cost, true, like);
    return 0;
}

/* An error where nothing that is asked has an answer. */
static int draw_by_bytes(struct picture *picture, const struct machine *machine,
                         const struct cost *cost, const struct list *points, bool is_rate,
                         struct error *error)
{
    const struct number_list *asked = picture->processors;
    const size_t count = asked ? asked->count : 0;
    const double most = isfinite(cost->processors.most) ? cost->processors.most : 2.0;
    bool is_drawn = false;
    for (size_t i = 0; i < (count ? count : 1); i++) {
        const double processors = count ? cost_formula_p(cost, asked->values[i]) : most;
        const struct asked first = asked_of(machine, cost, processors, is_rate);
        struct one_use use;
        if (ask(&first, least_bytes(cost), &use, error) != 0)
            continue;
        draw_at(picture, machine, cost, points, processors, is_rate);
        is_drawn = true;
    }
    return is_drawn ? 0 : -1;
}

/* ---- one utility, or several in one picture ---- */

/* The patterns that the portable library Express has (Abandah, chapter 4), as one picture. */
static const char express[] = "iSR,vSR,EXCH1,vSRSR,EXCH2,COMBN,BCAST";

enum { PATTERNS_MOST = 12 };

struct patterns {
    size_t count;
    const struct cost *costs[PATTERNS_MOST]; /* borrowed from the machine, or of `composed` */
    struct cost composed[PATTERNS_MOST];
};

/* The utilities between commas. Those of `express` that the table lacks are passed over. */
static int find_patterns(const struct machine *machine, const char *list, struct patterns *chosen,
                         struct error *error)
{
    const bool is_set = strcmp(list, "express") == 0;
    *chosen = (struct patterns){0};
    for (const char *at = is_set ? express : list; at; at = strchr(at, ',')) {
        char name[POINT_NAME];
        at += *at == ',';
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
        if (is_set && !machine_cost(machine, name))
            continue;
        if (chosen->count == PATTERNS_MOST)
            return error_set(error, "more than %d patterns in one picture", PATTERNS_MOST);
        if (one_use_find(machine, name, &chosen->costs[chosen->count],
                         &chosen->composed[chosen->count], error) != 0)
            return -1;
        chosen->count++;
    }
    return chosen->count > 0 ? 0 : picture_missing(machine, "pattern of Express", error);
}

/* What has no size goes with nothing else. */
static int check_sizes(const struct patterns *chosen, struct error *error)
{
    for (size_t i = 0; i < chosen->count; i++)
        if (chosen->count > 1 && !has_sizes(chosen->costs[i]))
            return error_set(error, "%s has no sizes: expected it alone",
                             chosen->costs[i]->utility);
    return 0;
}

static int draw_patterns(struct picture *picture, const struct machine *machine, bool is_rate,
                         struct error *error)
{
    struct patterns chosen;
    struct list points = {0};
    if (find_patterns(machine, picture->detail, &chosen, error) != 0 ||
        check_sizes(&chosen, error) != 0 || picture_points(machine, &points, error) != 0)
        return -1;
    const bool sized = has_sizes(chosen.costs[0]);
    int status = !sized && is_rate ? picture_missing(machine, "sizes of it", error) : 0;
    if (picture->drawn == 0)
        plot_axes(&picture->plot, sized ? "message bytes" : "processors",
                  is_rate ? "rate, MB/s" : "time, us", sized, sized);
    picture->several = chosen.count > 1;
    for (size_t i = 0; i < chosen.count && status == 0; i++)
        if (sized)
            status = draw_by_bytes(picture, machine, chosen.costs[i], &points, is_rate, error);
        else
            status = draw_by_processors(picture, machine, chosen.costs[i], &points, error);
    list_free(&point_record, &points);
    return status;
}

int draw_times(struct picture *picture, const struct machine *machine, struct error *error)
{
    return draw_patterns(picture, machine, false, error);
}

int draw_rates(struct picture *picture, const struct machine *machine, struct error *error)
{
    return draw_patterns(picture, machine, true, error);
}

/* ---- predicted against measured ---- */

/* Where the least time is not known, the one that is is above 0. */
static bool is_of_utility(const struct point *point, const char *utility, bool held_out)
{
    return point->held_out == held_out && point->bytes > 0.0 && !(point->minimum_us <= 0.0) &&
           (utility[0] == '\0' || strcmp(point->utility, utility) == 0);
}

static void draw_ratios(struct picture *picture, const struct machine *machine,
                        const struct list *points, bool held_out)
{
    const struct point *items = points->items;
    if (!picture_series(picture, machine, held_out ? PLOT_OPEN_MARKS : PLOT_MARKS,
                        picture->colours++, "%s", held_out ? "held out" : "fitted"))
        return;
    for (size_t i = 0; i < points->count; i++) {
        struct cost_answer answer;
        const struct cost *cost = machine_cost(machine, items[i].utility);
        if (cost && is_of_utility(&items[i], picture->detail, held_out) &&
            items[i].attempt ==
                points_last_attempt(points, items[i].utility, items[i].processors) &&
            cost_answer(cost, items[i].bytes, items[i].processors, &answer, NULL) == 0)
            plot_point(&picture->plot, items[i].bytes,
                       answer.time_us / measured_us(cost, &items[i]));
    }
    plot_series_end(&picture->plot);
}

/* Every point of all utilities, or of that after the colon. */
int draw_accuracy(struct picture *picture, const struct machine *machine, struct error *error)
{
    struct list points = {0};
    const struct cost *cost;
    if (picture->detail[0] && machine_require(machine, picture->detail, &cost, error) != 0)
        return -1;
    if (picture_points(machine, &points, error) != 0)
        return -1;
    if (points.count == 0)
        return picture_missing(machine, "points beside it", error);
    if (picture->drawn == 0)
        plot_axes(&picture->plot, "message bytes", "predicted / measured", true, true);
    draw_ratios(picture, machine, &points, false);
    draw_ratios(picture, machine, &points, true);
    list_free(&point_record, &points);
    return 0;
}
