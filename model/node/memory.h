/* The memory of a node: its levels from the nearest cache to main memory, and what translates
   addresses (Abandah, IBM SP2, section 5.4). Everything may be unknown but which level it is. */
#ifndef MODEL_NODE_MEMORY_H
#define MODEL_NODE_MEMORY_H

#include "model/records/record.h"

#include <stdbool.h>

/* More caches than that no table may have. */
enum { MEMORY_LEVELS_MOST = 8 };

/* Which line a cache gives up for a new one. */
enum replacement { REPLACEMENT_UNKNOWN, REPLACEMENT_LRU };

/* Numbers are NAN and texts NULL where not known. */
struct memory_level {
    double level; /* 1: the nearest cache, 2, ...; INFINITY: main memory, `memory` in the file */
    double capacity_bytes;                          /* where it is known as one number; else */
    double capacity_bytes_low, capacity_bytes_high; /* it lies between these */
    int replacement;                                /* enum replacement */
    double line_bytes, ways, ports; /* ports: accesses that it can answer in one cycle */
    char *method;                   /* how capacity, line and ways were found; owned */
    /* One access that hits here; of one after the other, each waiting for the one before. */
    double load_cycles, store_cycles, load_ns, store_ns;
    double load_ns_low, load_ns_high;              /* the least and the most of several moments */
    double load_tlb_miss_cycles, load_tlb_miss_ns; /* where its translation is missed as well */
    double load_tlb_miss_ns_low, load_tlb_miss_ns_high;
    /* A line from here to the next nearer level, one after the other without waiting. */
    double load_line_cycles, store_line_cycles;
    /* The same at least, whatever the form: of one array or of several, words of each line or all
     * of it. */
    double load_line_cycles_least, store_line_cycles_least;
    double load_mb_per_s, store_mb_per_s; /* sustained; 10^6 bytes a second */
    double pair_ratio; /* cost of a line here while another processor loads as well / alone */
    /* What the operating system says; predictions compute nothing with it. */
    double told_capacity_bytes, told_line_bytes, told_ways;
    char *because;      /* why something is not known; owned */
    struct place place; /* in the machine table; no file name */
};

/* Loops over arrays that no cache holds. PAST: what is written goes past the caches, and no line is
 * read before. */
enum stream_kernel {
    STREAM_LOAD,
    STREAM_FILL,
    STREAM_COPY,
    STREAM_TRIAD,
    STREAM_FILL_PAST,
    STREAM_COPY_PAST,
    STREAM_TRIAD_PAST
};

/* One of them, by one processor alone. */
struct memory_stream {
    int kernel;      /* enum stream_kernel */
    double mb_per_s; /* what the loop reads and writes, as STREAM counts it; 10^6 bytes a second */
    double array_bytes; /* of each of its three arrays; NAN: not told */
    struct place place; /* in the machine table; no file name */
};

/* The name of a kernel in tables: copy, ... */
const char *memory_stream_name(const struct memory_stream *stream);

/* A translation look-aside buffer. */
struct tlb {
    double level;                     /* 1, 2, ... */
    double entries, page_bytes;       /* entries: where they are known as one number; else */
    double entries_low, entries_high; /* they lie between these */
    double ways;
    char *method;       /* owned */
    double miss_cycles; /* what a miss here costs */
    char *because;      /* why something is not known; owned */
};

/* What a line costs on its way to the next nearer level where every access is so many lines behind
   the one before, as in a walk along a column of a matrix that lies by rows. */
struct strided_lines {
    double level;        /* where they come from, as of a struct memory_level */
    double stride_lines; /* at least 2 */
    double load_line_cycles, store_line_cycles;
    double store_in_turn_line_cycles; /* with a store that the nearest cache holds behind each */
    struct place place;               /* in the machine table; no file name */
};

struct memory {
    double clock_mhz;          /* of the cycles here, and of the points of the kernels */
    struct list levels;        /* of struct memory_level, ascending, main memory last */
    struct list streams;       /* of struct memory_stream */
    struct list strided;       /* of struct strided_lines */
    struct list tlb;           /* of struct tlb */
    struct list by_1995_rules; /* of struct memory_level: what the sources' rules make of their
                                  kernels, for comparison; nothing is computed with it */
    char *note;                /* how it was measured, or NULL; owned */
};

extern const struct record memory_record;
extern const struct record memory_level_record;
extern const struct record memory_stream_record;
extern const struct record strided_lines_record;
extern const struct record tlb_record;

/* The level with that number (INFINITY: main memory), borrowed; NULL: the table has none.
   memory may be NULL. */
const struct memory_level *memory_level(const struct memory *memory, double level);

/* The caches whose capacity and line are known, nearest first; returns how many, at most
   MEMORY_LEVELS_MOST. memory may be NULL. */
size_t memory_caches(const struct memory *memory, const struct memory_level **caches);

/* The level that lines come from on their way into that cache: the next one of which the table says
   what a line or a byte costs, stores or, where it has none, loads. NULL: none. */
const struct memory_level *memory_behind(const struct memory *memory,
                                         const struct memory_level *cache, bool store);

/* Cycles that a line takes on its way into that cache, of many: from the time of a line or the rate
   of the next level that the table has. NAN: not known. */
double memory_line_cycles(const struct memory *memory, const struct memory_level *cache, bool store,
                          double clock_mhz);

/* The least that one takes, in whatever form a program asks for it; where the table does not say
   that, memory_line_cycles. */
double memory_line_cycles_least(const struct memory *memory, const struct memory_level *cache,
                                bool store, double clock_mhz);

/* The capacity in bytes: as known, or the middle of the interval by ratio; NAN: not known. */
double memory_level_capacity(const struct memory_level *level);

#endif
