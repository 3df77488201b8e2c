#include "model/micro/swap.h"

#include <math.h>

const struct swap_choice swap_default = {512.0, 1024.0, NAN, NAN};

/* Worley, COMMTEST, the protocols. Number 6 and "simple" mean different things in the two orders,
   and there is no (0,10): both processors would wait in their synchronous sends. */
static const struct {
    const char *name;
    bool reorganizes;
} protocols[SWAP_ORDERS][SWAP_PROTOCOLS] = {
    {
     {"simple", false},
     {"nonblocking send", true},
     {"nonblocking receive", true},
     {"nonblocking send and receive", true},
     {"ready send", true},
     {"nonblocking ready send", true},
     {"native sendrecv", false},
     {"nonblocking synchronous send", true},
     {"synchronous send and nonblocking receive", true},
     {"nonblocking synchronous send and receive", true},
     {NULL, false},
     },
    {
     {"simple", false},
     {"nonblocking send", true},
     {"nonblocking receive", true},
     {"nonblocking send and receive", true},
     {"ready send", true},
     {"nonblocking ready send", true},
     {"synchronous", false},
     {"nonblocking synchronous send", true},
     {"synchronous send and nonblocking receive", true},
     {"nonblocking synchronous send and receive", true},
     {"synchronous send", false},
     },
};

static bool is_number(int order, int protocol)
{
    return order >= 0 && order < SWAP_ORDERS && protocol >= 0 && protocol < SWAP_PROTOCOLS;
}

const char *swap_protocol_name(int order, int protocol)
{
    return is_number(order, protocol) ? protocols[order][protocol].name : NULL;
}

bool swap_can_reorganize(int order, int protocol)
{
    return is_number(order, protocol) && protocols[order][protocol].reorganizes;
}

/* ---- a and b ---- */

static double time_at(const struct swap_time *times, size_t count, double messages)
{
    for (size_t i = 0; i < count; i++)
        if (times[i].messages == messages)
            return times[i].time_us;
    return NAN;
}

static const struct swap_time *least_of(const struct swap_time *times, size_t count)
{
    const struct swap_time *least = &times[0];
    for (size_t i = 1; i < count; i++)
        if (times[i].time_us < least->time_us)
            least = &times[i];
    return least;
}

static int check_times(const struct swap_time *times, size_t count,
                       const struct swap_choice *choice, struct error *error)
{
    for (size_t i = 0; i < count; i++)
        if (!(times[i].time_us > 0.0))
            return error_set(error, "the time of %g messages is %g us", times[i].messages,
                             times[i].time_us);
    if (!(choice->first_messages < choice->last_messages) ||
        isnan(time_at(times, count, choice->first_messages)) ||
        isnan(time_at(times, count, choice->last_messages)))
        return error_set(error, "no times of %g and of %g messages", choice->first_messages,
                         choice->last_messages);
    return 0;
}

/* ---- what they mean ---- */

void swap_take_rates(struct swap *swap)
{
    const bool ordered = swap->order == SWAP_ORDERED;
    swap->latency_us = ordered ? swap->a_us / 2.0 : swap->a_us;
    swap->swap_mb_per_s = 2.0 / swap->b_us_per_byte;
    swap->busy_mb_per_s = ordered ? (double)NAN : 1.0 / swap->b_us_per_byte;
    swap->idle_mb_per_s = ordered ? 2.0 / swap->b_us_per_byte : (double)NAN;
}

double swap_model_us(const struct swap *swap, double messages)
{
    return swap->a_us * messages + swap->b_us_per_byte * swap->volume_bytes;
}

static int set_errors(struct swap *swap, const struct swap_time *times, size_t count,
                      const struct swap_choice *choice, struct error *error)
{
    double most = 0.0, sum = 0.0;
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        if (times[i].messages < choice->dominant_from || times[i].messages > choice->dominant_upto)
            continue;
        const double model_us = swap_model_us(swap, times[i].messages);
        const double off = fabs(model_us - times[i].time_us) / times[i].time_us;
        most = fmax(most, off);
        sum += off;
        used++;
    }
    if (used == 0)
        return error_set(error, "no time among the messages that the model error is asked for");
    swap->model_error_max = most;
    swap->model_error_mean = sum / (double)used;
    swap->dominant_from = choice->dominant_from;
    swap->dominant_upto = choice->dominant_upto;
    return 0;
}

int swap_conclude(struct swap *swap, const struct swap_time *times, size_t count,
                  const struct swap_choice *choice, struct error *error)
{
    if (check_times(times, count, choice, error) != 0)
        return -1;
    const double first = choice->first_messages, last = choice->last_messages;
    const struct swap_time *least = least_of(times, count);
    const double more_us = time_at(times, count, last) - time_at(times, count, first);
    swap->a_us = fmax(0.0, more_us / (last - first));
    swap->a_not_visible = more_us <= 0.0;
    swap->b_us_per_byte = least->time_us / swap->volume_bytes;
    swap->best_messages = least->messages;
    swap->single_us = time_at(times, count, 1.0);
    swap->first_messages = first;
    swap->last_messages = last;
    swap_take_rates(swap);
    return set_errors(swap, times, count, choice, error);
}
