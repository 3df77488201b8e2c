/* 4:21: never is the end */
void f(int n, double *x)
{
    for (int i = 0; i != 7; i += 2)
        x[i] = 1;
}
