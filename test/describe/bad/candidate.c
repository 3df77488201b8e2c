/* 3:1: 'y': no array of that name */
#pragma forecost parameters(n = 10)
#pragma forecost candidate a processors(p) distribute(y[BLOCK])
void f(int n, double *x)
{
    for (int i = 0; i < n; i++)
        x[i] = 1;
}
