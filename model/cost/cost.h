/* The cost of a communication utility: regions over message bytes (and, rarely, processors), in
   each of which

     T(n, p) = setup(p) + per_byte(p) n + per_root_byte(p) sqrt(n) + packets(n) per_packet

   (ceil(n / packet), at least one; where the first one has another room, one and those of what is
   beyond it) in microseconds, where setup, per_byte and per_root_byte are linear combinations of
   functions of p (basis.h). Published and measured machines have the same form. First matching
   region wins. Sources: Abandah, IBM SP2, sections 2.3 (Hockney's t0 and rinf, regions), 2.11
   (general form in p) and 4.3 (square root of n); Balasundaram, Static Performance Estimator
   (packets). */
#ifndef MODEL_COST_COST_H
#define MODEL_COST_COST_H

#include "model/base/error.h"
#include "model/cost/basis.h"
#include "model/cost/marks.h"
#include "model/cost/route.h"
#include "model/micro/in_situ.h"
#include "model/micro/states.h"
#include "model/records/record.h"

#include <stdbool.h>
#include <stddef.h>

/* A coefficient as it was printed: 0.031 is 0.031/1, the report's p/21.1 is {p: 1/21.1}. */
struct quotient {
    double numerator, denominator;
};

struct term {
    size_t basis;
    struct quotient coefficient;
};

/* Of a form in a table; what is learned has three. A table has many forms, so their room is what
   reading one takes. */
enum { FORM_TERMS_MOST = 5 };

/* A linear combination of functions of p; no terms = 0. A basis stands at most once. One more has
   room than tables have: the constant that a state of the machine adds (in_state.h). */
struct form {
    size_t count;
    struct term terms[FORM_TERMS_MOST + 1];
};

/* The value of a form at p processors. */
double form_value(const struct form *form, double p);

/* The form with the one constant term value/1. */
struct form form_constant(double value);

/* From least to most, both included. */
struct span {
    double least, most;
};

enum { REGION_ERROR_DIGITS = 4 }; /* no error is known to more */

/* How far the region's model is from the points (relative residuals |model - time| / time).
   fitted_*: points that it was fitted to; held_out_*: points that the fit never saw. NAN = none. */
struct region_error {
    double fitted_median, fitted_p95;
    double held_out_median, held_out_p95;
    double points, held_out_points; /* how many of each; NAN = not recorded */
    /* At a measured p that is answered by its neighbours, by the law and by the power of p alone
       (across.h); the lesser answers. NAN = not known. */
    double other_processors, power_processors;
    double between_median, between_p95; /* at a measured size that is answered by its neighbours;
                                           NAN: the law says the sizes between as well */
    double
        launches_p95; /* how far single launches are from the merged region (merge.h); NAN = one */
};

/* Why a region ends where it does, as a table says: the first is "not said". */
enum edge_cause { EDGE_UNKNOWN, EDGE_PACKET, EDGE_ADAPTER, EDGE_RENDEZVOUS, EDGE_LIBRARY };

struct region {
    double bytes_upto;      /* included; INFINITY = no bound */
    int ends_because;       /* enum edge_cause */
    struct span processors; /* where it holds; 0 and INFINITY = no bound */
    bool unscalable;        /* there is no model here: asking is an error */
    struct form setup_us, per_byte_us, per_root_byte_us;
    double packet_bytes, per_packet_us; /* NAN: not packetised */
    double first_packet_bytes;          /* NAN: as large as the others */
    /* Of a hop: what each further message started at once adds besides its bytes; NAN: nothing. */
    double gap_us;
    struct marks measured_us; /* where the law alone does not say what was measured */
    struct region_error error;
    struct place place; /* in the machine table; no file name */
};

/* What the number is, over repetitions: the first is "not said". */
enum statistic { STATISTIC_UNKNOWN, STATISTIC_MINIMUM, STATISTIC_MEAN, STATISTIC_MEDIAN };

