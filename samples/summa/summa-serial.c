/* Matrix product, sequential: what the segment `gathered` of summa.yaml describes by hand. */
#pragma forecost parameters(N = 512)
#pragma forecost candidate square processors(2 ^ ceil(log2(p) / 2), p / p0)                        \
    distribute(a[BLOCK][BLOCK], b[BLOCK][BLOCK], c[BLOCK][BLOCK])
#pragma forecost candidate rows processors(p, 1)                                                   \
    distribute(a[BLOCK][BLOCK], b[BLOCK][BLOCK], c[BLOCK][BLOCK])
#pragma forecost candidate columns processors(1, p)                                                \
    distribute(a[BLOCK][BLOCK], b[BLOCK][BLOCK], c[BLOCK][BLOCK])

void multiply(int N, double a[N][N], double b[N][N], double c[restrict N][N])
{
#pragma forecost segment gathered
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++) {
            const double factor = a[i][k];
            for (int j = 0; j < N; j++)
                c[i][j] += factor * b[k][j];
        }
}
