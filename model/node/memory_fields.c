/* The keys of a machine table's memory: section. */
#include "model/node/memory.h"

#include <string.h>

/* ---- level: 1, 2, ... or memory ---- */

static void level_begin(void *member)
{
    *(double *)member = NAN;
}

static int level_read(struct yaml_node value, void *member, struct error *error)
{
    double *level = member;
    *level = INFINITY;
    if (yaml_expect(value, YAML_SCALAR, error) != 0)
        return -1;
    if (strcmp(yaml_text(value), "memory") == 0)
        return 0;
    if (yaml_number(value, level, NULL) == 0 && *level >= 1.0 && *level == floor(*level))
        return 0;
    return error_at(error, yaml_place(value),
                    "level is '%.60s': expected a whole number from 1, or memory",
                    yaml_text(value));
}

static void level_write(struct yaml_out *out, const void *member)
{
    const double level = *(const double *)member;
    if (isinf(level))
        yaml_out_text(out, "memory");
    else
        yaml_out_number(out, level);
}

static bool level_absent(const void *member)
{
    return isnan(*(const double *)member);
}

/* ---- the tables ---- */

#define BYTES .kind = FIELD_WHOLE, AT_LEAST(1)
#define TIME .kind = FIELD_NUMBER, AT_LEAST(0)
#define RATE .kind = FIELD_NUMBER, AT_LEAST(1e-6)

static const char *const replacements[] = {"unknown", "lru", NULL};

static const struct field memory_level_fields[] = {
    FIELD(memory_level, level, .kind = FIELD_OWN, .required = true, .read = level_read,
          .write = level_write, .is_absent = level_absent, .begin = level_begin),
    FIELD(memory_level, capacity_bytes, BYTES),
    FIELD(memory_level, capacity_bytes_low, BYTES),
    FIELD(memory_level, capacity_bytes_high, BYTES),
    FIELD(memory_level, replacement, .kind = FIELD_CHOICE, .choices = replacements),
    FIELD(memory_level, line_bytes, BYTES),
    FIELD(memory_level, ways, .kind = FIELD_WHOLE, AT_LEAST(1)),
    FIELD(memory_level, ports, .kind = FIELD_WHOLE, AT_LEAST(1)),
    FIELD(memory_level, method, .kind = FIELD_TEXT),
    FIELD(memory_level, load_cycles, TIME),
    FIELD(memory_level, store_cycles, TIME),
    FIELD(memory_level, load_ns, TIME),
    FIELD(memory_level, load_ns_low, TIME),
    FIELD(memory_level, load_ns_high, TIME),
    FIELD(memory_level, store_ns, TIME),
    FIELD(memory_level, load_tlb_miss_cycles, TIME),
    FIELD(memory_level, load_tlb_miss_ns, TIME),
    FIELD(memory_level, load_tlb_miss_ns_low, TIME),
    FIELD(memory_level, load_tlb_miss_ns_high, TIME),
    FIELD(memory_level, load_line_cycles, TIME),
    FIELD(memory_level, store_line_cycles, TIME),
    FIELD(memory_level, load_line_cycles_least, TIME),
    FIELD(memory_level, store_line_cycles_least, TIME),
    FIELD(memory_level, load_mb_per_s, RATE),
    FIELD(memory_level, store_mb_per_s, RATE),
    FIELD(memory_level, pair_ratio, RATE),
    FIELD(memory_level, told_capacity_bytes, BYTES),
    FIELD(memory_level, told_line_bytes, BYTES),
    FIELD(memory_level, told_ways, .kind = FIELD_WHOLE, AT_LEAST(1)),
    FIELD(memory_level, because, .kind = FIELD_TEXT),
};

const struct record memory_level_record =
    RECORD_FROM("a level of memory", memory_level, memory_level_fields,
                offsetof(struct memory_level, place), .flow = true);

/* In the order of enum stream_kernel. */
static const char *const stream_kernels[] = {
    "load", "fill", "copy", "triad", "non-temporal-fill", "non-temporal-copy", "non-temporal-triad",
    NULL};
_Static_assert(sizeof stream_kernels / sizeof *stream_kernels == STREAM_TRIAD_PAST + 2,
               "a name a kernel");

const char *memory_stream_name(const struct memory_stream *stream)
{
    return stream_kernels[stream->kernel];
}

static const struct field memory_stream_fields[] = {
    FIELD(memory_stream, kernel, .kind = FIELD_CHOICE, .choices = stream_kernels, .required = true),
    FIELD(memory_stream, mb_per_s, RATE, .required = true),
    FIELD(memory_stream, array_bytes, BYTES),
};

const struct record memory_stream_record =
    RECORD_FROM("a stream", memory_stream, memory_stream_fields,
                offsetof(struct memory_stream, place), .flow = true);

static const struct field strided_lines_fields[] = {
    FIELD(strided_lines, level, .kind = FIELD_OWN, .required = true, .read = level_read,
          .write = level_write, .is_absent = level_absent, .begin = level_begin),
    FIELD(strided_lines, stride_lines, .kind = FIELD_WHOLE, AT_LEAST(2), .required = true),
    FIELD(strided_lines, load_line_cycles, TIME),
    FIELD(strided_lines, store_line_cycles, TIME),
    FIELD(strided_lines, store_in_turn_line_cycles, TIME),
};

const struct record strided_lines_record =
    RECORD_FROM("a walk with a stride", strided_lines, strided_lines_fields,
                offsetof(struct strided_lines, place), .flow = true);

static const struct field tlb_fields[] = {
    FIELD(tlb, level, .kind = FIELD_WHOLE, AT_LEAST(1), .required = true),
    FIELD(tlb, entries, .kind = FIELD_WHOLE, AT_LEAST(1)),
    FIELD(tlb, entries_low, .kind = FIELD_WHOLE, AT_LEAST(1)),
    FIELD(tlb, entries_high, .kind = FIELD_WHOLE, AT_LEAST(1)),
    FIELD(tlb, ways, .kind = FIELD_WHOLE, AT_LEAST(1)),
    FIELD(tlb, page_bytes, BYTES),
    FIELD(tlb, method, .kind = FIELD_TEXT),
    FIELD(tlb, miss_cycles, TIME),
    FIELD(tlb, because, .kind = FIELD_TEXT),
};

const struct record tlb_record = RECORD_FROM("a TLB", tlb, tlb_fields, NO_PLACE, .flow = true);

static const struct field memory_fields[] = {
    FIELD(memory, clock_mhz, .kind = FIELD_NUMBER, AT_LEAST(1e-3)),
    FIELD(memory, levels, .kind = FIELD_LIST, .of = &memory_level_record),
    FIELD(memory, streams, .kind = FIELD_LIST, .of = &memory_stream_record),
    FIELD(memory, strided, .kind = FIELD_LIST, .of = &strided_lines_record),
    FIELD(memory, tlb, .kind = FIELD_LIST, .of = &tlb_record),
    FIELD(memory, by_1995_rules, .kind = FIELD_LIST, .of = &memory_level_record),
    FIELD(memory, note, .kind = FIELD_TEXT),
};

const struct record memory_record = RECORD_FROM("memory", memory, memory_fields, NO_PLACE);
