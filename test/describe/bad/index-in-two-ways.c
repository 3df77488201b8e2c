/* 5:9: i, the index of the loop at line 4, does not advance by a constant */
void f(int n, double *x)
{
    for (int i = 0; i < n; i++) {
        if (i == 5)
            i++;
        x[i] = 1;
    }
}
#pragma forecost parameters(n = 10)
