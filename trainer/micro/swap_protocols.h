/* The protocols of Worley, COMMTEST, as rows: what each of the two processors does in one swap. */
#ifndef TRAINER_MICRO_SWAP_PROTOCOLS_H
#define TRAINER_MICRO_SWAP_PROTOCOLS_H

#include <stdbool.h>

/* The call that sends. */
enum swap_send {
    SWAP_BSEND,
    SWAP_SEND,
    SWAP_ISEND,
    SWAP_RSEND,
    SWAP_IRSEND,
    SWAP_SSEND,
    SWAP_ISSEND,
    SWAP_SENDRECV /* sends and receives */
};

/* One processor's part. A nonblocking receive is posted first of all, and completed when the
   processor receives. */
struct swap_side {
    bool receives_first; /* else it sends first */
    bool posts;          /* MPI_Irecv, else MPI_Recv */
    enum swap_send send;
    bool tells; /* an empty message "my receive is posted", or is about to be */
    bool hears; /* waits for the partner's before it sends */
};

struct swap_protocol {
    int order, number;
    struct swap_side one, two;
};

/* The protocol of that number; NULL: there is none. */
const struct swap_protocol *swap_protocol(int order, int number);

bool swap_send_is_nonblocking(enum swap_send send);

#endif
