/* 6:16: cost g(add: 10, mul: 12) */
double g(double);
void f(int n, double *x)
{
    for (int i = 0; i < n; i++)
        x[i] = g(x[i]);
}
