/* The loops of compiled_loops.c as they are compiled with other flags than the trainer's: what
   programs reach that are. */
#ifndef TRAINER_NODE_COMPILATIONS_H
#define TRAINER_NODE_COMPILATIONS_H

#include "model/machine/machine.h"
#include "trainer/base/options.h"
#include "trainer/node/compiled_loops.h"

/* The trainer's own, and one for each list of flags that could be compiled. */
struct compilations {
    size_t count;
    struct {
        const char *flags;                /* NULL: the trainer's */
        const struct compiled_code *code; /* in the object */
        void *object;
    } items[DEFINITIONS_MOST + 1];
};

/* Compiles the loops with each of the options' lists of flags ($CC or cc), and loads what is made;
   where that cannot be, the table says why. Release with compilations_free. */
void compilations_make(struct compilations *compilations, const struct options *options,
                       struct machine *machine);

/* Sets what they reach from cycles of all loops, an iteration each: node->compiled by the first
   compiled_count of them, and so on; the node's units are known. */
void compilations_set(const struct compilations *compilations, struct node *node,
                      const double *cycles);

void compilations_free(struct compilations *compilations);

#endif
