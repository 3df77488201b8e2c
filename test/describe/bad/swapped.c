/* 6:20: as a segment of its own */
void f(int n, int steps, double *u, double *v)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            v[i] = u[i];
        double *w = u;
        u = v;
        v = w;
    }
}
