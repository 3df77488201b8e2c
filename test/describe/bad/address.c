/* 8:9: which array or variable is meant depends on a condition */
void f(int n, double *x)
{
    for (int i = 0; i < n; i++) {
        double s = 0;
        double t = 0;
        double *r = x[i] > 0 ? &s : &t;
        *r = 1;
        x[i] = s + t;
    }
}
