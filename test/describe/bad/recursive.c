/* 2:29: calls itself */
double g(double a) { return g(a - 1) + 1; }
void f(int n, double *x)
{
    for (int i = 0; i < n; i++)
        x[i] = g(x[i]);
}
