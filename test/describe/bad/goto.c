/* 6:13: goto: where the program goes */
void f(int n, double *x)
{
    for (int i = 0; i < n; i++) {
        if (n > 0)
            goto end;
        x[i] = 1;
    end:;
    }
}
