#include "estimator/export/key_unit.h"

#include <string.h>

const char *key_unit(const char *key)
{
    static const struct {
        const char *ending, *unit;
    } units[] = {
        {"_us_per_byte", "us/byte"},
        {"_mb_per_s",    "MB/s"   },
        {"_us",          "us"     },
        {"_ns",          "ns"     },
        {"_s",           "s"      },
        {"bytes",        "byte"   },
        {"_cycles",      "cycle"  },
        {"_mhz",         "MHz"    },
        {"_mflops",      "MFLOPS" },
    };
    const size_t length = strlen(key);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        const size_t ending = strlen(units[i].ending);
        if (length >= ending && strcmp(key + length - ending, units[i].ending) == 0)
            return units[i].unit;
    }
    return "";
}
