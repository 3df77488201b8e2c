#include "trainer/base/pages.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096 };

static size_t whole(size_t bytes)
{
    return (bytes + PAGE) / PAGE * PAGE;
}

char *pages_unwritten(size_t bytes)
{
    char *pages = aligned_alloc(PAGE, whole(bytes));
    if (!pages)
        MPI_Abort(MPI_COMM_WORLD, 2);
    return pages;
}

char *pages_new(size_t bytes, int value)
{
    char *pages = pages_unwritten(bytes);
    memset(pages, value, whole(bytes));
    return pages;
}
