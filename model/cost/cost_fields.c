/* The keys of a utility in a machine table: one row a key. */
#include "model/cost/cost.h"
#include "model/cost/form_fields.h"

/* ---- conditions on p: processors: 3, or processors_upto: 4 ---- */

static void begin_processors(void *member)
{
    *(struct span *)member = (struct span){0.0, INFINITY};
}

static int read_processors_upto(struct yaml_node value, void *member, struct error *error)
{
    struct span *span = member;
    if (isfinite(span->most))
        return error_at(error, yaml_place(value),
                        "processors and processors_upto: expected one of the two");
    return yaml_number(value, &span->most, error);
}

static int read_processors(struct yaml_node value, void *member, struct error *error)
{
    struct span *span = member;
    if (read_processors_upto(value, span, error) != 0)
        return -1;
    span->least = span->most;
    return 0;
}

static bool no_single(const void *member)
{
    const struct span *span = member;
    return span->least != span->most;
}

static bool no_upto(const void *member)
{
    const struct span *span = member;
    return isinf(span->most) || span->least == span->most;
}

static void write_most(struct yaml_out *out, const void *member)
{
    yaml_out_number(out, ((const struct span *)member)->most);
}

/* ---- trained ranges: [0, 1048576] ---- */

static void begin_span(void *member)
{
    *(struct span *)member = (struct span){NAN, NAN};
}

static int read_span(struct yaml_node value, void *member, struct error *error)
{
    struct span *span = member;
    if (yaml_expect(value, YAML_LIST, error) != 0)
        return -1;
    if (yaml_count(value) != 2)
        return error_at(error, yaml_place(value), "expected [LEAST, MOST]");
    if (yaml_bytes(yaml_item(value, 0), &span->least, error) != 0 ||
        yaml_bytes(yaml_item(value, 1), &span->most, error) != 0)
        return -1;
    if (span->least > span->most)
        return error_at(error, yaml_place(value), "a range that ends before it starts");
    return 0;
}

static bool no_span(const void *member)
{
    return isnan(((const struct span *)member)->least);
}

static void write_span(struct yaml_out *out, const void *member)
{
    const struct span *span = member;
    yaml_out_list(out, true);
    yaml_out_number(out, span->least);
    yaml_out_number(out, span->most);
    yaml_out_list_end(out);
}

/* ---- the tables ---- */

static const struct field error_fields[] = {
    FIELD(region_error, fitted_median, .kind = FIELD_NUMBER, AT_LEAST(0)),
    FIELD(region_error, fitted_p95, .kind = FIELD_NUMBER, AT_LEAST(0)),
    FIELD(region_error, held_out_median, .kind = FIELD_NUMBER, AT_LEAST(0)),
    FIELD(region_error, held_out_p95, .kind = FIELD_NUMBER, AT_LEAST(0)),
    FIELD(region_error, points, .kind = FIELD_WHOLE, AT_LEAST(0)),
    FIELD(region_error, held_out_points, .kind = FIELD_WHOLE, AT_LEAST(0)),
    FIELD(region_error, other_processors, .kind = FIELD_NUMBER, AT_LEAST(0)),
    FIELD(region_error, power_processors, .kind = FIELD_NUMBER, AT_LEAST(0)),
    FIELD(region_error, between_median, .kind = FIELD_NUMBER, AT_LEAST(0)),
    FIELD(region_error, between_p95, .kind = FIELD_NUMBER, AT_LEAST(0)),
    FIELD(region_error, launches_p95, .kind = FIELD_NUMBER, AT_LEAST(0)),
};

static const struct record error_record =
    RECORD_FROM("the error of a region", region_error, error_fields, NO_PLACE);

static const char *const edge_causes[] = {"unknown",    "packet-limit", "adapter-buffer",
                                          "rendezvous", "library",      NULL};

static const struct field region_fields[] = {
    FIELD(region, bytes_upto, .kind = FIELD_WHOLE, AT_LEAST(0), .has_absent = true,
          .absent = INFINITY),
    FIELD(region, ends_because, .kind = FIELD_CHOICE, .choices = edge_causes),
    FIELD(region, processors, .kind = FIELD_OWN, .read = read_processors, .write = write_most,
          .is_absent = no_single, .begin = begin_processors),
    FIELD_AS("processors_upto", region, processors, .kind = FIELD_OWN, .read = read_processors_upto,
             .write = write_most, .is_absent = no_upto),
    FIELD(region, unscalable, .kind = FIELD_FLAG),
    FIELD_AS("t0_us", region, setup_us, FORM_T0),
    FIELD(region, setup_us, FORM_SETUP),
    FIELD_AS("rinf_mb_per_s", region, per_byte_us, FORM_RINF),
    FIELD(region, per_byte_us, FORM_PER_BYTE),
    FIELD(region, per_root_byte_us, FORM_ANY),
    FIELD(region, packet_bytes, .kind = FIELD_WHOLE, AT_LEAST(1)),
    FIELD(region, first_packet_bytes, .kind = FIELD_WHOLE, AT_LEAST(0)),
    FIELD(region, per_packet_us, .kind = FIELD_NUMBER),
    FIELD(region, gap_us, .kind = FIELD_NUMBER, AT_LEAST(0)),
    FIELD(region, measured_us, .kind = FIELD_OWN, .read = marks_read, .write = marks_write,
          .is_absent = marks_absent, .release = marks_free),
    FIELD(region, error, .kind = FIELD_RECORD, .of = &error_record, .in_text = true),
};

