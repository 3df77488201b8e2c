/* Loops in other words than for (i = 0; i < n; i++). Compiled with -DTRUTH the program counts how
   often each assignment runs; source.bats compares that with what is described. */
#include <math.h>

#ifdef TRUTH
#include <stdio.h>
static long executed[1000];
#define COUNTED , executed[__LINE__]++
#else
#define COUNTED
#endif

void step_in_body(int n, double *x)
{
    for (int i = 0; i < n;) {
        x[i] = 1 COUNTED;
        i += 3;
    }
}

void step_in_head_and_body(int n, double *x)
{
    for (int i = n - 1; i >= 0; i--) {
        x[i] = 1 COUNTED;
        i -= 7;
    }
}

void end_comes_nearer(int n, double *x)
{
    for (int i = 0; i < n; i++) {
        x[i] = 1 COUNTED;
        n = n - 1;
    }
}

void end_and_index_in_body(int n, double *x)
{
    for (int i = 0; i < n; i++) {
        x[i] = 1 COUNTED;
        n--;
        i++;
    }
}

void unequal_by_two(int n, double *x)
{
    for (int i = n; i != 0; i -= 2)
        x[i] = 1 COUNTED;
}

void while_counts(int n, double *x)
{
    int i = 0;
    while (i < n) {
        x[i] = 1 COUNTED;
        i++;
    }
}

void while_down(int n, double *x)
{
    int i = n;
    while (i--) {
        x[i] = 1 COUNTED;
    }
}

void while_down_before(int n, double *x)
{
    int i = n;
    while (--i > 0) {
        x[i] = 1 COUNTED;
    }
}

void while_and_for_down(int n, double *x)
{
    int i = n;
    while (i-- > 0) {
        x[i] = 1 COUNTED;
    }
    for (i = n; i-- > 3;)
        x[i] += 1 COUNTED;
}

void do_while(int n, double *x)
{
    int i = 0;
    do {
        x[i] = 1 COUNTED;
        i += 2;
    } while (i < n);
}

void do_while_before(int n, double *x)
{
    int i = 0;
    do {
        x[i] = 1 COUNTED;
    } while (++i < n);
}

void do_while_behind(int n, double *x)
{
    int i = 0;
    do {
        x[i] = 1 COUNTED;
    } while (i++ < n);
}

void do_while_down(int n, double *x)
{
    int i = n;
    do {
        x[i] = 1 COUNTED;
    } while (--i);
}

void endless_with_break(int n, double *x)
{
    int i = 0;
    for (;;) {
        if (i >= n)
            break;
        x[i] = 1 COUNTED;
        i++;
    }
}

void break_at_an_index(int n, double *x)
{
    for (int i = 0;; i++) {
        x[i] = 1 COUNTED;
        if (i == n - 5)
            break;
        x[i + 1] = 2 COUNTED;
    }
}

void break_first(int n, double *x)
{
    for (int i = 0; i < n; i++) {
        if (i == 700)
            break;
        x[i] = 1 COUNTED;
    }
}

void continue_by_index(int n, double *x)
{
    for (int i = 0; i < n; i++) {
        if (i < 30)
            continue;
        x[i] = 1 COUNTED;
        if (i > 800)
            continue;
        x[i + 1] = 2 * x[i + 2] COUNTED;
    }
}

void continue_by_data(int n, double *x)
{
    for (int i = 0; i < n; i++) {
#pragma forecost probability(0)
        if (x[i] > 0.5)
            continue;
        x[i] = 1 COUNTED;
    }
}

void break_in_triangle(int n, double *x)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 100; j++) {
            if (j > i)
                break;
            x[i + j] += 1 COUNTED;
        }
}

void index_in_inner_loop(int n, double *x)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < 10; j++)
            i++;
        x[i] = 1 COUNTED;
    }
}

static int next_of_step_by_function(int i)
{
    return i + 4;
}
void step_by_function(int n, double *x)
{
    for (int i = 0; i < n; i = next_of_step_by_function(i)) {
        x[i] = 1 COUNTED;
    }
}

void while_converges(int n, double *x)
{
    double err = 1;
    while (err > 0.001) { // trips: 10
        for (int i = 0; i < n; i++)
            x[i] = 1 COUNTED;
        err *= 0.5;
    }
}

