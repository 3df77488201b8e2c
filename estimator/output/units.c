#include "estimator/output/units.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

struct unit {
    const char *name;
    double size;
};

static const struct unit times[] = {
    {"ns", 1e-3},
    {"us", 1.0 },
    {"ms", 1e3 },
    {"s",  1e6 }
};
static const struct unit sizes[] = {
    {"B",   1.0               },
    {"KiB", 1024.0            },
    {"MiB", 1024.0 * 1024.0   },
    {"GiB", 1024.0 * 1048576.0}
};

/* The largest unit of which the value is one at least, to three digits. */
static const struct unit *unit_of(const struct unit *units, size_t count, double value)
{
    size_t i = count - 1;
    while (i > 0 && fabs(value) < 0.9995 * units[i].size)
        i--;
    return &units[i];
}

/* Three significant digits at least, and no zeros behind the point. */
static void print_digits(double value, char text[UNITS_TEXT])
{
    if (fabs(value) >= 999.5 && fabs(value) < 1e12)
        snprintf(text, UNITS_TEXT, "%.0f", value);
    else
        snprintf(text, UNITS_TEXT, "%.3g", value);
}

const char *units_number(double number, char text[UNITS_TEXT])
{
    const double size = fabs(number);
    if (!isfinite(number))
        snprintf(text, UNITS_TEXT, "-");
    else if (size < 1e12 && (size >= 1e5 || number == floor(number)))
        snprintf(text, UNITS_TEXT, "%.0f", number);
    else
        snprintf(text, UNITS_TEXT, "%.5g", number);
    return text;
}

const char *units_time(double time_us, char text[UNITS_TEXT])
{
    char digits[UNITS_TEXT];
    if (!isfinite(time_us))
        return units_number(time_us, text);
    const struct unit *unit =
        time_us == 0.0 ? &times[1] : unit_of(times, sizeof times / sizeof *times, time_us);
    print_digits(time_us / unit->size, digits);
    snprintf(text, UNITS_TEXT, "%.40s %s", digits, unit->name);
    return text;
}

const char *units_time_range(double low_us, double high_us, char text[UNITS_TEXT])
{
    char low[UNITS_TEXT], high[UNITS_TEXT];
    text[0] = '\0';
    if (!isfinite(low_us) || !isfinite(high_us))
        return text;
    const struct unit *unit = unit_of(times, sizeof times / sizeof *times, high_us);
    print_digits(low_us / unit->size, low);
    print_digits(high_us / unit->size, high);
    snprintf(text, UNITS_TEXT, "%.24s to %.24s %s", low, high, unit->name);
    return text;
}

const char *units_bytes(double bytes, char text[UNITS_TEXT])
{
    char digits[UNITS_TEXT];
    if (!isfinite(bytes))
        return units_number(bytes, text);
    const struct unit *unit = unit_of(sizes, sizeof sizes / sizeof *sizes, bytes);
    if (fabs(bytes) < 1e5 && fmod(bytes, unit->size) != 0.0)
        unit = &sizes[0];
    print_digits(bytes / unit->size, digits);
    snprintf(text, UNITS_TEXT, "%.40s %s", digits, unit->name);
    return text;
}
