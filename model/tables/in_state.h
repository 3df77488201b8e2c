/* A table that is asked in another of the machine's states than the commonest. */
#ifndef MODEL_TABLES_IN_STATE_H
#define MODEL_TABLES_IN_STATE_H

#include "model/machine/machine.h"

/* Makes the machine what it is in that state, from 1; the first changes nothing. Every region takes
   add_us + factor times as long (struct state_factor), and what lies between messages adds as many
   microseconds as in the first. Utilities that were not measured in that state, what messages of a
   pattern take one by one, LogP, overlap and swap go. Errors are those of the first state: how well
   the line fits is not in the table. The machine's name says the state. An error where it has no
   such state. */
int machine_in_state(struct machine *machine, int state, struct error *error);

#endif
