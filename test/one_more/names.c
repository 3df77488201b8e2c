/* names: the utilities of a machine, a line each. */
#include "estimator/export/export.h"

int export_names(const struct exporter *exporter, struct error *error)
{
    const struct cost *costs = exporter->machine->communication.items;
    (void)error;
    for (size_t i = 0; i < exporter->machine->communication.count; i++)
        fprintf(exporter->out, "%s\n", costs[i].utility);
    return 0;
}
