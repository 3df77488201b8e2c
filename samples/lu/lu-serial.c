/* LU decomposition without pivoting, sequential: what lu.yaml describes by hand. */
#pragma forecost parameters(N = 256, b = 4)
#pragma forecost candidate block processors(p) distribute(a[*][BLOCK])
#pragma forecost candidate cyclic processors(p) distribute(a[*][CYCLIC])
#pragma forecost candidate block - cyclic processors(p) distribute(a[*][CYCLIC(b)])

void decompose(int N, double a[N][N])
{
#pragma forecost segment decompose
    for (int k = 0; k < N - 1; k++) {
        for (int i = k + 1; i < N; i++)
            a[i][k] /= a[k][k];
        for (int i = k + 1; i < N; i++)
            for (int j = k + 1; j < N; j++)
                a[i][j] -= a[i][k] * a[k][j];
    }
}
