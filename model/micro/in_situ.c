#include "model/micro/in_situ.h"

#include <math.h>

/* Where nothing but the buffers is touched: work within a first-level cache changes no more. */
static const double written_bytes = 32.0 * 1024;

double in_situ_work_bytes(enum in_situ_mode mode)
{
    static const double kilobytes[IN_SITU_MODES] = {0.0, 256.0, 1024.0, 4096.0, 32768.0};
    return 1024.0 * kilobytes[mode];
}

double *in_situ_of(struct in_situ *row, enum in_situ_mode mode)
{
    double *const ratios[IN_SITU_MODES] = {&row->written, &row->after_256k, &row->after_1m,
                                           &row->after_4m, &row->after_32m};
    return ratios[mode];
}

void in_situ_keep(struct list *now, struct list *before)
{
    if (now->count > 0)
        return;
    *now = *before;
    *before = (struct list){0};
}

static double mode_bytes(int mode)
{
    return fmax(in_situ_work_bytes((enum in_situ_mode)mode), written_bytes);
}

/* How far a number is on the way from one to another, 0 to 1, by logarithms. */
static double share_of_way(double at, double from, double upto)
{
    if (at <= from || upto <= from)
        return 0.0;
    return at >= upto ? 1.0 : log(at / from) / log(upto / from);
}

static double between(double from, double upto, double share)
{
    return from + share * (upto - from);
}

/* The ratio of a mode at a message size. */
static double at_bytes(const struct list *rows, double bytes, int mode)
{
    struct in_situ *row = rows->items;
    size_t next = 0;
    while (next < rows->count && row[next].bytes < bytes)
        next++;
    if (next == 0 || next == rows->count)
        return *in_situ_of(&row[next == 0 ? 0 : next - 1], (enum in_situ_mode)mode);
    const double share =
        share_of_way(bytes + 1.0, row[next - 1].bytes + 1.0, row[next].bytes + 1.0);
    return between(*in_situ_of(&row[next - 1], (enum in_situ_mode)mode),
                   *in_situ_of(&row[next], (enum in_situ_mode)mode), share);
}

/* How many modes all rows have, the first two at least. */
static int modes_known(const struct list *rows)
{
    int modes = IN_SITU_MODES;
    for (size_t i = 0; i < rows->count; i++)
        while (modes > 2 && isnan(*in_situ_of((struct in_situ *)rows->items + i,
                                              (enum in_situ_mode)(modes - 1))))
            modes--;
    return modes;
}

struct in_situ_ratio in_situ_ratio(const struct list *rows, double bytes, double touched_bytes)
{
    if (rows->count == 0 || !(touched_bytes > 0.0))
        return (struct in_situ_ratio){1.0, 1.0, 1.0, false};
    const int modes = modes_known(rows);
    int mode = 0;
    while (mode + 2 < modes && mode_bytes(mode + 1) < touched_bytes)
        mode++;
    const double less = fmax(at_bytes(rows, bytes, mode), 1.0);
    const double more = fmax(at_bytes(rows, bytes, mode + 1), 1.0);
    const double share = share_of_way(touched_bytes, mode_bytes(mode), mode_bytes(mode + 1));
    return (struct in_situ_ratio){between(less, more, share), fmin(less, more), fmax(less, more),
                                  touched_bytes > mode_bytes(modes - 1)};
}
