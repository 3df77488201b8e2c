/* 6:20: elements of 16 bytes in x, which has elements of 8 */
void f(int n, double *x)
{
    double _Complex *pairs = (double _Complex *)x;
    for (int i = 0; i < n; i++)
        pairs[i] = pairs[i] * 2;
}
