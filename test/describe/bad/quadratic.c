/* 6:13: not linear in the loop indices */
void f(int n, double *x)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            x[i * j] = 1;
}