void for_converges(int n, double *x)
{
    double err = 1;
    for (int it = 0; it < 20; it++) {
        for (int i = 0; i < n; i++)
            x[i] = 1 COUNTED;
        err *= 0.5;
        if (err < 1e-30)
            break;
    }
}

void break_in_the_middle(int n, double *x)
{
    double err = 1;
    for (int it = 0; it < 20; it++) { // trips: 10
        for (int i = 0; i < n; i++)
            x[i] = 1 COUNTED;
        err *= 0.5;
        if (err < 0.001)
            break;
        for (int i = 0; i < n; i++)
            x[i] = 2 COUNTED;
    }
}

void while_converges_or_ends(int n, double *x)
{
    double err = 1;
    int it = 0;
    while (err > 0.001 && it < 7) {
        for (int i = 0; i < n; i++)
            x[i] = 1 COUNTED;
        err *= 0.9;
        it++;
    }
}

void do_while_converges(int n, double *x)
{
    double err = 1;
    do { // trips: 10
        for (int i = 0; i < n; i++)
            x[i] = 1 COUNTED;
        err *= 0.5;
    } while (err > 0.001);
}

void endless_converges(int n, double *x)
{
    double err = 1;
    while (1) { // trips: 10
        for (int i = 0; i < n; i++)
            x[i] = 1 COUNTED;
        err *= 0.5;
        if (err < 0.001)
            break;
        for (int i = 0; i < n; i++)
            x[i] = 2 COUNTED;
    }
}

void while_within(int n, double *x)
{
    for (int i = 0; i < n; i += 2) {
        int j = i;
        while (j < i + 20) {
            x[j] = 1 COUNTED;
            j++;
        }
    }
}

void counter_beside(int n, double *x)
{
    int k = 0;
    for (int i = 0; i < n; i++) {
        x[k++] = 1 COUNTED;
        x[k] = 2 COUNTED;
        k++;
    }
}

void two_ends_meet(int n, double *x)
{
    int lo = 0, hi = n;
    while (lo < hi) {
        x[lo] = x[hi] COUNTED;
        lo++;
        hi--;
    }
}

void two_indices(int n, double *x)
{
    int lo = 0, hi = n - 1;
    for (; lo < hi; lo++, hi--)
        x[lo] = x[hi] COUNTED;
}

void while_data_holds(int n, double *x)
{
    int i = 5;
    while (i < n && x[i] >= 0) {
        x[i] = 1 COUNTED;
        i++;
    }
}

void continue_in_short_loop(int n, double *x)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < 3; j++) {
            if (j == 1)
                continue;
            x[3 * i + j] = 1 COUNTED;
        }
    }
}

void break_in_short_loop(int n, double *x)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < 8; j++) {
            if (j == 5)
                break;
            x[8 * i + j] = 1 COUNTED;
        }
    }
}

void return_in_loop(int n, double *x)
{
    for (int i = 0; i < n; i++) {
        if (i == n / 2)
            return;
        x[i] = 1 COUNTED;
    }
}

void end_moves_by_two(int n, double *x)
{
    int end = n;
    for (int i = 0; i < end; i++) {
        x[i] = 1 COUNTED;
        end -= 2;
    }
    for (int i = 0; i < n; i++)
        x[i] = 2 COUNTED;
}

static void g_of_return_in_a_call(double *x, int i)
{
    for (int j = 0; j < 100; j++) {
        if (j == 10)
            return;
        x[i + j] = 1 COUNTED;
    }
}
void return_in_a_call(int n, double *x)
{
    for (int i = 0; i < n; i++) {
        g_of_return_in_a_call(x, i);
    }
}

void negated_condition(int n, double *x)
{
    for (int i = 0; !(i >= n); ++i)
        x[i] = 1 COUNTED;
}

void end_is_a_sum(int n, double *x)
{
    int m = 3;
    for (int i = 0; i < n - m; i++) {
        x[i] = 1 COUNTED;
        m++;
    }
}

/* ---- pointers that change their places ---- */

