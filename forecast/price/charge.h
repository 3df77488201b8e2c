/* What a use of communication is charged with: so many uses of utilities of a machine table. */
#ifndef FORECAST_PRICE_CHARGE_H
#define FORECAST_PRICE_CHARGE_H

#include "forecast/price/contention.h"
#include "forecast/price/distance.h"
#include "model/machine/machine.h"

enum { PARTS_MOST = 6, CHARGE_NAME = 64 };

/* A utility's share of a charge. */
struct charge_part {
    const struct cost *cost;  /* borrowed */
    double uses;              /* of the utility for one use of what is wanted */
    double bytes, processors; /* as the utility's formula counts them */
    struct cost_answer each;  /* of one use of the utility, nothing else being under way */
    struct contention contention;
};

/* What one use costs: one utility, or a composition of several. */
struct charge {
    double time_us, low_us, high_us;
    double alone_us; /* if nothing else were under way */
    unsigned flags;
    const char *instead_of;  /* the utility that the table does not have, or NULL */
    char as[CHARGE_NAME];    /* of what it is composed, where that is composed itself; else empty */
    bool too_low;            /* the composition is known to be too low */
    bool no_error;           /* for some of it the table does not say how far it is off */
    bool packing_unknown;    /* strided messages, and the table does not say what packing costs */
    const char *packing;     /* the utility that packing was priced by, or NULL */
    bool contention_unknown; /* others do the same at the same time, and the table does not say what
                                that costs */
    double distance;         /* a factor in the times: of the last part's distance; 0: none */
    double in_situ;          /* a factor in the times: in_situ.h; 0: none */
    double contribute;       /* those of the participants that have something to combine; 0: all */
    size_t part_count;
    struct charge_part parts[PARTS_MOST];
};

/* So many times as much of all that it is made of. */
void charge_scale(struct charge *charge, double times);

/* So many uses, of so many bytes among so many participants, at_once of which go on. */
struct charged {
    double uses, bytes, participants, at_once;
    const char *pattern;             /* as contention knows it; NULL: the utility's own */
    double apart;                    /* as contention knows it */
    const struct distance *distance; /* at which it is, in terms of where it was measured; NULL:
                                        there */
};

/* p as the utility's own formula counts it, for a group of participants (rule "Meaning of p" of
   doc/segment-description.md). */
double charge_counted(const struct cost *cost, double participants);

/* Adds uses of a utility of the machine. Errors: those of cost_answer. */
int charge_add(struct charge *charge, const struct machine *machine, const struct cost *cost,
               const struct charged *charged, struct error *error);

/* Adds so many uses of what another charge is for. An error where that has too many parts. */
int charge_add_all(struct charge *charge, const struct charge *other, double uses,
                   struct error *error);

/* The utilities of the charge, each once, with " + " between them, into name. */
void charge_name(const struct charge *charge, char name[CHARGE_NAME]);

/* Adds one more to such a list of names. */
void charge_append_name(char name[CHARGE_NAME], const char *more);

#endif
