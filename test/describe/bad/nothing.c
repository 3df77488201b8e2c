/* 4:1: assigns no element of an array */
void f(int n, double *x)
{
#pragma forecost segment idle
    for (int i = 0; i < n; i++)
        ;
}
