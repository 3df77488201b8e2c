/* Remarks to answers, in words. */
#include "model/cost/cost.h"

#include <string.h>

unsigned cost_side_flag(const struct cost *cost)
{
    return cost->measures == MEASURES_SENDER     ? (unsigned)COST_SENDER_TIME
           : cost->measures == MEASURES_RECEIVER ? (unsigned)COST_RECEIVER_TIME
                                                 : 0;
}

const struct cost_flag_row cost_flag_rows[] = {
    {COST_EXTRAPOLATED_BYTES,      "extrapolated-n",
     "message bytes outside the sizes that were measured or published"                                                  },
    {COST_EXTRAPOLATED_PROCESSORS, "extrapolated-p",
     "processors outside the counts that were measured or published"                                                    },
    {COST_CLAMPED,                 "clamped",              "the formula gives a time below 0 here, which was taken as 0"},
    {COST_DISTURBED,               "disturbed",            "the machine was not idle while this was measured"           },
    {COST_OTHER_GRID,              "other-grid",
     "p makes a grid of other proportions than those that were measured"                                                },
    {COST_UNPRICED_MISSES,         "misses-not-priced",
     "data do not fit the last level of memory that the table knows: their misses cost nothing"                         },
    {COST_SENDER_TIME,             "sender-time",
     "the time is the sender's alone, and others wait for the message longer"                                           },
    {COST_RECEIVER_TIME,           "receiver-time",
     "the time is the receiver's alone, and that until all are done is longer"                                          },
    {COST_FROM_LOGP,               "from-logp",
     "messages were not measured: what they take is derived from LogP parameters"                                       },
    {COST_COMMUNICATION_ONLY,      "communication-only",   "computation is left out, and costs nothing"                 },
    {COST_OTHER_DISTANCE,          "other-distance",
     "neighbours are at other distances than those that were measured"                                                  },
    {COST_OTHER_ALGORITHM,         "other-algorithm",
     "between the processor counts that were measured below and above something else begins"                            },
    {COST_LOOP_NOT_MEASURED,       "loop-not-measured",
     "a loop has no curve in the file of --loops that is of its text and flags: the model prices "
     "it"                                                                                                               },
    {COST_LOOP_BEYOND,             "loop-beyond",          "a loop at sizes far from those that it was measured at"     },
    {COST_OTHER_FLAGS,             "other-compiler-flags",
     "the program's compiler flags are not those of the loops that the table was made with"                             },
    {COST_TOUCHED_BEYOND,          "touched-beyond",
     "between two messages a processor touches more memory than was measured: they may take far "
     "longer"                                                                                                           },
    {COST_NOT_PRICED,              "at-least",
     "a part of the program is not known for this p and these parameters, and costs nothing: the "
     "total is at least this"                                                                                           },
    {COST_LAW_BEYOND,              "law-beyond",
     "a law of a recorded program, at a p or parameters beyond those that it was found at"                              },
    {COST_OTHER_NODE,              "other-node",
     "computation was measured on another machine, and nothing says how much faster this one is"                        },
    {COST_ERROR_UNKNOWN,           "error-unknown",
     "nothing says how far the time is off: low and high are empty"                                                     },
    {COST_PARTLY_BOUND,            "partly-bound",
     "computation is at the node's bound, which says nothing of how far it is off: low and high "
     "are of communication"                                                                                             },
    {0,                            NULL,                   NULL                                                         },
};

/* Sums of equal terms differ by their rounding. */
static const double same_time = 1e-12;

unsigned cost_interval_flag(double time_us, double low_us, double high_us)
{
    return time_us > 0.0 && high_us - low_us <= same_time * time_us ? (unsigned)COST_ERROR_UNKNOWN
                                                                    : 0;
}

const char *cost_flags_print(unsigned flags, char text[COST_FLAGS_TEXT])
{
    text[0] = '\0';
    for (const struct cost_flag_row *row = cost_flag_rows; row->name; row++)
        if (flags & row->flag) {
            strcat(text, text[0] ? " " : "");
            strcat(text, row->name);
        }
    return text;
}
