#include "describer/write.h"

bool xmp_is_used(const struct describer *describer)
{
    (void)describer;
    return false;
}

void write_xmp(struct writer *writer)
{
    (void)writer;
}
