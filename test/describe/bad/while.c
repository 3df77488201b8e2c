/* 5:5: write a for loop */
void f(int n, double *x)
{
    int i = 0;
    while (i < n) {
        x[i] = 0;
        i++;
    }
}
