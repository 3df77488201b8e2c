/* 3:1: stands before no statement */
#pragma forecost parameters(n = 10)
#pragma forecost probability(0.5)
void f(int n, double *x)
{
    for (int i = 0; i < n; i++)
        x[i] = 1;
}
