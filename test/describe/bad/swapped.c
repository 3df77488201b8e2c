/* 4:5: u changes from iteration to iteration in a way that is not followed: describe the loop inside as a segment of its own */
void f(int n, int steps, double *u, double *v)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            v[i] = u[i];
        u = v;
    }
}
