/* Two statements with their loops joined in three ways, sequential: what three-ways.yaml describes
   by hand. a lies by columns: a[j] is the j-th. */
#pragma forecost parameters(N = 512)
#pragma forecost candidate crossed processors(p) distribute(a[BLOCK][*], b[BLOCK][*])

void transpose(int N, double start, double scale, double a[N][N], double b[N][N])
{
#pragma forecost segment P1
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            a[j][i] = (start + i) * scale;
            b[i][j] = a[j][i];
        }
#pragma forecost segment P2
    for (int j = 0; j < N; j++) {
        for (int i = 0; i < N; i++)
            a[j][i] = (start + i) * scale;
        for (int i = 0; i < N; i++)
            b[i][j] = a[j][i];
    }
#pragma forecost segment P3
    {
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++)
                a[j][i] = (start + i) * scale;
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                b[i][j] = a[j][i];
    }
}
