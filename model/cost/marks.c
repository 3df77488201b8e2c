#include "model/cost/marks.h"

#include "model/base/number.h"

#include <math.h>

double marks_share(double least_bytes, double most_bytes, double bytes)
{
    return (log1p(bytes) - log1p(least_bytes)) / (log1p(most_bytes) - log1p(least_bytes));
}

/* ---- the answer ---- */

static double along_line(const struct mark *below, double bytes)
{
    const struct mark *above = below + 1;
    return below->time_us + (above->time_us - below->time_us) * (bytes - below->bytes) /
                                (above->bytes - below->bytes);
}

static double between(const struct mark *below, marks_law *law, const void *state, double bytes)
{
    const struct mark *above = below + 1;
    const double law_us = law(state, bytes);
    const double below_us = law(state, below->bytes), above_us = law(state, above->bytes);
    if (!(law_us > 0.0 && below_us > 0.0 && above_us > 0.0))
        return along_line(below, bytes);
    const double share = marks_share(below->bytes, above->bytes, bytes);
    return law_us * exp((1.0 - share) * log(below->time_us / below_us) +
                        share * log(above->time_us / above_us));
}

/* Beyond the outermost mark. */
static double as_at(const struct mark *mark, marks_law *law, const void *state, double bytes)
{
    const double law_us = law(state, bytes), there_us = law(state, mark->bytes);
    return law_us > 0.0 && there_us > 0.0 ? law_us * mark->time_us / there_us : law_us;
}

double marks_time_us(const struct marks *marks, marks_law *law, const void *state, double bytes)
{
    size_t above = 0;
    while (above < marks->count && marks->of[above].bytes < bytes)
        above++;
    if (marks->count == 0)
        return law(state, bytes);
    if (above < marks->count && !(marks->of[above].bytes > bytes))
        return marks->of[above].time_us;
    if (above == 0)
        return as_at(&marks->of[0], law, state, bytes);
    if (above == marks->count)
        return as_at(&marks->of[above - 1], law, state, bytes);
    return between(&marks->of[above - 1], law, state, bytes);
}

/* ---- in a table ---- */

static int read_mark(struct yaml_node map, size_t at, struct marks *marks, struct error *error)
{
    const struct yaml_node key = yaml_key(map, at), value = yaml_value(map, at);
    struct mark *mark = &marks->of[marks->count];
    if (yaml_bytes(key, &mark->bytes, error) != 0 || yaml_number(value, &mark->time_us, error) != 0)
        return -1;
    if (mark->bytes < 0.0 || (marks->count > 0 && mark->bytes <= mark[-1].bytes))
        return error_at(error, yaml_place(key), "%.17g bytes: expected sizes to ascend from 0",
                        mark->bytes);
    if (!(mark->time_us > 0.0))
        return error_at(error, yaml_place(value), "a time of %.17g us: expected above 0",
                        mark->time_us);
    marks->count++;
    return 0;
}

int marks_read(struct yaml_node value, void *member, struct error *error)
{
    struct marks *marks = member;
    if (yaml_expect(value, YAML_MAP, error) != 0)
        return -1;
    if (yaml_count(value) > MARKS_MOST)
        return error_at(error, yaml_place(value), "%zu measured times: expected at most %d",
                        yaml_count(value), MARKS_MOST);
    for (size_t i = 0; i < yaml_count(value); i++)
        if (read_mark(value, i, marks, error) != 0)
            return -1;
    return 0;
}

void marks_write(struct yaml_out *out, const void *member)
{
    const struct marks *marks = member;
    char text[NUMBER_TEXT];
    yaml_out_map(out, true);
    for (size_t i = 0; i < marks->count; i++) {
        yaml_out_key(out, number_print(marks->of[i].bytes, text));
        yaml_out_number(out, marks->of[i].time_us);
    }
    yaml_out_map_end(out);
}

bool marks_absent(const void *member)
{
    return ((const struct marks *)member)->count == 0;
}
