#include "trainer/engine/message_buffers.h"

#include "trainer/base/pages.h"

#include <stdlib.h>

size_t message_buffers_room(const struct utility *utility, int participants, int bytes)
{
    const int messages = utility->messages ? utility->messages(participants) : 1;
    return (size_t)messages * (size_t)bytes;
}

static char *new_buffer(size_t bytes, int value, bool simulated)
{
    return simulated ? pages_unwritten(bytes) : pages_new(bytes, value);
}

void message_buffers_grow(struct message_buffers *buffers, size_t bytes, bool simulated)
{
    if (bytes <= buffers->bytes)
        return;
    message_buffers_free(buffers);
    buffers->send = new_buffer(2 * bytes, 1, simulated);
    buffers->receive = new_buffer(2 * bytes, 2, simulated);
    buffers->bytes = 2 * bytes;
}

void message_buffers_free(struct message_buffers *buffers)
{
    free(buffers->send);
    free(buffers->receive);
    *buffers = (struct message_buffers){0};
}
