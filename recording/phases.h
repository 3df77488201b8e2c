/* What is under way together on a process. Of this folder alone. */
#ifndef RECORDING_PHASES_H
#define RECORDING_PHASES_H

#include "recording/rows.h"

struct message {
    int partner; /* a process; RECORDING_ANYBODY */
    int tag;
    bool is_send;
    const struct recorded_communicator *comm;
    size_t place; /* of struct places */
    double bytes;
};

/* A collective call; or messages from where nothing is under way to where nothing is any more. */
struct phase {
    const struct recorded_kind *call; /* of a collective; else NULL */
    const struct recorded_communicator *comm;
    size_t place;
    size_t first, count; /* messages */
    bool blocks;         /* it began with a call that blocks */
};

struct process_phases {
    struct message *messages;
    size_t message_count, message_room;
    struct phase *items;
    size_t count, room;
};

struct phases {
    const struct recording *recording;
    size_t *place_of; /* by the recording's sites */
    struct process_phases *each;
    double unmatched;
};

#endif
