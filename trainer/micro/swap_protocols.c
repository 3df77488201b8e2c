#include "trainer/micro/swap_protocols.h"

#include <stddef.h>

enum { SENDS_FIRST = false, RECEIVES_FIRST = true, RECV = false, IRECV = true };
enum { QUIET = false, TELLS = true, DEAF = false, HEARS = true };

/* In one order both do the same; in the other processor 2 receives first, with a blocking receive
   and the blocking send of the same mode. Ready sends are right only when the receive is posted:
   the receiver says so, except where its partner's message has already said it (Worley, COMMTEST,
   the protocols). (1,6) has the calls of (1,0), and before each send hears that its receive is
   about to be posted. */
#define BOTH(...)                                                                                  \
    {__VA_ARGS__},                                                                                 \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define PLAIN(call)                                                                                \
    {                                                                                              \
        RECEIVES_FIRST, RECV, call, QUIET, DEAF                                                    \
    }

static const struct swap_protocol protocols[] = {
    {0,                 0,                 BOTH(SENDS_FIRST,RECV,SWAP_BSEND, QUIET, DEAF)},
    {0,            1,                        BOTH(SENDS_FIRST,RECV,SWAP_ISEND, QUIET, DEAF)},
    {0, 2,BOTH(SENDS_FIRST,IRECV,SWAP_SEND, QUIET, DEAF)},
    {0,                 3,                                  BOTH(SENDS_FIRST,IRECV,SWAP_ISEND, QUIET, DEAF)},
    {0,        4,                    BOTH(SENDS_FIRST,IRECV,SWAP_RSEND, TELLS, HEARS)},
    {0,5,BOTH(SENDS_FIRST,IRECV,SWAP_IRSEND, TELLS, HEARS)},
    {0,            6,                             BOTH(SENDS_FIRST,RECV,SWAP_SENDRECV, QUIET, DEAF)},
    {0,            7,                   BOTH(SENDS_FIRST,RECV,         SWAP_ISSEND, QUIET, DEAF)},
    {0,                 8,                                  BOTH(SENDS_FIRST, IRECV,                       SWAP_SSEND, QUIET, DEAF)},
    {0,            9,                       BOTH(SENDS_FIRST,IRECV,SWAP_ISSEND, QUIET, DEAF)},
    {1, 0,{SENDS_FIRST, RECV, SWAP_SEND, QUIET, DEAF},PLAIN(SWAP_SEND)},
    {1,                 1,                                  {SENDS_FIRST, RECV, SWAP_ISEND, QUIET, DEAF},PLAIN(SWAP_SEND)},
    {1,      2,                  {SENDS_FIRST, IRECV, SWAP_SEND, QUIET, DEAF},PLAIN(SWAP_SEND)},
    {1,3,{SENDS_FIRST, IRECV, SWAP_ISEND, QUIET, DEAF},PLAIN(SWAP_SEND)},
    {1,
     4,                             {SENDS_FIRST, IRECV, SWAP_RSEND, QUIET, HEARS},
     {RECEIVES_FIRST, IRECV, SWAP_RSEND, TELLS, DEAF}},
    {1,
     5,                  {SENDS_FIRST, IRECV, SWAP_IRSEND, QUIET, HEARS},
     {RECEIVES_FIRST, IRECV, SWAP_RSEND, TELLS, DEAF}             },
    {1,
     6,                                 {SENDS_FIRST, RECV, SWAP_SEND, TELLS, HEARS},
     {RECEIVES_FIRST, RECV, SWAP_SEND, TELLS, HEARS}},
    {1,                 7,                 {SENDS_FIRST, RECV, SWAP_ISSEND, QUIET, DEAF},PLAIN(SWAP_SSEND)},
    {1,                 8,                            {SENDS_FIRST, IRECV, SWAP_SSEND, QUIET, DEAF},PLAIN(SWAP_SSEND)},
    {1,                 9,                                  {SENDS_FIRST, IRECV, SWAP_ISSEND, QUIET, DEAF},PLAIN(SWAP_SSEND)},
    {1,                 10,                                    {SENDS_FIRST, RECV, SWAP_SSEND, QUIET, DEAF},PLAIN(SWAP_SSEND)},
};

const struct swap_protocol *swap_protocol(int order, int number)
{
    for (size_t i = 0; i < sizeof protocols / sizeof *protocols; i++)
        if (protocols[i].order == order && protocols[i].number == number)
            return &protocols[i];
    return NULL;
}

bool swap_send_is_nonblocking(enum swap_send send)
{
    return send == SWAP_ISEND || send == SWAP_IRSEND || send == SWAP_ISSEND;
}
