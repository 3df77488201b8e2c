/* No memory is an answer, and the next call has another one: memory TABLE. */
#include <forecost.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { PIECE = 1 << 20 };

/* Takes all that there is, in pieces down to a few bytes; each holds the address of the one before.
 */
static void **take_all(void)
{
    void **last = NULL, **piece;
    for (size_t bytes = PIECE; bytes >= sizeof(void *); bytes /= 2)
        while ((piece = malloc(bytes))) {
            *piece = last;
            last = piece;
        }
    return last;
}

static void give_back(void **last)
{
    while (last) {
        void **before = *last;
        free(last);
        last = before;
    }
}

int main(int argc, char **argv)
{
    struct forecost_machine *machine = NULL;
    struct forecost_error error = {.message = ""};
    const struct rlimit limit = {256 * PIECE, 256 * PIECE};
    if (argc < 2 || setrlimit(RLIMIT_AS, &limit) != 0)
        return 9;
    void **all = take_all();
    const enum forecost_status without = forecost_machine_read(&machine, argv[1], &error);
    give_back(all);
    printf("%d %s\n", without, error.message);
    const enum forecost_status with = forecost_machine_read(&machine, argv[1], &error);
    forecost_machine_free(machine);
    return without != FORECOST_NO_MEMORY || with != FORECOST_DONE;
}
