#include "estimator/output/item_line.h"

#include "estimator/output/output.h"
#include "forecast/predict/compute.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* t0 and rate of the region at p, as the sources write them; or what answers in their place. */
static void print_region(const struct item *item)
{
    if (item->hops) {
        printf(" [%s, message by message]", cost_tree_name(item->hops->tree));
        return;
    }
    if (item->measured_at > 0.0) {
        printf(" [bounded from p = %g alone]", item->measured_at);
        return;
    }
    if (!isnan(item->region->error.power_processors)) {
        printf(" [from the measured p below and above]");
        return;
    }
    if (item->region->measured_us.count > 0) {
        printf(" [from measured sizes]");
        return;
    }
    const double t0_us = form_value(&item->region->setup_us, item->processors);
    const double per_byte_us = form_value(&item->region->per_byte_us, item->processors);
    printf(" [t0 %.5g us", t0_us);
    if (per_byte_us > 0.0)
        printf(", rate %.5g MB/s", 1.0 / per_byte_us);
    printf("]");
}

/* Where it stands in the source, where that is told. */
static void end_item(const struct item *item)
{
    if (*item->at) {
        printf(" at ");
        output_named(item->at);
    }
    putchar('\n');
}

void item_line_print(const struct item *item)
{
    char flags[COST_FLAGS_TEXT];
    printf("%.5g us: ", item->time_us);
    output_named(item->what);
    if (strcmp(item->resource, "overlap") == 0) {
        putchar('\n');
        return;
    }
    printf(item->times == floor(item->times) ? ": %.0f x %.5g us" : ": %.5g x %.5g us", item->times,
           item->each_us);
    if (item->computes) {
        if (*item->resource) {
            printf(", ");
            output_named(item->resource);
            printf(strcmp(item->resource, row_measured_loop) == 0 ? " loop" : " limits");
        }
        if (item->flags & (COST_LOOP_NOT_MEASURED | COST_LOOP_BEYOND))
            printf(" (%s)", cost_flags_print(item->flags, flags));
        end_item(item);
        return;
    }
    putchar(' ');
    output_named(item->resource);
    if (isnan(item->bytes)) { /* nothing is sent: it is waited for */
        if (item->flags)
            printf(" (%s)", cost_flags_print(item->flags, flags));
        end_item(item);
        return;
    }
    putchar('(');
    if (item->bytes_least != item->bytes)
        printf("%.0f to ", item->bytes_least);
    printf("%.0f bytes", item->bytes);
    if (item->processors != 2.0)
        printf(", p = %.0f", item->processors);
    printf(")");
    if (item->region)
        print_region(item);
    if (item->flags)
        printf(" (%s)", cost_flags_print(item->flags, flags));
    end_item(item);
}
