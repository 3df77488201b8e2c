/* 6:13: break: where the program goes */
void f(int n, double *x)
{
    for (int i = 0; i < n; i++) {
        if (n > 0)
            break;
        x[i] = 1;
    }
}
