#include "estimator/sections/sections.h"

#include <string.h>

/* What the sources want said beside their numbers (Worley, COMMTEST, the statistics; Culler, Fast
   Network Interfaces, Bulk-transfer time and bandwidth). */
static const char swap_caveat[] =
    "Of swaps through a layer of one or two calls: not what a ping-pong takes. 1 / rate is the "
    "least time over the bytes that one processor sends, and 2 V / T_N counts both directions. The "
    "latency is what one more message costs between N1 and N2 messages, not that of an empty one. "
    "The model's error is no fit's: changes of protocol, caches and contention are not in it, and "
    "it says nothing of the rates or the latency alone.";
static const char logp_caveat[] =
    "The line of transfers hides how long processors are engaged: send_overhead_us and "
    "receive_overhead_us of that size tell, and what they leave of a transfer is available for "
    "work.";

static const char noise_caveat[] =
    "The same small work, again and again, at moments spread over the calibration: where high is "
    "far above low, the core itself was slower for some of them; interruptions are what else used "
    "it.";

static const char states_caveat[] = "All times of the table are of state 1, the commonest; in "
                                    "another one the utility's messages of up "
                                    "to so many bytes take add_us + factor times as long, in the "
                                    "median ratio times. The gauge, a few "
                                    "short messages, tells the state.";

static const char in_situ_caveat[] =
    "How many times as long as repeated one right after the other a utility takes where its "
    "buffers are written before and read behind it, and where so many bytes of other memory are "
    "gone through as well.";

static const char first_caveat[] =
    "What the first, the first 8, 64 and 256 exchanges of a program between two processors take "
    "more in all than later ones, those of the rows above gone before. Predictions have it with "
    "--from-start alone.";

static const char touch_caveat[] =
    "What a MiB of memory takes that a program writes for the first time, beyond writing it once "
    "more. Predictions have it with --from-start alone.";

static const char waiting_caveat[] =
    "What a reduction of 8 bytes takes beyond itself where each processor has computed so long "
    "before it: all wait for the last one.";

const struct section sections[] = {
    {"machine",       "The machine",                   machine_report,       NULL,           NULL               },
    {"communication", "Communication",                 communication_report, NULL,           NULL               },
    {"utilities",     "What the utilities measure",    utilities_report,     NULL,           NULL               },
    {"node",          "The node's units",              node_report,          NULL,           NULL               },
    {"memory",        "Memory",                        memory_report,        NULL,           NULL               },
    {"swap",          "Swaps",                         swap_report,          swap_caveat,    NULL               },
    {"overlap",       "Overlap of transfers and work", overlap_report,       NULL,           NULL               },
    {"logp",          "LogP",                          logp_report,          logp_caveat,    "line of transfers"},
    {"signature",     "LogP signature",                signature_report,     NULL,           NULL               },
    {"noise",         "What disturbed the machine",    noise_report,         noise_caveat,   NULL               },
    {"states",        "States of the machine",         states_report,        states_caveat,  NULL               },
    {"in_situ",       "Between computations",          in_situ_report,       in_situ_caveat, NULL               },
    {"start_up",      "First messages",                start_up_report,      first_caveat,   NULL               },
    {"first_touch",   "Memory written first",          first_touch_report,   touch_caveat,   NULL               },
    {"waiting",       "Waiting behind computation",    waiting_report,       waiting_caveat, NULL               },
    {"not_measured",  "Not measured",                  missing_report,       NULL,           NULL               },
    {NULL,            NULL,                            NULL,                 NULL,           NULL               },
};

const char *section_caveat(const struct section *section, const struct report *report)
{
    const bool has =
        section->of ? report_has_word(report, section->name, section->of) : report_rows(report) > 0;
    return has ? section->caveat : NULL;
}

const struct section *section_named(const struct machine *machine, const char *name)
{
    const struct section *section = sections;
    const char *const wanted = machine_cost(machine, name) ? "communication" : name;
    while (section->name && strcmp(section->name, wanted) != 0)
        section++;
    return section->name ? section : NULL;
}
