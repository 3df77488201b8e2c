/* 4:1: did you mean 'segment' */
void f(int n, double *x)
{
#pragma forecost segmnet a
    for (int i = 0; i < n; i++)
        x[i] = 1;
}
