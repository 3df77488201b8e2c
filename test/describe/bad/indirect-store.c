/* 6:9: whose subscript is data is assigned */
void f(int n, double *x, double *y, int *c)
{
#pragma forecost gather(x: reach(n))
    for (int i = 0; i < n; i++)
        x[c[i]] = y[i];
}
