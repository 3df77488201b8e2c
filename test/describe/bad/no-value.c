/* 2:12: parameters(n = 1000) */
void f(int n, double *x)
{
    for (int i = 0; i < n; i++)
        x[i] = 1;
}
