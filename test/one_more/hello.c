/* The program that hello.yaml describes: all the processors add up what they have.

     mpiexec -n P hello rows [N=64] [--check]
 */
#include "samples/harness.h"

#include <math.h>

int main(int argc, char **argv)
{
    struct harness_parameter parameters[] = {
        {"N",  64},
        {NULL, 0 }
    };
    struct harness harness;
    double sum = 0.0, all = 0.0;
    harness_begin(&harness, argc, argv, "rows", parameters);
    const int n = parameters[0].value / harness.processors;
    while (harness_again(&harness)) {
        harness_start(&harness, "add");
        sum = 0.0;
        for (int i = 0; i < n; i++)
            sum += 1.0;
        harness_communicate(&harness);
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        harness_stop(&harness);
    }
    return harness_end(&harness, fabs(all - (double)n * harness.processors));
}
