#include "forecast/predict/nominal.h"

#include "model/base/allocation.h"
#include "model/records/yaml_out.h"
#include "model/segment/traffic/traffic.h"

#include <stdlib.h>
#include <string.h>

/* What is derived from references and distributions, and how it may be written. */
static const char begin[] =
    "forecost: 1\n"
    "machine: {name: any}\n"
    "node: {clock_mhz: 1, units: {all: {add: 1, mul: 1, madd: 1, div: 1, sqrt: 1, load: 1, "
    "store: 1}}, latency_cycles: {add: 1, mul: 1, madd: 1, div: 1, sqrt: 1, load: 1, store: 1}}\n"
    "memory:\n"
    "  levels:\n"
    "    - {level: 1, capacity_bytes: 32768, line_bytes: 64, ways: 8, replacement: lru}\n"
    "    - {level: memory, load_line_cycles: 1, store_line_cycles: 1}\n";

struct utilities {
    const char *names[MACHINE_UTILITIES_MOST];
    size_t count;
};

static void add_utility(struct utilities *utilities, const char *name)
{
    for (size_t i = 0; i < utilities->count; i++)
        if (strcmp(utilities->names[i], name) == 0)
            return;
    if (utilities->count < MACHINE_UTILITIES_MOST)
        utilities->names[utilities->count++] = name;
}

static void add_called(struct utilities *utilities, const struct list *body)
{
    const struct step *steps = body->items;
    for (size_t i = 0; i < body->count; i++) {
        const struct branch *branches = steps[i].branches.items;
        if (steps[i].call && steps[i].call->utility)
            add_utility(utilities, steps[i].call->utility);
        if (steps[i].loop)
            add_called(utilities, &steps[i].loop->body);
        for (size_t k = 0; k < steps[i].branches.count; k++)
            add_called(utilities, &branches[k].body);
    }
}

static void write_utilities(const struct utilities *utilities, FILE *stream)
{
    struct yaml_out *out = yaml_out_begin(stream);
    yaml_out_map(out, false);
    yaml_out_key(out, "communication");
    yaml_out_list(out, false);
    for (size_t i = 0; i < utilities->count; i++) {
        yaml_out_map(out, true);
        yaml_out_key(out, "utility");
        yaml_out_text(out, utilities->names[i]);
        yaml_out_key(out, "regions");
        yaml_out_list(out, true);
        yaml_out_map(out, true);
        yaml_out_key(out, "t0_us");
        yaml_out_number(out, 1.0);
        yaml_out_map_end(out);
        yaml_out_list_end(out);
        yaml_out_map_end(out);
    }
    yaml_out_list_end(out);
    yaml_out_map_end(out);
    yaml_out_end(out);
}

int nominal_make(struct machine *machine, const struct program *program, struct error *error)
{
    const struct segment *segments = program->segments.items;
    struct utilities utilities = {.count = 0};
    char *text = NULL;
    size_t size = 0;
    for (int class = TRAFFIC_LOCAL + 1; class < TRAFFIC_CLASSES; class ++)
        add_utility(&utilities, traffic_name((enum traffic_class) class));
    for (size_t i = 0; i < program->segments.count; i++)
        add_called(&utilities, &segments[i].body);
    FILE *stream = memory_stream(&text, &size);
    fputs(begin, stream);
    write_utilities(&utilities, stream);
    memory_stream_end(stream);
    const int status = machine_read_text(machine, "a machine with everything", text, size, error);
    free(text);
    return status;
}
