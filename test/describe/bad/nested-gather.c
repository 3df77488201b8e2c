/* 6:17: the subscript of x is an element whose own subscript is data: compute the inner subscripts into an array in a loop before this one */
void f(int n, double *x, double *y, int *a, int *b)
{
#pragma forecost gather(x: reach(4), a: reach(4))
    for (int i = 0; i < n; i++)
        y[i] += x[a[b[i]]];
}
