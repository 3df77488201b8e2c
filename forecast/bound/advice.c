#include "forecast/bound/advice.h"

#include <stddef.h>

/* From here on a program is near its bound: of the 12 Livermore kernels as the report's compiler
   left them, only the best one was (Abandah, IBM SP2, section 5.5.2). */
static const double near_percent = 80.0;

static const struct {
    enum limit_kind kind;
    const char *text, *wide; /* wide: beside it, where the node has lanes; or NULL */
} advice[] = {
    {LIMIT_ARITHMETIC,
     "floating-point operations limit: only an algorithm with fewer of them lowers the bound", NULL                                                                 },
    {LIMIT_REFERENCES,
     "memory references limit: use each value more often once it is loaded (unroll an outer loop, "
     "merge loops)",                                                                           "make the stride one, so that one instruction takes several elements"},
    {LIMIT_MIXED,
     "instruction issue limits: fewer instructions in all, such as multiply-adds for multiplies "
     "and adds",                                                                               "make the stride one, so that one instruction takes several elements"},
    {LIMIT_MISSES,
     "cache misses limit: interchange, block or merge loops, so that data are used again while "
     "they are in the cache; prefetch",                                                        NULL                                                                 },
    {LIMIT_DEPENDENCE,
     "a recurrence limits: each iteration waits for an earlier one; rearrange it, or work on "
     "several independent ones at a time",                                                     NULL                                                                 },
};

void advice_for_limit(const struct bound *bound, bool wide, advice_say *say)
{
    for (size_t i = 0; i < sizeof advice / sizeof *advice; i++) {
        if (!(bound->limits & advice[i].kind))
            continue;
        say(advice[i].text);
        if (wide && advice[i].wide)
            say(advice[i].wide);
    }
}

const char *advice_for_share(double percent)
{
    if (percent > 100.0)
        return "faster than the bound: the description counts more than the compiler left, such as "
               "wide instructions or multiply-adds, or the table does not fit this machine";
    if (percent >= near_percent)
        return "near the bound: accept it, or change the program so that the bound itself is lower";
    return "far from the bound: look for a bad schedule (unroll, pipeline), misses that are not "
           "counted (conflicts), spilled registers, and loads that repeat an earlier one";
}
