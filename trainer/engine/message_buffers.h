/* The memory that a utility's messages come from and go to. */
#ifndef TRAINER_ENGINE_MESSAGE_BUFFERS_H
#define TRAINER_ENGINE_MESSAGE_BUFFERS_H

#include "trainer/utilities/utility.h"

/* Zeroed: none yet. */
struct message_buffers {
    char *send, *receive; /* of so many bytes each; owned */
    size_t bytes;
};

/* What the utility needs in each of them for messages of so many bytes. */
size_t message_buffers_room(const struct utility *utility, int participants, int bytes);

/* Makes each of so many bytes at least: page-aligned, and every page written by the rank that uses
   it, as untouched pages would share one page of zeros; a simulated machine has no pages. They grow
   only, so that a run does not move its buffers from size to size. Ends all ranks where there is no
   memory. */
void message_buffers_grow(struct message_buffers *buffers, size_t bytes, bool simulated);

void message_buffers_free(struct message_buffers *buffers);

#endif
