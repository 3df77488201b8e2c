/* Heat in three dimensions, sequential, on flat arrays: what heat.yaml describes by hand. */
#pragma forecost parameters(N = 128, steps = 10)
#pragma forecost align(unew with u)
#pragma forecost candidate slabs processors(p) distribute(u[BLOCK][*][*])
#pragma forecost candidate pencils processors(2 ^ ceil(log2(p) / 2), p / p0)                       \
    distribute(u[BLOCK][BLOCK][*])
#pragma forecost candidate blocks processors(2 ^ ceil(log2(p) / 3), 2 ^ ceil(log2(p / p0) / 2),    \
                                             p / (p0 * p1)) distribute(u[BLOCK][BLOCK][BLOCK])

static double diffused(const double *here, int plane, int row)
{
    return 0.4 * *here +
           0.1 * (here[-plane] + here[plane] + here[-row] + here[row] + here[-1] + here[1]);
}

void heat(int N, const double *u, double *unew)
{
#pragma forecost segment step repeat(steps) exchange(in - turn)
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
            for (int k = 1; k < N - 1; k++)
                unew[(i * N + j) * N + k] = diffused(&u[(i * N + j) * N + k], N * N, N);
}
