/* 5:5: when this loop ends is not known: say how often it runs: -D trips_5=NUMBER */
void f(int n, double *x)
{
    int i = 0;
    while (1)
        x[i++] = 0;
}
