/* 4:1: knows no 'repaet' */
void f(int n, double *x)
{
#pragma forecost segment a repaet(3)
    for (int i = 0; i < n; i++)
        x[i] = 1;
}
