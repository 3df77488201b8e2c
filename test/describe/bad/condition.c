/* 5:9: probability(0.5) */
void f(int n, double *x)
{
    for (int i = 0; i < n; i++)
        if (x[i] > 0)
            x[i] = -x[i];
}