/* What p counts in the formula (rule "Meaning of p" of doc/segment-description.md). */
enum processors_mean { MEAN_PARTICIPANTS, MEAN_DESTINATIONS, MEAN_SOURCES };

/* Whose time it is. */
enum measures { MEASURES_UNKNOWN, MEASURES_COMPLETION, MEASURES_SENDER, MEASURES_RECEIVER };

/* How the processors' own times became that of one repetition. */
enum across { ACROSS_UNKNOWN, ACROSS_ROOT, ACROSS_MAXIMUM, ACROSS_MEAN };

/* The tree that the messages of a broadcast follow (tree.h), or the rounds of a pattern
   (rounds.h). */
enum cost_tree {
    TREE_UNKNOWN,
    TREE_FLAT,
    TREE_DOUBLING,
    TREE_BINARY,
    TREE_BINOMIAL,
    TREE_BINOMIAL_OTHERS, /* from other roots than the first: route.h */
    TREE_EXCHANGES,
    TREE_LINE_SHIFT,
    TREE_GRID_SHIFT,
    TREE_LINE_EXCHANGE,
    TREE_GRID_EXCHANGE,
    TREE_RING,
    TREE_DISSEMINATION,
    TREE_COUNT
};

/* The regions fitted at one processor count. */
struct at_processors {
    double processors;
    double mean_over_maximum; /* see there; 0 = not known */
    struct list regions;      /* of struct region */
};

/* The cost characteristic of one utility. Zeroed by record_begin(&cost_record); owns its texts
   and lists; released with record_free(&cost_record). */
struct cost {
    char *utility;
    int statistic;       /* enum statistic */
    int processors_mean; /* enum processors_mean */
    int measures;        /* enum measures */
    int across;          /* enum across */
    /* The mean over processors of their own times as a share of the longest, among the most
       processors measured: with one of the two the other is known; 0 = not known. */
    double mean_over_maximum;
    char *source; /* where it was published, or NULL */
    char *note;
    /* Where it was measured; NAN = not said. Outside, answers are flagged extrapolated. */
    struct span bytes, processors;
    double processors_near; /* up to so many, as the formula counts them, no message goes far, and
                               another law may hold; NAN = not known */
    /* On a grid (grid.h): how long its shorter side was, for with another the pattern is another,
       and answers are flagged; NAN = on no grid, INFINITY = or any longer. */
    double grid_side_least, grid_side_most;
    double points, held_out_points; /* measured; NAN = not recorded */
    double launches;                /* merged in this table (merge.h); NAN = one */
    /* Of one launch: how far its passes over the sizes were from what stands, longer over shorter
       - 1, 95 of 100 of them within; 0 where they were equal. NAN = not known, or several launches,
       which say more. */
    double passes_p95;
    struct list states;  /* of struct state_factor: in the other states of the machine */
    struct list in_situ; /* of struct in_situ: where it is not repeated one right after the other */
    double published_error; /* how far the authors say that their model is off; NAN = they do not */
    double rejected;        /* share of repetitions rejected as disturbed */
    bool from_logp;         /* not of the table: what its LogP parameters tell (logp_cost.h) */
    bool disturbed;         /* the trainer thinks that the machine was not idle */
    double eager_upto_bytes;   /* longer messages wait for their receive; NAN = not known */
    double part_bytes;         /* longer messages are sent in parts of that size; NAN = whole */
    struct list regions;       /* of struct region */
    struct list by_processors; /* of struct at_processors: per-p fits, measured tables */
    int tree;                  /* enum cost_tree; known with hops */
    /* Of struct region, with the same breaks: what one message of the pattern takes; far: between
       nodes of processors_near, or none. */
    struct list hops, hops_far;
    struct place place;
};

extern const struct record region_record;
extern const struct record at_processors_record;
extern const struct record cost_record;

/* What the utility's own formula counts where so many processors take part, and back: destinations
   and sources leave one of them out. */
