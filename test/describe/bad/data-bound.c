/* 4:25: cannot determine the end of the loop */
void f(int *e, double *x)
{
    for (int i = 0; i < e[0]; i++)
        x[i] = 1;
}
