/* How a LogP signature is taken on the machine (Culler, Fast Network Interfaces, Small-message
   performance): what is asked, and one number, one curve or one whole signature of it. The section
   logp of the table is made of these. */
#ifndef TRAINER_MICRO_LOGP_SIGNING_H
#define TRAINER_MICRO_LOGP_SIGNING_H

#include "model/micro/logp.h"
#include "trainer/engine/run.h"
#include "trainer/micro/logp_probe.h"

enum {
    SIGNING_SMALL_BYTES = 16,   /* four words (Culler, Fast Network Interfaces, Active Messages) */
    SIGNING_BYTES_MOST = 65536, /* of bulk */
    SIGNING_ISSUES_MOST = 1024  /* 16 times the capacity: long in the steady state */
};

/* What is measured, and on what. */
struct signing {
    struct run *run;
    struct measure_plan plan;
    struct logp_order order;
    int issues_most; /* of the curves, where they have settled by then */
    double eager_upto_bytes;
    double end_s;
    const char *kept_as; /* signatures are kept as points, "logp-KEPT_AS-ISSUES-DELAY"; NULL: not */
    double kept_bytes;   /* of these points */
    struct error *error;
};

/* The median of a round trip with the processor `partner` in us; 0, or -1 and signing->error. */
int signing_round_trip_us(struct signing *signing, int partner, double *time_us);

/* The mean times of an issue in us over growing numbers of issues from `from` on, each delay_us
   behind the one before: adds struct signature_point to points. 0; 1 when the time ended; -1 and
   signing->error. */
int signing_curve(struct signing *signing, int from, double delay_us, struct list *points);

/* A curve without delay, and one for each of in_gaps[1 .. count - 1] behind it, in units of the
   first one's asymptote (Culler, Fast Network Interfaces, Small-message performance), from
   `delayed_from` issues on. Returns as signing_curve. */
int signing_signature(struct signing *signing, const double *in_gaps, size_t count,
                      int delayed_from, struct list *points);

/* Reads the parameters off two curves of long sequences, where a request and its reply take
   trip_us; 0; 1 when the time ended or the curves tell nothing, *reason says why; -1 and
   signing->error. */
int signing_read(struct signing *signing, double trip_us, struct signature_reading *reading,
                 struct error *reason);

/* Reads o_s off the shortest sequences alone, 1 to 4 requests, where a request and its reply take
   trip_us: these take next to no time. 0, or -1 and signing->error. */
int signing_send_overhead_us(struct signing *signing, double trip_us, double *send_overhead_us);

/* Sets order.capacity for requests whose round trip takes trip_us; 0, or -1 and signing->error. */
int signing_choose_capacity(struct signing *signing, double trip_us);

#endif
