/* The keys of a machine table. One more section is a struct in machine.h or a header of its own,
   the table of its keys, and a row in machine_fields. */
#include "model/machine/machine.h"

/* ---- machine: ---- */

static const struct field provenance_fields[] = {
    FIELD(provenance, date, .kind = FIELD_TEXT),
    FIELD(provenance, host, .kind = FIELD_TEXT),
    FIELD(provenance, cpu, .kind = FIELD_TEXT),
    FIELD(provenance, cores, .kind = FIELD_WHOLE, AT_LEAST(1)),
    FIELD(provenance, os, .kind = FIELD_TEXT),
    FIELD(provenance, compiler, .kind = FIELD_TEXT),
    FIELD(provenance, mpi, .kind = FIELD_TEXT),
    FIELD(provenance, environment, .kind = FIELD_TEXT),
    FIELD(provenance, binding, .kind = FIELD_TEXT),
    FIELD(provenance, options, .kind = FIELD_TEXT),
    FIELD(provenance, seed, .kind = FIELD_WHOLE),
    FIELD(provenance, duration_s, .kind = FIELD_NUMBER, AT_LEAST(0)),
    FIELD(provenance, clock_tick_us, .kind = FIELD_NUMBER, AT_LEAST(0)),
};

const struct record provenance_record =
    RECORD_FROM("measured", provenance, provenance_fields, NO_PLACE);

static const struct field description_fields[] = {
    FIELD(description, what, .kind = FIELD_TEXT, .required = true),
    FIELD(description, is, .kind = FIELD_TEXT, .required = true),
};

const struct record description_record =
    RECORD_FROM("a description", description, description_fields, NO_PLACE, .flow = true);

static const struct field addition_fields[] = {
    FIELD(addition, what, .kind = FIELD_TEXT, .required = true),
    FIELD(addition, measured, .kind = FIELD_OPTION, .of = &provenance_record),
};

const struct record addition_record =
    RECORD_FROM("an addition", addition, addition_fields, NO_PLACE);

static const struct field identity_fields[] = {
    FIELD(identity, name, .kind = FIELD_TEXT, .required = true),
    FIELD(identity, title, .kind = FIELD_TEXT),
    FIELD(identity, processors, .kind = FIELD_WHOLE, AT_LEAST(1)),
    FIELD(identity, source, .kind = FIELD_TEXT),
    FIELD(identity, described, .kind = FIELD_LIST, .of = &description_record),
    FIELD(identity, measured, .kind = FIELD_OPTION, .of = &provenance_record),
    FIELD(identity, added, .kind = FIELD_LIST, .of = &addition_record),
};

static const struct record identity_record =
    RECORD_FROM("machine", identity, identity_fields, offsetof(struct identity, place));

/* ---- topology: ---- */

static const struct field topology_fields[] = {
    FIELD(topology, packages, .kind = FIELD_WHOLE, AT_LEAST(1)),
    FIELD(topology, numa_nodes, .kind = FIELD_WHOLE, AT_LEAST(1)),
    FIELD(topology, cores, .kind = FIELD_WHOLE, AT_LEAST(1)),
    FIELD(topology, threads, .kind = FIELD_WHOLE, AT_LEAST(1)),
    FIELD(topology, memory_bytes, .kind = FIELD_WHOLE, AT_LEAST(1)),
    FIELD(topology, told_by, .kind = FIELD_TEXT, .required = true),
};

static const struct record topology_record =
    RECORD_FROM("the topology", topology, topology_fields, NO_PLACE, .flow = true);

/* ---- not_measured: ---- */

static const struct field not_measured_fields[] = {
    FIELD(not_measured, what, .kind = FIELD_TEXT, .required = true),
    FIELD(not_measured, because, .kind = FIELD_TEXT, .required = true),
};

const struct record not_measured_record =
    RECORD_FROM("what was not measured", not_measured, not_measured_fields, NO_PLACE, .flow = true);

/* ---- unfinished: ---- */

static const struct field unfinished_fields[] = {
    FIELD(unfinished, parts, .kind = FIELD_WHOLE, .required = true, WITHIN(1, 1e6)),
    FIELD(unfinished, points_bytes, .kind = FIELD_WHOLE, .required = true, WITHIN(1, 0x1p53)),
};

static const struct record unfinished_record = RECORD_FROM(
    "how far the calibration came", unfinished, unfinished_fields, NO_PLACE, .flow = true);

/* ---- the table: one row a section ---- */

#define SECTIONS(SWAP)                                                                             \
    FIELD_AS("forecost", machine, format, .kind = FIELD_WHOLE, .required = true),                  \
        FIELD(machine, machine, .kind = FIELD_RECORD, .of = &identity_record, .required = true),   \
        FIELD(machine, topology, .kind = FIELD_OPTION, .of = &topology_record),                    \
        FIELD(machine, communication, .kind = FIELD_LIST, .of = &cost_record),                     \
        FIELD(machine, node, .kind = FIELD_OPTION, .of = &node_record),                            \
        FIELD(machine, memory, .kind = FIELD_OPTION, .of = &memory_record), SWAP,                  \
        FIELD(machine, overlap, .kind = FIELD_LIST, .of = &overlap_record),                        \
        FIELD(machine, logp, .kind = FIELD_OPTION, .of = &logp_record),                            \
        FIELD(machine, noise, .kind = FIELD_OPTION, .of = &noise_record),                          \
        FIELD(machine, states, .kind = FIELD_LIST, .of = &machine_state_record),                   \
        FIELD(machine, start_up, .kind = FIELD_LIST, .of = &start_up_record),                      \
        FIELD(machine, first_touch, .kind = FIELD_LIST, .of = &first_touch_record),                \
        FIELD(machine, waiting, .kind = FIELD_LIST, .of = &waiting_record),                        \
        FIELD(machine, not_measured, .kind = FIELD_LIST, .of = &not_measured_record),              \
        FIELD(machine, unfinished, .kind = FIELD_OPTION, .of = &unfinished_record)

static const struct field machine_fields[] = {
    SECTIONS(FIELD(machine, swap, .kind = FIELD_LIST, .of = &swap_summary_record))};

const struct record machine_record =
    RECORD_FROM("a machine table", machine, machine_fields, NO_PLACE);

static const struct field machine_fields_1[] = {
    SECTIONS(FIELD_AS("swap", machine, swap_rows, .kind = FIELD_LIST, .of = &swap_record))};

const struct record machine_record_1 =
    RECORD_FROM("a machine table", machine, machine_fields_1, NO_PLACE);
