/* Time for measuring again what was disturbed, shared by all parts of a calibration: in a noisy
   hour each part would otherwise take three times as long. Knows no clock. */
#ifndef TRAINER_ALLOWANCE_H
#define TRAINER_ALLOWANCE_H

#include <stdbool.h>

struct allowance {
    double all_s, left_s;
    int parts; /* of the calibration, that share it */
};

/* Of a calibration of so many parts (1 or more) that may take so long. */
struct allowance allowance_of(double budget_s, int parts);

/* Whether a part may take attempt_s more; it is then taken off. Parts_left, those still to come,
   keep their equal shares of the whole from a part that does not need it (need 0); the more it
   needs it, up to 1, the less of them. */
bool allowance_grant(struct allowance *allowance, double attempt_s, double need, int parts_left);

#endif
