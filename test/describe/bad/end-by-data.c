/* 4:25: the end of this loop changes in its body in a way that is not followed */
void f(int n, double *x)
{
    for (int i = 0; i < n; i++) {
#pragma forecost probability(0.5)
        if (x[i] > 0)
            n--;
        x[i] = 1;
    }
}
