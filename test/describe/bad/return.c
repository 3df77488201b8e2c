/* 6:9: return within a loop */
void f(int n, double *x)
{
    for (int i = 0; i < n; i++) {
        x[i] = 1;
        return;
    }
}
