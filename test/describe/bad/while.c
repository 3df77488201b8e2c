/* 5:5: trips_5 has no value */
void f(int n, double *x)
{
    double left = 1;
    while (left > 0.5)
        for (int i = 0; i < n; i++) {
            x[i] = 0;
            left = x[i + 1];
        }
}
#pragma forecost parameters(n = 10)
