#include "estimator/sections/sections.h"

#include <string.h>

const struct section sections[] = {
    {"machine",       "The machine",                   machine_report      },
    {"communication", "Communication",                 communication_report},
    {"node",          "The node's units",              node_report         },
    {"memory",        "Memory",                        memory_report       },
    {"swap",          "Swaps",                         swap_report         },
    {"overlap",       "Overlap of transfers and work", overlap_report      },
    {"logp",          "LogP",                          logp_report         },
    {"signature",     "LogP signature",                signature_report    },
    {"not_measured",  "Not measured",                  missing_report      },
    {NULL,            NULL,                            NULL                },
};

const struct section *section_named(const struct machine *machine, const char *name)
{
    const struct section *section = sections;
    const char *const wanted = machine_cost(machine, name) ? "communication" : name;
    while (section->name && strcmp(section->name, wanted) != 0)
        section++;
    return section->name ? section : NULL;
}
