/* 5:16: a bit operation */
void f(int n, int *x)
{
    for (int i = 0; i < n; i++)
        x[i] = x[i] ^ 3;
}