void swapped(int n, double *u)
{
    double *v = u + 2000;
    for (int t = 0; t < 7; t++) {
        for (int i = 1; i < n - 1; i++)
            v[i] = u[i - 1] + u[i + 1] COUNTED;
        double *w = u;
        u = v;
        v = w;
    }
}

static void swap(double **a, double **b)
{
    double *t = *a;
    *a = *b;
    *b = t;
}

void swapped_by_a_call(int n, double *u)
{
    double *v = u + 2000;
    for (int t = 0; t < 20; t++) {
        for (int i = 1; i < n - 1; i++)
            v[i] = u[i - 1] + u[i + 1] COUNTED;
        swap(&u, &v);
    }
}

struct levels {
    double *old, *now, *next;
};

void three_levels(int n, double *x)
{
    struct levels l = {x, x + 2000, x + 4000};
    for (int t = 0; t < 25; t++) {
        for (int i = 1; i < n - 1; i++)
            l.next[i] = l.now[i - 1] + l.now[i + 1] - l.old[i] COUNTED;
        double *w = l.old;
        l.old = l.now;
        l.now = l.next;
        l.next = w;
    }
}

/* ---- every k-th iteration ---- */

enum { SIDE = 33 };

void red(double u[SIDE][SIDE])
{
    for (int i = 1; i < SIDE - 1; i++)
        for (int j = 1; j < SIDE - 1; j++)
            if ((i + j) % 2 == 0)
                u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]) COUNTED;
}

void black_by_bits(double u[SIDE][SIDE])
{
    for (int i = 1; i < SIDE - 1; i++)
        for (int j = 1; j < SIDE - 1; j++)
            if ((i + j) & 1)
                u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]) COUNTED;
            else
                u[i][0] = 1 COUNTED;
}

void one_after_the_other(double u[SIDE][SIDE])
{
    for (int colour = 0; colour < 2; colour++)
        for (int i = 1; i < SIDE - 1; i++)
            for (int j = 1 + (i + colour) % 2; j < SIDE - 1; j += 2)
                u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]) COUNTED;
}

void every_third(double u[SIDE][SIDE])
{
    for (int i = 2; i < SIDE; i++)
        if (i % 3 == 1)
            u[0][i] = 1 COUNTED;
        else
            u[1][i] = 2 COUNTED;
    for (int i = 2; i < SIDE; i++) {
        if (i % 5)
            continue;
        u[2][i] = 1 COUNTED;
    }
}

#ifdef TRUTH
int main(void)
{
    static double x[20000];
    step_in_body(1000, x);
    step_in_head_and_body(1000, x);
    end_comes_nearer(1000, x);
    end_and_index_in_body(1000, x);
    unequal_by_two(1000, x);
    while_counts(1000, x);
    while_down(1000, x);
    while_down_before(1000, x);
    while_and_for_down(1000, x);
    do_while(1000, x);
    do_while_before(1000, x);
    do_while_behind(1000, x);
    do_while_down(1000, x);
    endless_with_break(1000, x);
    break_at_an_index(1000, x);
    break_first(1000, x);
    continue_by_index(1000, x);
    continue_by_data(1000, x);
    break_in_triangle(1000, x);
    index_in_inner_loop(1000, x);
    step_by_function(1000, x);
    while_converges(1000, x);
    for_converges(1000, x);
    break_in_the_middle(1000, x);
    while_converges_or_ends(1000, x);
    do_while_converges(1000, x);
    endless_converges(1000, x);
    while_within(1000, x);
    counter_beside(1000, x);
    two_ends_meet(1000, x);
    two_indices(1000, x);
    while_data_holds(1000, x);
    continue_in_short_loop(1000, x);
    break_in_short_loop(1000, x);
    return_in_loop(1000, x);
    end_moves_by_two(1000, x);
    return_in_a_call(1000, x);
    negated_condition(1000, x);
    end_is_a_sum(1000, x);
    swapped(1000, x);
    swapped_by_a_call(1000, x);
    three_levels(1000, x);
    static double u[SIDE][SIDE];
    red(u);
    black_by_bits(u);
    one_after_the_other(u);
    every_third(u);
    for (int line = 0; line < 1000; line++)
        if (executed[line] > 0)
            printf("%d %ld\n", line, executed[line]);
    return 0;
}
#endif
