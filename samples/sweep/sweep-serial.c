/* Gauss-Seidel relaxation, sequential: what sweep.yaml describes by hand. */
#pragma forecost parameters(N = 1024, sweeps = 10, strip = 0)
#pragma forecost candidate rows processors(p) distribute(u[BLOCK][*])
#pragma forecost candidate columns processors(p) distribute(u[*][BLOCK])
#pragma forecost candidate blocks processors(2 ^ ceil(log2(p) / 2), p / p0)                        \
    distribute(u[BLOCK][BLOCK])

void sweep(int N, double u[N][N])
{
#pragma forecost segment sweep repeat(sweeps)
#pragma forecost strip(strip)
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
            u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j + 1] + u[i][j - 1]);
#pragma forecost call combine bytes(8) segment(converge) repeat(sweeps)
}
