#include "model/segment/traffic/message.h"
#include "model/segment/traffic/shift.h"

#include <math.h>

/* A read that may have been delivered, and where its statement runs. */
struct parcel {
    const struct message *message;
    const struct reference *read;
    const struct list *messages;
    struct home home;
    struct turn turn;
    const struct layout *layout;
};

/* Whether a message brings, stage by stage, elements of the same array to the same places within
   deeper loops: what is carried further out was brought in an earlier iteration. */
static bool brings(const struct message *pipelined, const struct parcel *it)
{
    const struct message *message = it->message;
    return pipelined->pipelined && pipelined->depth > message->depth &&
           message_same_places(pipelined, message, it->layout) &&
           reads_agree(&pipelined->reads, it->read);
}

/* Whether one of a message's reads goes at least as far along a dimension, in the same direction.
 */
static bool goes_as_far(const struct message *pipelined, const struct parcel *it, int dimension,
                        double offset)
{
    const struct home_axis *axis =
        &it->home.axes[it->message->lies->along[dimension].grid_dimension];
    double far;
    for (size_t k = 0; k < pipelined->reads.count; k++)
        if (shift_offset(pipelined->reads.references[k], dimension, axis, it->message->lies,
                         &it->turn, &far) &&
            far * offset > 0.0 && fabs(far) >= fabs(offset))
            return true;
    return false;
}

static bool is_brought_along(const struct parcel *it, int dimension, double offset)
{
    const struct message *all = it->messages->items;
    for (size_t i = 0; i < it->messages->count; i++)
        if (brings(&all[i], it) && goes_as_far(&all[i], it, dimension, offset))
            return true;
    return false;
}

/* Along every distributed dimension it is local, or brought: round a corner by one after the other.
   What is local along all of them needs no delivery. */
static bool is_delivered(const struct parcel *it)
{
    const struct array_layout *lies = it->message->lies;
    bool is_brought = false;
    for (int d = 0; d < lies->dimensions; d++) {
        const int g = lies->along[d].grid_dimension;
        double offset;
        if (g < 0)
            continue;
        if (!shift_offset(it->read, d, &it->home.axes[g], lies, &it->turn, &offset) ||
            (offset != 0.0 && !is_brought_along(it, d, offset)))
            return false;
        is_brought |= offset != 0.0;
    }
    return is_brought;
}

void delivery_drop(struct list *messages, size_t number, const struct layout *layout)
{
    struct message *message = (struct message *)messages->items + number;
    struct parcel it = {.message = message, .messages = messages, .layout = layout};
    it.turn.depth = message->reader->nest.depth;
    size_t kept = 0;
    if (!message->carried || !message->home || message->pipelined ||
        !home_of(&it.home, message->home, layout, message->reader->nest.program, it.turn.fixed,
                 it.turn.at))
        return;
    for (size_t k = 0; k < message->reads.count; k++) {
        it.read = message->reads.references[k];
        if (!is_delivered(&it))
            message->reads.references[kept++] = it.read;
    }
    message->reads.count = kept;
}