const struct record region_record =
    RECORD_FROM("a region", region, region_fields, offsetof(struct region, place), .flow = true);

#define MEAN_SHARE .kind = FIELD_NUMBER, WITHIN(0, 1), .has_absent = true, .absent = 0

static const struct field at_processors_fields[] = {
    FIELD(at_processors, processors, .kind = FIELD_WHOLE, .required = true, AT_LEAST(1)),
    FIELD(at_processors, mean_over_maximum, MEAN_SHARE),
    FIELD(at_processors, regions, .kind = FIELD_LIST, .of = &region_record, .required = true),
};

const struct record at_processors_record = RECORD_FROM(
    "the regions at one processor count", at_processors, at_processors_fields, NO_PLACE);

static const char *const statistics[] = {"unknown", "minimum", "mean", "median", NULL};
static const char *const processors_means[] = {"participants", "destinations", "sources", NULL};
static const char *const measures_names[] = {"unknown", "completion", "sender", "receiver", NULL};
static const char *const acrosses[] = {"unknown", "root", "maximum", "mean", NULL};

static const char *const trees[TREE_COUNT + 1] = {
    [TREE_UNKNOWN] = "unknown",
    [TREE_FLAT] = "flat",
    [TREE_DOUBLING] = "recursive-doubling",
    [TREE_BINARY] = "binary",
    [TREE_BINOMIAL] = "binomial",
    [TREE_BINOMIAL_OTHERS] = "binomial-other-roots",
    [TREE_EXCHANGES] = "exchanges",
    [TREE_LINE_SHIFT] = "line-shift",
    [TREE_GRID_SHIFT] = "grid-shift",
    [TREE_LINE_EXCHANGE] = "line-exchange",
    [TREE_GRID_EXCHANGE] = "grid-exchange",
    [TREE_RING] = "ring",
    [TREE_DISSEMINATION] = "dissemination",
};

const char *cost_tree_name(int tree)
{
    return trees[tree];
}

const char *cost_statistic_name(int statistic)
{
    return statistics[statistic];
}

const char *cost_processors_mean_name(int processors_mean)
{
    return processors_means[processors_mean];
}

const char *cost_measures_name(int measures)
{
    return measures_names[measures];
}

const char *cost_across_name(int across)
{
    return acrosses[across];
}

#define SPAN                                                                                       \
    .kind = FIELD_OWN, .read = read_span, .write = write_span, .is_absent = no_span,               \
    .begin = begin_span

static const struct field cost_fields[] = {
    FIELD(cost, utility, .kind = FIELD_TEXT, .required = true),
    FIELD(cost, statistic, .kind = FIELD_CHOICE, .choices = statistics),
    FIELD(cost, processors_mean, .kind = FIELD_CHOICE, .choices = processors_means),
    FIELD(cost, measures, .kind = FIELD_CHOICE, .choices = measures_names),
    FIELD(cost, across, .kind = FIELD_CHOICE, .choices = acrosses),
    FIELD(cost, mean_over_maximum, MEAN_SHARE),
    FIELD(cost, source, .kind = FIELD_TEXT),
    FIELD(cost, note, .kind = FIELD_TEXT),
    FIELD(cost, bytes, SPAN),
    FIELD(cost, processors, SPAN),
    FIELD(cost, processors_near, .kind = FIELD_WHOLE, AT_LEAST(1)),
    FIELD(cost, grid_side_least, .kind = FIELD_WHOLE, AT_LEAST(1)),
    FIELD(cost, grid_side_most, .kind = FIELD_WHOLE, AT_LEAST(1), .has_absent = true,
          .absent = INFINITY),
    FIELD(cost, points, .kind = FIELD_WHOLE, AT_LEAST(0)),
    FIELD(cost, held_out_points, .kind = FIELD_WHOLE, AT_LEAST(0)),
    FIELD(cost, launches, .kind = FIELD_WHOLE, AT_LEAST(2)),
    FIELD(cost, passes_p95, .kind = FIELD_NUMBER, AT_LEAST(0)),
    FIELD(cost, states, .kind = FIELD_LIST, .of = &state_factor_record),
    FIELD(cost, in_situ, .kind = FIELD_LIST, .of = &in_situ_record),
    FIELD(cost, published_error, .kind = FIELD_NUMBER, AT_LEAST(0)),
    FIELD(cost, rejected, .kind = FIELD_NUMBER, WITHIN(0, 1)),
    FIELD(cost, disturbed, .kind = FIELD_FLAG),
    FIELD(cost, eager_upto_bytes, .kind = FIELD_WHOLE, AT_LEAST(0)),
    FIELD(cost, part_bytes, .kind = FIELD_WHOLE, AT_LEAST(1)),
    FIELD(cost, regions, .kind = FIELD_LIST, .of = &region_record, .required = true),
    FIELD(cost, by_processors, .kind = FIELD_LIST, .of = &at_processors_record),
    FIELD(cost, tree, .kind = FIELD_CHOICE, .choices = trees),
    FIELD(cost, hops, .kind = FIELD_LIST, .of = &region_record),
    FIELD(cost, hops_far, .kind = FIELD_LIST, .of = &region_record),
};

const struct record cost_record =
    RECORD_FROM("a utility", cost, cost_fields, offsetof(struct cost, place));