double cost_formula_p(const struct cost *cost, double processors);
double cost_processors(const struct cost *cost, double formula_p);

/* A region without conditions and without cost, everything absent. */
struct region region_begin(void);

/* A region that ends at bytes_upto (INFINITY: never) with T = t0_us + n / rinf_mb_per_s;
   rinf_mb_per_s may be INFINITY. */
struct region region_hockney(double bytes_upto, double t0_us, double rinf_mb_per_s);

/* The region that answers for a message of bytes >= 0 and p as the formula counts it; NULL: none.
   At a p that was measured it is one of that p's own, else one of the functions of p. */
const struct region *cost_region(const struct cost *cost, double bytes, double processors);

/* The first one of a list that holds; NULL: none. */
const struct region *cost_region_among(const struct list *list, double bytes, double processors);

/* The list of regions that answers at p: that p's own where it was measured, else cost->regions. */
const struct list *cost_regions_at(const struct cost *cost, double processors);

/* The road of a pattern whose tree is known, of a broadcast from processor `root`, p as the
   utility counts it. */
struct route cost_route(const struct cost *cost, double processors, int root);

/* The time of a pattern with hops, by them, for bytes >= 0, of a broadcast from processor `root`;
   NAN: the cost has no hops, p is not a whole number from 2 to 100000, or route_is_bounded says no.
   us. */
double cost_hops_time_us(const struct cost *cost, double bytes, double processors, int root);

/* Whether there is such a time. */
bool cost_has_hops_at(const struct cost *cost, double processors);

/* The hop of a cost that has hops for so many bytes. */
const struct region *cost_hop_region(const struct cost *cost, double bytes);

/* How such a time came about, where the message goes whole: how many messages there are and what
   each takes. False: there is no such time, or the message goes in parts. */
bool cost_hops_counts(const struct cost *cost, double bytes, double processors,
                      struct arrival *arrival, struct hop *hop);

/* The names in tables of an enum cost_tree, statistic, processors_mean, measures, across. */
const char *cost_tree_name(int tree);
const char *cost_statistic_name(int statistic);
const char *cost_processors_mean_name(int processors_mean);
const char *cost_measures_name(int measures);
const char *cost_across_name(int across);

/* How far the region's times are from what is measured, with everything that is known of it: within
   a launch, at other processor counts, between launches. What is not known counts as none. */
double region_relative_error(const struct region *region);

/* How far the answer is off in half of the cases, of sizes that it does not have; NAN = not known.
 */
double region_median_error(const struct region *region);

/* The time of a region's law at (bytes, processors), not clamped: may be negative. us. */
double region_time_us(const struct region *region, double bytes, double processors);

/* What answers at a p that was measured: its region's law, or the hops where their error is not
   above that one's, and what was measured where that does not say it. us; not clamped. */
double cost_measured_us(const struct cost *cost, const struct region *region, double bytes,
                        double processors);

/* The same where there are no hops. */
double region_answer_us(const struct region *region, double bytes, double processors);

/* The law of these alone. */
double cost_law_us(const struct cost *cost, const struct region *region, double bytes,
                   double processors);

