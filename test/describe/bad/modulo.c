/* 5:11: a remainder of the index */
void f(int n, double *x)
{
    for (int i = 0; i < n; i++)
        x[i % 4] = 1;
}
