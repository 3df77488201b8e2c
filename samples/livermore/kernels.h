/* The first twelve Livermore kernels, as the descriptions beside this file have them. */
#ifndef SAMPLES_LIVERMORE_KERNELS_H
#define SAMPLES_LIVERMORE_KERNELS_H

#include <stddef.h>

/* What a kernel works on. Which arrays it uses, and how large, is its own matter. */
struct data {
    double *a, *b, *c, *d, *e, *f; /* as many elements each as the kernel says */
    double q, r, t;
};

/* One repetition at size n. It depends on carry, which is the result of the repetition before, and
   does not change its values when carry is 0: so that repetitions cannot overlap. Returns one of
   its results. */
typedef double run_kernel(const struct data *data, size_t n, double carry);

struct kernel {
    const char *name; /* as the description's segment */
    size_t usual;     /* n, of the description too */
    size_t least;     /* n */
    run_kernel *run;
    size_t (*elements)(size_t n); /* of an array */
};

extern const struct kernel kernels[];
extern const size_t kernel_count;

#endif
