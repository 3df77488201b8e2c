/* What a message of several pieces takes more than one of one piece: by a vector type or by
   packing, as the program says or whichever the table says is quicker. */
#ifndef FORECAST_PRICE_PACKING_H
#define FORECAST_PRICE_PACKING_H

#include "model/machine/machine.h"
#include "model/segment/program/program.h"
#include "model/segment/traffic/traffic.h"

struct packing {
    double more_us, low_us, high_us; /* 0 where it takes no more */
    const char *utility;             /* that it is priced by; NULL: none */
    bool unknown; /* there are pieces, and the table does not say what they cost */
};

/* How a message lies, and is sent. */
struct in_pieces {
    enum pieces pieces;
    int strided;          /* enum strided */
    double element_bytes; /* of a piece that is one element; 0: not told */
};

/* Of a message of so many bytes among so many participants. Tables measure pieces of doubles: of
   elements that are shorter there are more. Errors: those of cost_answer. */
int packing_price(struct packing *packing, const struct machine *machine, enum traffic_class class,
                  const struct in_pieces *how, double bytes, double participants,
                  struct error *error);

#endif
