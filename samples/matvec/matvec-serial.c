/* Matrix times vector, sequential, its size a macro: what matvec.yaml describes by hand. */
#define N 2048
#pragma forecost parameters(N, repeats = 1)
#pragma forecost candidate rows processors(p) distribute(a[BLOCK][*], x[BLOCK], y[BLOCK])
#pragma forecost candidate columns processors(p) distribute(a[*][BLOCK], x[BLOCK])
#pragma forecost candidate blocks processors(2 ^ ceil(log2(p) / 2), p / p0)                        \
    distribute(a[BLOCK][BLOCK], x[BLOCK @1], y[BLOCK @0])

static double a[N][N], x[N], y[N];

void multiply(void)
{
#pragma forecost segment multiply repeat(repeats) misses(load : 0.125)
    for (int i = 0; i < N; i++) {
        double product = 0.0;
        for (int j = 0; j < N; j++)
            product += a[i][j] * x[j];
        y[i] = product;
    }
}
