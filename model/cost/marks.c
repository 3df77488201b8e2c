#include "model/cost/marks.h"

#include "model/base/allocation.h"
#include "model/base/number.h"
#include "model/records/pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct marks marks_copy(const struct mark *of, size_t count)
{
    struct marks marks = {count, NULL};
    if (count > 0)
        memcpy(marks.of = memory_new(count, sizeof *of), of, count * sizeof *of);
    return marks;
}

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

/* While they are read. */
struct room {
    size_t count;
    struct mark of[MARKS_MOST];
};

static int add_mark(struct room *room, struct mark mark, struct place place, struct error *error)
{
    if (room->count == MARKS_MOST)
        return error_at(error, place, "more than %d measured times", MARKS_MOST);
    if (mark.bytes < 0.0 || (room->count > 0 && mark.bytes <= room->of[room->count - 1].bytes))
        return error_at(error, place, "%.17g bytes: expected sizes to ascend from 0", mark.bytes);
    if (!(mark.time_us > 0.0))
        return error_at(error, place, "a time of %.17g us: expected above 0", mark.time_us);
    room->of[room->count++] = mark;
    return 0;
}

static int read_text(struct yaml_node text, struct room *room, struct error *error)
{
    struct mark mark;
    struct pair pair;
    for (const char *rest = yaml_text(text), *from; (from = rest);)
        if (!pairs_next(&rest, &pair) || !number_parse_bytes(pair.name, &mark.bytes) ||
            !number_parse(pair.value, &mark.time_us))
            return error_at(error, yaml_place(text), "'%.60s': expected \"BYTES: US, BYTES: US\"",
                            from);
        else if (add_mark(room, mark, yaml_place(text), error) != 0)
            return -1;
    return 0;
}

static int read_map(struct yaml_node map, struct room *room, struct error *error)
{
    for (size_t i = 0; i < yaml_count(map); i++) {
        struct mark mark;
        if (yaml_bytes(yaml_key(map, i), &mark.bytes, error) != 0 ||
            yaml_number(yaml_value(map, i), &mark.time_us, error) != 0 ||
            add_mark(room, mark, yaml_place(yaml_key(map, i)), error) != 0)
            return -1;
    }
    return 0;
}

int marks_read(struct yaml_node value, void *member, struct error *error)
{
    struct room room = {0};
    const int status = yaml_kind(value) == YAML_SCALAR            ? read_text(value, &room, error)
                       : yaml_expect(value, YAML_MAP, error) != 0 ? -1
                                                                  : read_map(value, &room, error);
    if (status == 0)
        *(struct marks *)member = marks_copy(room.of, room.count);
    return status;
}

void marks_write(struct yaml_out *out, const void *member)
{
    const struct marks *marks = member;
    char bytes[NUMBER_TEXT], *text = pairs_room(marks->count), *end = text;
    for (size_t i = 0; i < marks->count; i++)
        end = pairs_add(text, end, number_print(marks->of[i].bytes, bytes), marks->of[i].time_us);
    yaml_out_text(out, text);
    free(text);
}

void marks_free(void *member)
{
    free(((struct marks *)member)->of);
}

bool marks_absent(const void *member)
{
    return ((const struct marks *)member)->count == 0;
}
