/* The transpositions between the transforms of rows, sequential: what the segment `transpose` of
   fft.yaml describes by hand. How far partners are apart in a transform doubles from stage to
   stage, which no subscript of indices says. */
#pragma forecost parameters(n = 256)
#pragma forecost candidate rows processors(p) distribute(x[BLOCK][*], y[BLOCK][*])

typedef struct {
    double re, im;
} number;

void transpose(int n, number x[n][n], number y[n][n])
{
#pragma forecost segment transpose repeat(3)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            y[i][j] = x[j][i];
}
