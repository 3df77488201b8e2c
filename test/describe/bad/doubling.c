/* 4:28: does not advance by a constant */
void f(int n, double *x)
{
    for (int s = 1; s < n; s *= 2)
        x[s] = 1;
}
