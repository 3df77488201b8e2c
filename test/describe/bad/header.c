/* 2:10: -- -I FOLDER */
#include "there-is-none.h"
void f(int n, double *x)
{
    for (int i = 0; i < n; i++)
        x[i] = 1;
}
