/* A sweep along each dimension in every time step, sequential, on a flat array: what adi.yaml
   describes by hand. */
#pragma forecost parameters(N = 512, strip = 0, steps = 1)
#pragma forecost candidate redistributed processors(p) distribute(u[BLOCK][*])                     \
    redistribute(before vertical                                                                   \
                 : u[*][BLOCK]) redistribute(after vertical                                        \
                                             : u[BLOCK][*])
#pragma forecost candidate pipelined processors(p) distribute(u[BLOCK][*])
#pragma forecost program repeat(steps)

static double eliminated(double here, double before)
{
    return here - 0.3 * before;
}

void adi(int N, int steps, double *u)
{
    for (int t = 0; t < steps; t++) {
#pragma forecost segment horizontal misses(load : 0.125, store : 0.125)
        for (int i = 0; i < N; i++)
            for (int j = 1; j < N; j++)
                u[i * N + j] = eliminated(u[i * N + j], u[i * N + j - 1]);
#pragma forecost segment vertical misses(load : 0.125, store : 0.125)
#pragma forecost strip(strip)
        for (int j = 0; j < N; j++)
            for (int i = 1; i < N; i++)
                u[i * N + j] = eliminated(u[i * N + j], u[(i - 1) * N + j]);
    }
}
