/* 5:9: probability(0.5) */
void f(int n, double *x)
{
    for (int i = 0; i < n; i++)
        if (i / 3 % 2 == 0)
            x[i] = 1;
}
