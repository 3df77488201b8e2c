/* Conjugate gradients for the 5-point Laplacian, sequential: what cg.yaml describes by hand. keep
   is 1, which no compiler knows: both vectors are multiplied, as in cg.c. */
#pragma forecost parameters(N = 512, iterations = 10)
#pragma forecost align(q with d)
#pragma forecost align(r with d)
#pragma forecost align(x with d)
#pragma forecost candidate rows processors(p) distribute(d[BLOCK][*])
#pragma forecost candidate columns processors(p) distribute(d[*][BLOCK])
#pragma forecost candidate blocks processors(2 ^ ceil(log2(p) / 2), p / p0)                        \
    distribute(d[BLOCK][BLOCK])

double solve(int N, int iterations, double d[N][N], double q[N][N], double r[N][N], double x[N][N],
             double rr, double keep)
{
    for (int it = 0; it < iterations; it++) {
        double dq, length;
#pragma forecost segment multiply
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                q[i][j] = 4.0 * d[i][j] - (d[i - 1][j] + d[i + 1][j] + d[i][j - 1] + d[i][j + 1]);
#pragma forecost segment step
        {
            dq = 0.0;
            for (int i = 1; i < N - 1; i++)
                for (int j = 1; j < N - 1; j++)
                    dq += d[i][j] * q[i][j];
            length = rr / dq;
            for (int i = 1; i < N - 1; i++)
                for (int j = 1; j < N - 1; j++) {
                    x[i][j] = keep * x[i][j] + length * d[i][j];
                    r[i][j] = keep * r[i][j] - length * q[i][j];
                }
        }
#pragma forecost segment turn
        {
            double square = 0.0;
            for (int i = 1; i < N - 1; i++)
                for (int j = 1; j < N - 1; j++)
                    square += r[i][j] * r[i][j];
            const double factor = square / rr;
            for (int i = 1; i < N - 1; i++)
                for (int j = 1; j < N - 1; j++)
                    d[i][j] = factor * d[i][j] + keep * r[i][j];
            rr = square;
        }
    }
    return rr;
}
