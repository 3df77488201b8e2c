#include "trainer/rehearsal/delivery.h"

#include "trainer/utilities/many_to_many_packed.h"

enum { TAG = 71, CYCLE = 97, ELEMENT = sizeof(double) };

/* ---- bytes that say who sent them, to whom, and where they stand ---- */

static char mark(int from, int to, size_t at)
{
    return (char)(at * 7 + (at >> 8) * 13 + (size_t)from * 31 + (size_t)to * 101 + 3);
}

static void mark_block(char *block, const struct site *site, int from, int to)
{
    for (size_t i = 0; i < (size_t)site->bytes; i++)
        block[i] = mark(from, to, i);
}

static bool is_marked(const char *block, const struct site *site, int from, int to)
{
    for (size_t i = 0; i < (size_t)site->bytes; i++)
        if (block[i] != mark(from, to, i))
            return false;
    return true;
}

static size_t block_at(const struct site *site, int number)
{
    return (size_t)number * (size_t)site->bytes;
}

/* ---- one message ---- */

static void fill_one(const struct site *site)
{
    mark_block(site->send, site, site->rank, 0);
}

static bool right_partner(const struct site *site, int root)
{
    (void)root;
    const int partner = (site->rank + site->processors / 2) % site->processors;
    return is_marked(site->receive, site, partner, 0);
}

/* As programs do: from one root after the other (SUMMA, LU), without an acknowledgement. */
static void run_broadcast(struct site *site, int root)
{
    MPI_Bcast(site->send, site->bytes, MPI_BYTE, root, site->comm);
}

static bool right_broadcast(const struct site *site, int root)
{
    return is_marked(site->send, site, root, 0);
}

/* ---- several ---- */

static void fill_others(const struct site *site)
{
    for (int to = 1; to < site->processors; to++)
        mark_block(site->send + block_at(site, to - 1), site, site->rank, to);
}

static bool right_others(const struct site *site, int root)
{
    (void)root;
    return site->rank == 0 || is_marked(site->receive, site, 0, site->rank);
}

/* The receiver need not know that all have been announced before it receives the first. */
static void run_gather(struct site *site, int root)
{
    (void)root;
    if (site->rank != 0)
        MPI_Send(site->send, site->bytes, MPI_BYTE, 0, TAG, site->comm);
    for (int from = 1; site->rank == 0 && from < site->processors; from++)
        MPI_Recv(site->receive + block_at(site, from - 1), site->bytes, MPI_BYTE, from, TAG,
                 site->comm, MPI_STATUS_IGNORE);
}

static bool right_gather(const struct site *site, int root)
{
    (void)root;
    bool right = true;
    for (int from = 1; site->rank == 0 && from < site->processors; from++)
        right &= is_marked(site->receive + block_at(site, from - 1), site, from, 0);
    return right;
}

static bool right_all(const struct site *site, int root)
{
    (void)root;
    bool right = true;
    for (int from = 0; from < site->processors; from++)
        right &= is_marked(site->receive + block_at(site, from), site, from, 0);
    return right;
}

static bool right_all_at_root(const struct site *site, int root)
{
    return site->rank != 0 || right_all(site, root);
}

static void fill_in_place(const struct site *site)
{
    mark_block(site->receive + block_at(site, site->rank), site, site->rank, 0);
}

static bool right_one_before(const struct site *site, int root)
{
    (void)root;
    return is_marked(site->receive, site, (site->rank + site->processors - 1) % site->processors,
                     0);
}

static void fill_each(const struct site *site)
{
    for (int to = 0; to < site->processors; to++)
        mark_block(site->send + block_at(site, to), site, site->rank, to);
}

static bool right_each(const struct site *site, int root)
{
    (void)root;
    bool right = true;
    for (int from = 0; from < site->processors; from++)
        right &= is_marked(site->receive + block_at(site, from), site, from, site->rank);
    return right;
}

static bool right_each_other(const struct site *site, int root)
{
    (void)root;
    bool right = true;
    for (int from = 0; from < site->processors; from++)
        right &= from == site->rank ||
                 is_marked(site->receive + block_at(site, from), site, from, site->rank);
    return right;
}

static bool right_scattered(const struct site *site, int root)
{
    (void)root;
    return is_marked(site->receive, site, 0, site->rank);
}

/* ---- a matrix that is turned: utilities/many_to_many_packed.c ---- */

static struct turned_block block_of(const struct site *site)
{
    return turned_block_of((size_t)site->bytes / ELEMENT);
}

