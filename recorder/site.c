/* Where a call stands in the program: the places on the stack, each as a module and an offset,
   which are the same in every run. */
#include "recorder/record.h"

#include "model/base/allocation.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

/* constant: places on the stack that tell calls apart: 24 places
   a limit of memory; LULESH and the NAS benchmarks have at most 9 between main and a call of MPI.
 */
enum { DEPTH_MOST = 24 };

/* What was found by walking a stack once, and where on it the places stood: as long as these slots
   hold the same places the walk would find the same. */
struct site {
    void *at[DEPTH_MOST];
    void **slots[DEPTH_MOST];
    int depth;
    bool has_slots;
    uint32_t number; /* of the first site with these places */
};

static struct {
    struct site *items;
    size_t count, room, distinct;
    uint32_t recent[256]; /* by where the stack is: the last site there, and 1 */
} sites;

static _Unwind_Reason_Code step(struct _Unwind_Context *context, void *walked)
{
    struct site *site = walked;
    void *at = (void *)_Unwind_GetIP(context), **slot = (void **)_Unwind_GetCFA(context);
    if (!at || site->depth == DEPTH_MOST)
        return _URC_END_OF_STACK;
#ifdef __x86_64__
    /* The place to return to lies below the frame that it returns to; the innermost has none. */
    slot--;
    if (site->depth > 0 && (!slot || *slot != at))
        site->has_slots = false;
#else
    site->has_slots = false;
#endif
    site->slots[site->depth] = slot;
    site->at[site->depth++] = at;
    return _URC_NO_REASON;
}

static bool is_still_there(const struct site *site)
{
    for (int i = 1; i < site->depth; i++)
        if (*site->slots[i] != site->at[i])
            return false;
    return true;
}

static bool is_same_place(const struct site *a, const struct site *b)
{
    return a->depth == b->depth &&
           memcmp(a->at + 1, b->at + 1, (size_t)(a->depth - 1) * sizeof *a->at) == 0;
}

uint32_t site_here(void)
{
    const uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    uint32_t *recent = &sites.recent[(frame ^ frame >> 8) / 16 % 256];
    const struct site *last = *recent ? &sites.items[*recent - 1] : NULL;
    if (last && last->has_slots && last->slots[1] == (void **)frame + 1 && is_still_there(last))
        return last->number;
    struct site site = {.has_slots = true};
    _Unwind_Backtrace(step, &site);
    if (sites.count == sites.room) {
        sites.room = sites.room ? 2 * sites.room : 64;
        sites.items = memory_grow(sites.items, sites.room, sizeof *sites.items);
    }
    site.number = (uint32_t)sites.count;
    for (size_t i = 0; i < sites.count; i++)
        if (is_same_place(&sites.items[i], &site)) {
            site.number = sites.items[i].number;
            if (sites.items[i].slots[1] == site.slots[1]) {
                *recent = (uint32_t)i + 1;
                return site.number;
            }
        }
    sites.items[sites.count++] = site;
    *recent = (uint32_t)sites.count;
    return site.number;
}

/* Places of the program, from the call outwards: not those of this library, of MPI's, and of what
   called main. */
static void write_site(const struct site *site, FILE *out)
{
    Dl_info own, info;
    dladdr((void *)(uintptr_t)site_here, &own);
    for (int i = 1; i < site->depth; i++) {
        if (!dladdr(site->at[i], &info) || !info.dli_fname || info.dli_fbase == own.dli_fbase ||
            strstr(info.dli_fname, "/libmpi") || strstr(info.dli_fname, "/libc.so") ||
            strstr(info.dli_fname, "/ld-linux"))
            continue;
        char *path = realpath(info.dli_fname, NULL);
        const size_t offset = (size_t)((char *)site->at[i] - (char *)info.dli_fbase) - 1;
        fprintf(out, " %s+%zx", path ? path : info.dli_fname, offset);
        free(path);
    }
}

void sites_write(FILE *out)
{
    for (size_t i = 0; i < sites.count; i++)
        if (sites.items[i].number == i) {
            fprintf(out, "site %zu", i);
            write_site(&sites.items[i], out);
            fputc('\n', out);
        }
}
