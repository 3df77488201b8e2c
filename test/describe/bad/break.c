/* 8:17: break between other statements under a condition on data */
void f(int n, double *x)
{
    for (int i = 0; i < n; i++) {
#pragma forecost probability(0.5)
        if (x[i] > 0) {
            if (i >= 0)
                break;
            x[i] = 1;
        }
    }
}
