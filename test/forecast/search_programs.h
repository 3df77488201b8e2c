/* Tables and descriptions of which a search is compared with exhaustive evaluation. */
#ifndef TEST_FORECAST_SEARCH_PROGRAMS_H
#define TEST_FORECAST_SEARCH_PROGRAMS_H

/* Collectives dear enough for other than replicated layouts to win, moving cheap enough to pay. */
static const char table_text[] =
    "forecost: 1\n"
    "machine: {name: easy}\n"
    "communication:\n"
    "  - {utility: point-to-point, regions: [{t0_us: 10, rinf_mb_per_s: 10}]}\n"
    "  - {utility: exchange, regions: [{t0_us: 12, rinf_mb_per_s: 8}]}\n"
    "  - {utility: broadcast, regions: [{setup_us: {p: 10}, per_byte_us: {1: 0.1}}]}\n"
    "  - {utility: many-to-many, regions: [{setup_us: {p: 9}, per_byte_us: {1: 0.2}}]}\n"
    "  - {utility: many-to-one, regions: [{setup_us: {p: 10}, per_byte_us: {1: 0.1}}]}\n"
    "  - {utility: combine, regions: [{setup_us: {p: 15}, per_byte_us: {1: 0.1}}]}\n"
    "node: {rate_mflops: 1}\n";

/* Two caches of a few lines each, so that what an iteration takes depends on every layout. */
static const char small_caches[] =
    "node: {clock_mhz: 1, units: {a: {add: 1}, m: {load: 0.5, store: 0.5}}, compiled_share: 0.7}\n"
    "memory:\n  levels:\n"
    "    - {level: 1, capacity_bytes: 128, line_bytes: 16, ways: 2, replacement: lru, "
    "load_cycles: 1, store_cycles: 1, load_line_cycles: 2, store_line_cycles: 3}\n"
    "    - {level: 2, capacity_bytes: 512, line_bytes: 32, ways: 4, replacement: lru, "
    "load_cycles: 3, store_cycles: 3, load_line_cycles: 9, store_line_cycles: 11}\n"
    "    - {level: memory, load_cycles: 16, store_cycles: 22, load_line_cycles: 16, "
    "store_line_cycles: 22}\n";

#define HEAD "forecost-segment: 1\nsearch: {kinds: [BLOCK, CYCLIC]}\n"
#define NEST(first, second, more)                                                                  \
    "      - loop: {i: " first "}\n        body:\n          - loop: {j: " second "}\n"             \
    "            body:\n              - {statement: t, " more "}\n"

#define SEGMENT(name, more) "  - segment: " name "\n" more "    body:\n"
#define SQUARE "arrays: {u: {extent: [24, 24]}}\n"
#define SWEEP_ROWS                                                                                 \
    NEST("[0, 23]", "[1, 23]", "writes: \"u[i][j]\", reads: [\"u[i][j-1]\"], operations: {add: 9}")
#define SWEEP_COLUMNS                                                                              \
    NEST("[0, 23]", "[1, 23]", "writes: \"u[j][i]\", reads: [\"u[j-1][i]\"], operations: {add: 9}")

