/* 5:16: gather(x: reach(R) loads(1)) */
void f(int n, double *x, double *y, int *c)
{
    for (int i = 0; i < n; i++)
        y[i] = x[c[i]];
}
