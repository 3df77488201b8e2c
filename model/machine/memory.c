#include "model/machine/memory.h"

const struct memory_level *memory_level(const struct memory *memory, double level)
{
    const struct memory_level *levels = memory ? memory->levels.items : NULL;
    for (size_t i = 0; memory && i < memory->levels.count; i++)
        if (levels[i].level == level)
            return &levels[i];
    return NULL;
}

double memory_level_capacity(const struct memory_level *level)
{
    return isnan(level->capacity_bytes)
               ? (level->capacity_bytes_low + level->capacity_bytes_high) / 2.0
               : level->capacity_bytes;
}
