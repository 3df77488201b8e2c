/* 4:28: s changes by a factor in each iteration of the loop */
void f(int n, double *x)
{
    for (int s = 1; s < n; s *= 2)
        x[s] = 1;
}
