/* Plain loops over arrays in the first cache, and chains, of which each iteration waits for the one
   before. The trainer has the text of this file and of its .c in itself, and compiles it anew with
   other flags: they include nothing of the project. */
#ifndef TRAINER_NODE_COMPILED_LOOPS_H
#define TRAINER_NODE_COMPILED_LOOPS_H

/* Five arrays fit the smallest first cache that there is. */
enum {
    COMPILED_LENGTH = 560,
    COMPILED_SIDE = 28,
    COMPILED_DEPTH = 8,
    COMPILED_BREADTH = 32,
    COMPILED_HALF = 128
};

struct compiled_arrays {
    double a[COMPILED_SIDE * COMPILED_SIDE], b[COMPILED_SIDE * COMPILED_SIDE],
        c[COMPILED_SIDE * COMPILED_SIDE], d[COMPILED_SIDE * COMPILED_SIDE];
    double sum;
    long length, side, depth, breadth, half; /* which the compiler does not know */
};

typedef void compiled_pass(struct compiled_arrays *arrays);

/* The operations of an iteration, by enum operation: additions, products, multiply-adds, divisions,
   square roots, loads, stores. The names are what a statement's `kernel` says. */
struct compiled_loop {
    const char *name;
    compiled_pass *run;
    double iterations, operations[7];
};

struct compiled_chain {
    int operation; /* enum operation */
    compiled_pass *run;
};

enum { COMPILED_LOOPS = 13, COMPILED_CHAINS = 4 };

struct compiled_code {
    const char *compiler; /* and its version */
    struct compiled_loop loops[COMPILED_LOOPS];
    struct compiled_chain chains[COMPILED_CHAINS];
};

/* As the trainer was compiled; objects of the same name are as others are. */
extern const struct compiled_code compiled_code;

#endif
