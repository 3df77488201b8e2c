/* 5-point Jacobi relaxation, sequential: what jacobi.yaml describes by hand. */
#pragma forecost parameters(N = 1024, sweeps = 100)
#pragma forecost align(unew with u)
#pragma forecost candidate rows processors(p) distribute(u[BLOCK][*])
#pragma forecost candidate columns processors(p) distribute(u[*][BLOCK])
#pragma forecost candidate blocks processors(2 ^ ceil(log2(p) / 2), p / p0)                        \
    distribute(u[BLOCK][BLOCK])

void jacobi(int N, int sweeps, double u[restrict N][N], double unew[restrict N][N])
{
    for (int sweep = 0; sweep < sweeps; sweep++) {
#pragma forecost segment sweep exchange(in - turn)
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                unew[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
#pragma forecost call combine bytes(8) segment(converge)
        double(*swap)[N] = u;
        u = unew;
        unew = swap;
    }
}