/* Remarks to an answer; flags are combined with |. */
enum cost_flag {
    COST_EXTRAPOLATED_BYTES = 1,      /* "extrapolated-n" */
    COST_EXTRAPOLATED_PROCESSORS = 2, /* "extrapolated-p" */
    COST_CLAMPED = 4,                 /* "clamped": the formula was negative */
    COST_DISTURBED = 8,               /* "disturbed" */
    COST_OTHER_GRID = 16,             /* "other-grid": see grid_side_least */
    COST_UNPRICED_MISSES = 32,        /* "misses-not-priced": beyond the last level that is known */
    COST_SENDER_TIME = 64,            /* "sender-time": see cost_side_flag */
    COST_RECEIVER_TIME = 128,         /* "receiver-time" */
    COST_FROM_LOGP = 256,             /* "from-logp": see from_logp */
    COST_COMMUNICATION_ONLY = 512,    /* "communication-only": see other_node.h */
    COST_LOOP_NOT_MEASURED = 2048,    /* "loop-not-measured": priced by the model */
    COST_LOOP_BEYOND = 4096,          /* "loop-beyond": outside the sizes of its curve */
    COST_OTHER_ALGORITHM = 8192,      /* "other-algorithm": see across_outgrows */
    COST_OTHER_FLAGS = 16384,         /* "other-compiler-flags": model/code/code_flags.h */
    COST_TOUCHED_BEYOND = 32768,      /* "touched-beyond": see in_situ.h, more work than measured */
    COST_ERROR_UNKNOWN = 65536,       /* "error-unknown": see cost_interval_flag */
    COST_PARTLY_BOUND = 131072,       /* "partly-bound": see segment_flags */
    COST_NOT_PRICED = 262144,         /* "at-least": see analysis.h, is_not_known */
    COST_LAW_BEYOND = 524288,         /* "law-beyond": see analysis.h, is_beyond */
    COST_OTHER_NODE = 1048576,        /* "other-node": see measured_time.h */
    COST_OTHER_DISTANCE = 1024        /* "other-distance": forecast/price/distance.h */
};

/* Each flag with its name, and what it says to a person; the last has no name. */
struct cost_flag_row {
    unsigned flag;
    const char *name, *says;
};
extern const struct cost_flag_row cost_flag_rows[];

struct cost_answer {
    double time_us, low_us, high_us; /* low and high equal time where the table has no error */
    double relative_error; /* what the table says that it is off where it was measured, of 95 of
                              100 cases */
    double narrower;       /* between ends that 95 of 100 lie between and those of the one level */
    const struct region *region; /* borrowed from the cost */
    const struct cost *hops;     /* borrowed: by whose hops; NULL: by the region */
    size_t region_number;        /* counted from 1 */
    unsigned flags;
    bool has_error;     /* the table says how far it is off, other launches included */
    double measured_at; /* by structure.h from this one processor count; 0: not so */
};

/* The time of one use of the utility for n = bytes >= 0 at p = processors, p as processors_mean
   says; where the hops of a pattern are known better than the region, by them. At another p than
   were measured, as across.h says. low and high: of 90 of 100 cases (confidence.h); time
   divided and multiplied by 1 + the region's 95th percentile of held-out (else fitted) relative
   error + that between launches, or where there was one launch that between its passes, brought to
   that level; at least by what the authors of a published table say. Extrapolation and another grid
   widen them (cost.c says how). An error, without a place, where no region answers, the region is
   unscalable or the time is not finite. Whoever has the machine asks structure_answer. */
int cost_answer(const struct cost *cost, double bytes, double processors,
                struct cost_answer *answer, struct error *error);

/* The same before the ends are brought from 95 of 100 cases to the one level: what structure.h
   makes bounds of. cost_answer_narrow brings them there, once. */
int cost_answer_wide(const struct cost *cost, double bytes, double processors,
                     struct cost_answer *answer, struct error *error);
void cost_answer_narrow(struct cost_answer *answer);

/* The flag of a charge for what everybody waits for where the cost is of one side's busy time,
   about half of completion (rule "Meaning of p" of doc/segment-description.md); 0 where it is
   everybody's, or nothing says whose. */
unsigned cost_side_flag(const struct cost *cost);

/* COST_ERROR_UNKNOWN where the interval of a time above 0 has no width: nothing says how far the
   time is off, and whoever shows it leaves low and high empty. Else 0. */
unsigned cost_interval_flag(double time_us, double low_us, double high_us);

/* The flags in words, separated by blanks, into text of at least COST_FLAGS_TEXT bytes. */
enum { COST_FLAGS_TEXT = 320 };
const char *cost_flags_print(unsigned flags, char text[COST_FLAGS_TEXT]);

#endif
