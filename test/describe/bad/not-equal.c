/* 4:21: write < */
void f(int n, double *x)
{
    for (int i = 0; i != n; i++)
        x[i] = 1;
}
