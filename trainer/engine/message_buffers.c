#include "trainer/engine/message_buffers.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096 };

size_t message_buffers_room(const struct utility *utility, int participants, int bytes)
{
    const int messages = utility->messages ? utility->messages(participants) : 1;
    return (size_t)messages * (size_t)bytes;
}

static char *new_buffer(size_t room, int content, bool simulated)
{
    char *buffer = aligned_alloc(PAGE, room);
    if (!buffer)
        MPI_Abort(MPI_COMM_WORLD, 2);
    if (!simulated)
        memset(buffer, content, room);
    return buffer;
}

void message_buffers_grow(struct message_buffers *buffers, size_t bytes, bool simulated)
{
    if (bytes <= buffers->bytes)
        return;
    const size_t room = (2 * bytes + PAGE) / PAGE * PAGE;
    message_buffers_free(buffers);
    buffers->send = new_buffer(room, 1, simulated);
    buffers->receive = new_buffer(room, 2, simulated);
    buffers->bytes = room;
}

void message_buffers_free(struct message_buffers *buffers)
{
    free(buffers->send);
    free(buffers->receive);
    *buffers = (struct message_buffers){0};
}
