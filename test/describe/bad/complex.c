/* 2:32: complex numbers are not counted */
void f(int n, double _Complex *x)
{
    for (int i = 0; i < n; i++)
        x[i] = x[i] * 2;
}
