/* 5:16: expected expression */
void f(int n, double *x)
{
    for (int i = 0; i < n; i++)
        x[i] = ;
}
