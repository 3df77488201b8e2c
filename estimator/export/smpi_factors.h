/* The times of messages as SMPI composes them: the sender's overhead, a latency and a rate for the
   message with its envelope, the receiver's overhead, all by pieces over the message size. */
#ifndef ESTIMATOR_EXPORT_SMPI_FACTORS_H
#define ESTIMATOR_EXPORT_SMPI_FACTORS_H

#include "model/machine/machine.h"

#include <stdbool.h>

enum { SMPI_PIECES_MOST = 1024 };

/* What SMPI adds to every message. */
extern const double smpi_envelope_bytes;

/* constant + per_byte n */
struct smpi_overhead {
    double constant_us, per_byte_us;
};

/* For messages of more than above_bytes, up to the next piece; the first is for all shorter ones.
 */
struct smpi_piece {
    double above_bytes;
    double latency_us, per_byte_us; /* latency + per_byte (n + envelope); both at least 0 */
    struct smpi_overhead send, receive;
};

struct smpi_factors {
    struct smpi_piece pieces[SMPI_PIECES_MOST];
    size_t count;
    double eager_upto_bytes; /* overheads are charged up to here; NAN: there are none */
    double
        overheads_dropped; /* overheads were longer than the message up to so many bytes; 0: none */
    double error_most;     /* of the pieces against the table, relative, up to what was trained */
};

/* Takes the point-to-point messages of the machine, which has them, apart. logp may be missing. */
void smpi_factors_find(const struct machine *machine, struct smpi_factors *factors);

#endif