static double *matrix_of(const struct site *site)
{
    const size_t elements = (size_t)site->bytes / ELEMENT;
    return (double *)(void *)site->send + elements * (size_t)site->processors;
}

static double entry(int from, size_t at)
{
    return 1e9 * (from + 1) + (double)at;
}

static void fill_matrix(const struct site *site)
{
    const size_t all = (size_t)site->bytes / ELEMENT * (size_t)site->processors;
    for (size_t i = 0; i < all; i++)
        matrix_of(site)[i] = entry(site->rank, i);
}

/* What is left of each message, behind the matrix. */
static bool right_left(const struct site *site, const struct turned_block *block)
{
    const size_t p = (size_t)site->processors, turned = p * block->rows * block->columns;
    bool right = true;
    for (size_t i = 0; i < p * block->left; i++)
        right &= matrix_of(site)[turned + i] ==
                 entry((int)(i / block->left),
                       turned + (size_t)site->rank * block->left + i % block->left);
    return right;
}

static bool right_matrix(const struct site *site, int root)
{
    (void)root;
    const struct turned_block block = block_of(site);
    const size_t p = (size_t)site->processors, row = p * block.rows, was_row = p * block.columns;
    bool right = right_left(site, &block);
    for (size_t i = 0; i < block.columns; i++)
        for (size_t at = 0; at < row; at++)
            right &= matrix_of(site)[i * row + at] ==
                     entry((int)(at / block.rows),
                           at % block.rows * was_row + (size_t)site->rank * block.columns + i);
    return right;
}

/* ---- sums ---- */

static void fill_operands(const struct site *site)
{
    double *operands = (double *)(void *)site->send;
    for (size_t i = 0; i < (size_t)site->bytes / ELEMENT; i++)
        operands[i] = (double)((i % CYCLE + 1) * (size_t)(site->rank + 1));
}

static bool right_sum(const struct site *site, int root)
{
    (void)root;
    const double *sums = (const double *)(void *)site->receive;
    const double ranks = 0.5 * site->processors * (site->processors + 1);
    bool right = true;
    for (size_t i = 0; i < (size_t)site->bytes / ELEMENT; i++)
        right &= sums[i] == (double)(i % CYCLE + 1) * ranks;
    return right;
}

static bool right_sum_at_root(const struct site *site, int root)
{
    return site->rank != 0 || right_sum(site, root);
}

/* Every block has the same operands. */
static void fill_blocks(const struct site *site)
{
    struct site block = *site;
    for (int i = 0; i < site->processors; i++) {
        block.send = site->send + block_at(site, i);
        fill_operands(&block);
    }
}

static void fill_nothing(const struct site *site)
{
    (void)site;
}

static bool right_nothing(const struct site *site, int root)
{
    (void)site;
    (void)root;
    return true;
}

static const struct delivery deliveries[DELIVERY_KINDS] = {
    [DELIVERY_OF_PARTNER] = {fill_one,      right_partner,     NULL         },
    [DELIVERY_OF_ROOT] = {fill_one,      right_broadcast,   run_broadcast},
    [DELIVERY_BY_ROOT] = {fill_others,   right_others,      NULL         },
    [DELIVERY_TO_ROOT] = {fill_one,      right_gather,      run_gather   },
    [DELIVERY_OF_ALL] = {fill_one,      right_all,         NULL         },
    [DELIVERY_OF_EACH] = {fill_each,     right_each,        NULL         },
    [DELIVERY_TURNED] = {fill_matrix,   right_matrix,      NULL         },
    [DELIVERY_SUM] = {fill_operands, right_sum,         NULL         },
    [DELIVERY_SUM_AT_ROOT] = {fill_operands, right_sum_at_root, NULL         },
    [DELIVERY_SUM_SHARED] = {fill_blocks,   right_sum,         NULL         },
    [DELIVERY_SCATTERED] = {fill_each,     right_scattered,   NULL         },
    [DELIVERY_GATHERED] = {fill_one,      right_all_at_root, NULL         },
    [DELIVERY_OF_ALL_IN_PLACE] = {fill_in_place, right_all,         NULL         },
    [DELIVERY_OF_ONE_BEFORE] = {fill_one,      right_one_before,  NULL         },
    [DELIVERY_OF_EACH_OTHER] = {fill_each,     right_each_other,  NULL         },
    [DELIVERY_NONE] = {fill_nothing,  right_nothing,     NULL         },
};

const struct delivery *delivery_of(const struct pattern *pattern)
{
    const struct delivery *delivery = &deliveries[pattern->delivery];
    return delivery->fill ? delivery : NULL;
}
