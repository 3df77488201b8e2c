/* 5:11: the index of a loop is divided */
void f(int n, double *x)
{
    for (int i = 0; i < n; i++)
        x[i / 2] = 1;
}
