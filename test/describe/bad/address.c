/* 7:13: the address of a scalar */
void set(double *r) { *r = 1; }
void f(int n, double *x)
{
    for (int i = 0; i < n; i++) {
        double t;
        set(&t);
        x[i] = t;
    }
}
