#include "model/loops/curves.h"

#include "model/base/allocation.h"
#include "model/base/input.h"
#include "model/code/code_flags.h"

#include <stdlib.h>
#include <string.h>

/* ---- the keys ---- */

#define SHAPE(member, ...) FIELD_AS(#member, loop_point, shape.member, __VA_ARGS__)

static const struct field point_fields[] = {
    SHAPE(row, .kind = FIELD_NUMBER, .required = true, WITHIN(1e-3, 1e15)),
    SHAPE(plane_bytes, .kind = FIELD_NUMBER, .required = true, WITHIN(1, 1e15)),
    SHAPE(nest_bytes, .kind = FIELD_NUMBER, .required = true, WITHIN(1, 1e15)),
    SHAPE(row_pages, .kind = FIELD_NUMBER, .has_absent = true, .absent = 1.0, WITHIN(1, 1e15)),
    SHAPE(crowding, .kind = FIELD_WHOLE, .has_absent = true, .absent = 0.0, WITHIN(0, 7)),
    FIELD(loop_point, alone_ns, .kind = FIELD_NUMBER, .required = true, WITHIN(1e-6, 1e15)),
    FIELD(loop_point, together_ns, .kind = FIELD_NUMBER, WITHIN(1e-6, 1e15)),
};
const struct record loop_point_record =
    RECORD_FROM("a point", loop_point, point_fields, NO_PLACE, .flow = true);

static const struct field curve_fields[] = {
    FIELD_AS("loop", loop_curve, at, .kind = FIELD_TEXT, .required = true),
    FIELD(loop_curve, hash, .kind = FIELD_TEXT, .required = true),
    FIELD(loop_curve, nest, .kind = FIELD_WHOLE, .required = true, WITHIN(1, 16)),
    FIELD(loop_curve, error, .kind = FIELD_NUMBER, AT_LEAST(0)),
    FIELD(loop_curve, error_p95, .kind = FIELD_NUMBER, AT_LEAST(0)),
    FIELD(loop_curve, points, .kind = FIELD_LIST, .of = &loop_point_record, .required = true),
};
const struct record loop_curve_record =
    RECORD_FROM("a loop", loop_curve, curve_fields, offsetof(struct loop_curve, place));

static const struct field curves_fields[] = {
    FIELD_AS("forecost-loops", loop_curves, format, .kind = FIELD_WHOLE, .required = true),
    FIELD(loop_curves, source, .kind = FIELD_TEXT),
    FIELD(loop_curves, compiler, .kind = FIELD_TEXT),
    FIELD(loop_curves, flags, .kind = FIELD_TEXT),
    FIELD(loop_curves, processors, .kind = FIELD_WHOLE, AT_LEAST(1)),
    FIELD(loop_curves, measured, .kind = FIELD_OPTION, .of = &provenance_record),
    FIELD(loop_curves, loops, .kind = FIELD_LIST, .of = &loop_curve_record),
    FIELD(loop_curves, not_measured, .kind = FIELD_LIST, .of = &not_measured_record),
};
static const struct record curves_record =
    RECORD_FROM("a file of loops", loop_curves, curves_fields, NO_PLACE);

/* ---- reading ---- */

static int check_version(struct yaml_node root, struct error *error)
{
    double version;
    if (yaml_kind(root) != YAML_MAP || yaml_count(root) == 0 ||
        strcmp(yaml_text(yaml_key(root, 0)), "forecost-loops") != 0)
        return error_at(error, yaml_place(root),
                        "no file of loops: expected 'forecost-loops: %d' first",
                        LOOP_CURVES_FORMAT);
    const struct yaml_node value = yaml_value(root, 0);
    if (yaml_number(value, &version, error) != 0)
        return -1;
    return version == LOOP_CURVES_FORMAT
               ? 0
               : error_at(error, yaml_place(value),
                          "version '%.60s' of the format: this program reads version %d",
                          yaml_text(value), LOOP_CURVES_FORMAT);
}

static int check_loops(const struct loop_curves *curves, const char *path, struct error *error)
{
    const struct loop_curve *loops = curves->loops.items;
    for (size_t i = 0; i < curves->loops.count; i++) {
        const struct place at = place_at(path, loops[i].place.line, loops[i].place.column);
        if (loops[i].points.count == 0)
            return error_at(error, at, "loop %.60s has no points: expected one at least",
                            loops[i].at);
        if (loop_curves_find(curves, loops[i].hash) != &loops[i])
            return error_at(error, at, "a second loop of hash %.60s: expected each once",
                            loops[i].hash);
    }
    return 0;
}

int loop_curves_read(struct loop_curves *curves, const char *path, struct error *error)
{
    struct yaml_file *file;
    struct loop_curves read;
    if (yaml_open(&file, path, error) != 0)
        return -1;
    int status = check_version(yaml_root(file), error);
    if (status == 0)
        status = record_read(&curves_record, yaml_root(file), &read, error);
    yaml_close(file);
    if (status != 0)
        return -1;
    read.path = memory_copy_text(input_name(path));
    if (check_loops(&read, read.path, error) != 0) {
        loop_curves_free(&read);
        return -1;
    }
    *curves = read;
    return 0;
}

/* ---- the rest ---- */

struct loop_curves loop_curves_begin(void)
{
    struct loop_curves curves = {0};
    record_begin(&curves_record, &curves);
    curves.format = LOOP_CURVES_FORMAT;
    return curves;
}

bool loop_curves_write(const struct loop_curves *curves, FILE *stream)
{
    struct yaml_out *out = yaml_out_begin(stream);
    yaml_out_map(out, false);
    record_write(&curves_record, out, curves);
    yaml_out_map_end(out);
    return yaml_out_end(out);
}

void loop_curves_free(struct loop_curves *curves)
{
    free(curves->path);
    curves->path = NULL;
    record_free(&curves_record, curves);
}

const struct loop_curves *loop_curves_for(const struct loop_curves *curves, const char *code_flags)
{
    const bool are_of_it = !code_flags || (curves && code_flags_same(curves->flags, code_flags));
    return are_of_it ? curves : NULL;
}

const struct loop_curve *loop_curves_find(const struct loop_curves *curves, const char *hash)
{
    const struct loop_curve *loops = curves ? curves->loops.items : NULL;
    for (size_t i = 0; loops && hash && i < curves->loops.count; i++)
        if (strcmp(loops[i].hash, hash) == 0)
            return &loops[i];
    return NULL;
}