static const char *const programs[] = {
    /* what is only read, what is written elsewhere than computed */
    HEAD "arrays: {a: {extent: [12, 12]}, x: {extent: [12]}, y: {extent: [12]}}\n"
         "program:\n  - segment: s\n    body:\n" NEST(
             "[0, 11]", "[0, 11]",
             "writes: \"y[i]\", reads: [\"a[i][j]\", \"x[j]\"], reduce: sum, operations: {add: 3}"),
    /* sweeps against one another: moving pays */
    HEAD SQUARE "program:\n" SEGMENT("s", "    repeat: 30\n")
        SWEEP_ROWS SEGMENT("r", "    repeat: 30\n") SWEEP_COLUMNS SEGMENT("q", "")
            NEST("[0, 23]", "[0, 23]", "writes: \"u[j][i]\", operations: {add: 1}"),
    /* a stencil from two arrays, one aligned, then by columns */
    HEAD "arrays: {u: {extent: [10, 9]}, v: {extent: [10, 9], align: u}, w: {extent: [9]}}\n"
         "program:\n  - segment: s\n    repeat: 3\n    body:\n" NEST(
             "[1, 8]", "[1, 7]",
             "writes: \"v[i][j]\", reads: [\"u[i-1][j]\", \"u[i+1][j]\", \"u[i][j-1]\", \"w[j]\"], "
             "operations: {add: 20}") "  - segment: r\n    body:\n" NEST("[0, 9]", "[0, 8]",
                                                                         "writes: \"w[j]\", reads: "
                                                                         "[\"v[i][j]\"], "
                                                                         "operations: {add: 2}"),
    /* triangular, messages in every iteration of a loop, which then waits */
    HEAD "arrays: {a: {extent: [9, 9]}, b: {extent: [9]}, c: {extent: [9]}}\n"
         "program:\n  - segment: s\n    body:\n"
         "      - loop: {k: [0, 7]}\n        body:\n          - loop: {i: [k + 1, 8]}\n"
         "            body:\n"
         "              - {statement: t, writes: \"a[i][k]\", reads: [\"a[i][k]\", \"a[k][k]\", "
         "\"b[i]\", \"c[k]\"], operations: {add: 5}}\n"
         "              - loop: {j: [k + 1, 8]}\n                body:\n"
         "                  - {statement: e, writes: \"a[i][j]\", reads: [\"a[i][k]\", "
         "\"a[k][j]\", \"b[j]\"], operations: {add: 2}}\n",
    /* hidden as far as there is work, with a probability */
    HEAD "arrays: {u: {extent: [16]}, v: {extent: [16]}, w: {extent: [16]}}\n"
         "program:\n  - segment: s\n    overlap: true\n    body:\n"
         "      - branch:\n          - probability: 0.5\n            body:\n"
         "              - loop: {i: [0, 14]}\n                body:\n"
         "                  - {statement: t, writes: \"v[i]\", reads: [\"u[i+1]\", \"w[i]\"], "
         "operations: {add: 6}}\n",
    /* time steps of two sweeps against one another: to and fro in each */
    HEAD SQUARE "repeat: 20\nprogram:\n" SEGMENT("s", "") SWEEP_ROWS SEGMENT("r", "") SWEEP_COLUMNS,
    /* many turns, dearer together than what is replicated: how dear need not be known */
    HEAD "arrays: {t: {extent: [24, 24]}, s: {extent: [24]}}\n"
         "program:\n  - segment: s\n    body:\n"
         "      - loop: {i: [1, 23]}\n        body:\n          - loop: {j: [24 - i, 23]}\n"
         "            body:\n"
         "              - {statement: t, writes: \"t[23-i][j]\", reads: [\"t[23-i][j-1]\", "
         "\"t[24-i][j-1]\", \"s[23-i]\", \"s[j]\"], operations: {add: 1}}\n"
         "              - loop: {k: [24 - i, j - 1]}\n                body:\n"
         "                  - {statement: e, writes: \"t[23-i][j]\", reads: [\"t[23-i][k]\", "
         "\"t[k+1][j]\"], operations: {add: 0.1}}\n",
    /* the same where a result goes elsewhere, which takes longer as long as it is replicated */
    HEAD "arrays: {t: {extent: [24, 24]}, s: {extent: [24, 24]}}\n"
         "program:\n  - segment: s\n    body:\n"
         "      - loop: {i: [1, 23]}\n        body:\n          - loop: {j: [0, i - 1]}\n"
         "            body:\n"
         "              - {statement: t, writes: \"t[i][j]\", reads: [\"t[i-1][j]\"], "
         "operations: {add: 9}}\n"
         "              - {statement: s, home: \"t[i][j]\", writes: \"s[j][i]\", reads: "
         "[\"t[i][j]\"], operations: {add: 9}}\n",
};

#endif
