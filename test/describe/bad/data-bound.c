/* 4:25: the end of the loop is not affine */
void f(int *e, double *x)
{
    for (int i = 0; i < e[0]; i++)
        x[i] = 1;
}
