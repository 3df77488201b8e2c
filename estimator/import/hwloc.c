/* hwloc's XML (lstopo --of xml), of versions 1 and 2, read by hwloc itself: what the system tells
   of cores, caches and memory. */
#include "config.h"
#include "estimator/import/import.h"
#include "model/base/allocation.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

bool import_is_hwloc(const struct text *text)
{
    return text_find(text, "<topology") < text->count;
}

#ifdef HAVE_HWLOC

#include <hwloc.h>

/* Cores whose caches are alike, and which hwloc counts as of one kind. */
struct core_kind {
    double level[MEMORY_LEVELS_MOST]; /* capacity in bytes; 0: no such cache */
    double line[MEMORY_LEVELS_MOST], ways[MEMORY_LEVELS_MOST];
    int kind; /* hwloc's number of it; -1: it does not say */
    double cores;
};

/* More kinds than these are counted as the last one. */
enum { KINDS_MOST = 16 };

static double positive(double value)
{
    return value > 0.0 ? value : (double)NAN;
}

static double count_of(hwloc_topology_t told, hwloc_obj_type_t type)
{
    return positive(hwloc_get_nbobjs_by_type(told, type));
}

/* ---- kinds of cores ---- */

static struct core_kind kind_of(hwloc_topology_t told, hwloc_obj_t core)
{
    struct core_kind kind = {.kind = -1, .cores = 1.0};
    for (hwloc_obj_t object = core; object; object = object->parent) {
        if (!hwloc_obj_type_is_dcache(object->type) || !object->attr)
            continue;
        const unsigned level = object->attr->cache.depth;
        if (level < 1 || level > MEMORY_LEVELS_MOST)
            continue;
        kind.level[level - 1] = (double)object->attr->cache.size;
        kind.line[level - 1] = (double)object->attr->cache.linesize;
        kind.ways[level - 1] = (double)object->attr->cache.associativity;
    }
#if HWLOC_API_VERSION >= 0x00020400
    if (core->cpuset && hwloc_cpukinds_get_nr(told, 0) > 1)
        kind.kind = hwloc_cpukinds_get_by_cpuset(told, core->cpuset, 0);
#else
    (void)told;
#endif
    return kind;
}

static bool is_same_kind(const struct core_kind *a, const struct core_kind *b)
{
    for (size_t i = 0; i < MEMORY_LEVELS_MOST; i++)
        if (a->level[i] != b->level[i] || a->line[i] != b->line[i] || a->ways[i] != b->ways[i])
            return false;
    return a->kind == b->kind;
}

/* The most cores first, then the largest caches: the order in the file does not matter. */
static int by_cores(const void *a, const void *b)
{
    const struct core_kind *x = a, *y = b;
    if (x->cores != y->cores)
        return x->cores < y->cores ? 1 : -1;
    for (size_t i = 0; i < MEMORY_LEVELS_MOST; i++)
        if (x->level[i] != y->level[i])
            return x->level[i] < y->level[i] ? 1 : -1;
    return (x->kind < y->kind) - (x->kind > y->kind);
}

static size_t kinds_of(hwloc_topology_t told, struct core_kind kinds[KINDS_MOST])
{
    size_t count = 0;
    const int depth = hwloc_get_type_depth(told, HWLOC_OBJ_CORE);
    const hwloc_obj_type_t type = depth >= 0 ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
    for (hwloc_obj_t core = NULL; (core = hwloc_get_next_obj_by_type(told, type, core));) {
        const struct core_kind kind = kind_of(told, core);
        size_t k = 0;
        while (k < count && !is_same_kind(&kinds[k], &kind))
            k++;
        if (k == KINDS_MOST)
            k--;
        else if (k == count)
            kinds[count++] = (struct core_kind){0};
        const double cores = kinds[k].cores + 1.0;
        kinds[k] = kind;
        kinds[k].cores = cores;
    }
    qsort(kinds, count, sizeof *kinds, by_cores);
    return count;
}

/* "4 with L1 of 32768 and L2 of 2097152 bytes", into new memory. */
static char *kind_text(const struct core_kind *kind)
{
    char *text = memory_format("%.0f", kind->cores);
    const char *joined = " with";
    for (size_t i = 0; i < MEMORY_LEVELS_MOST; i++) {
        if (!(kind->level[i] > 0.0))
            continue;
        char *longer =
            memory_format("%s%s L%zu of %.0f bytes", text, joined, i + 1, kind->level[i]);
        free(text);
        text = longer;
        joined = ",";
    }
    return text;
}

/* The table has one cache a level: those of the most cores. The others are described in words. */
static void note_kinds(const struct importer *importer, const struct core_kind *kinds, size_t count)
{
    char *all = kind_text(&kinds[0]);
    for (size_t k = 1; k < count; k++) {
        char *one = kind_text(&kinds[k]);
        char *longer = memory_format("%s; %s", all, one);
        free(all);
        free(one);
        all = longer;
    }
    fprintf(importer->to->notes,
            "estimator: remark: %s: cores of %zu kinds differ: %s; the table has the caches of "
            "the first kind\n",
            importer->text->path, count, all);
    struct description *row =
        list_add(&description_record, &importer->to->machine.machine.described);
    row->what = memory_copy_text("cores of different kinds");
    row->is = all;
}

/* ---- the machine ---- */

static void set_memory(const struct core_kind *kind, size_t kinds, struct machine *machine)
{
    struct memory *memory = memory_new(1, sizeof *memory);
    record_begin(&memory_record, memory);
    for (size_t i = 0; i < MEMORY_LEVELS_MOST; i++) {
        if (!(kind->level[i] > 0.0))
            continue;
        struct memory_level *level = list_add(&memory_level_record, &memory->levels);
        level->level = (double)(i + 1);
        level->told_capacity_bytes = kind->level[i];
        level->told_line_bytes = positive(kind->line[i]);
        level->told_ways = positive(kind->ways[i]);
    }
    memory->note = kinds > 1 ? memory_format("told by hwloc, not measured; of %.0f cores of one "
                                             "kind, others differ",
                                             kind->cores)
                             : memory_copy_text("told by hwloc, not measured");
    machine->memory = memory;
}

/* What is taken of a topology. It comes from a process of its own, so it has no pointers. */
struct told {
    double packages, numa_nodes, cores, threads, memory_bytes;
    struct core_kind kinds[KINDS_MOST];
    size_t kind_count;
    bool has_caches;
    char host[256], os[256], cpu[256]; /* empty: it does not say */
};

static void copy_info(char to[256], hwloc_obj_t object, const char *name)
{
    const char *is = object && !*to ? hwloc_obj_get_info_by_name(object, name) : NULL;
    if (is)
        snprintf(to, 256, "%s", is);
}

static void set_told(struct told *told, hwloc_topology_t topology)
{
    const hwloc_obj_t root = hwloc_get_root_obj(topology);
    told->packages = count_of(topology, HWLOC_OBJ_PACKAGE);
    told->numa_nodes = count_of(topology, HWLOC_OBJ_NUMANODE);
    told->cores = count_of(topology, HWLOC_OBJ_CORE);
    told->threads = count_of(topology, HWLOC_OBJ_PU);
    told->memory_bytes = positive((double)root->total_memory);
    told->kind_count = kinds_of(topology, told->kinds);
    told->has_caches = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_L1CACHE) +
                           hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_L2CACHE) +
                           hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_L3CACHE) >
                       0;
    copy_info(told->host, root, "HostName");
    copy_info(told->os, root, "OSName");
    copy_info(told->cpu, root, "CPUModel");
    copy_info(told->cpu, hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0), "CPUModel");
}

static void set_machine(const struct importer *importer, const struct told *told)
{
    struct machine *machine = &importer->to->machine;
    struct provenance *measured = machine->machine.measured;
    machine->topology = memory_new(1, sizeof *machine->topology);
    *machine->topology = (struct topology){.packages = told->packages,
                                           .numa_nodes = told->numa_nodes,
                                           .cores = told->cores,
                                           .threads = told->threads,
                                           .memory_bytes = told->memory_bytes,
                                           .told_by = memory_copy_text("hwloc")};
    measured->cores = machine->topology->cores;
    if (told->kind_count > 0 && told->has_caches)
        set_memory(&told->kinds[0], told->kind_count, machine);
    if (told->kind_count > 1)
        note_kinds(importer, told->kinds, told->kind_count);
    import_know(&measured->host, *told->host ? told->host : NULL);
    import_know(&measured->os, *told->os ? told->os : NULL);
    import_know(&measured->cpu, *told->cpu ? told->cpu : NULL);
}

/* ---- the file ---- */

/* hwloc reads objects within objects by recursion: deeper ones than any machine has are refused. */
enum { OPEN_MOST = 256 };

static bool is_too_deep(const char *xml)
{
    size_t depth = 0;
    for (const char *at = xml; (at = strchr(at, '<')); at++) {
        if (at[1] == '/') {
            depth -= depth > 0;
        } else if (at[1] != '?' && at[1] != '!') {
            const char *end = strchr(at, '>');
            depth += !end || end[-1] != '/';
        }
        if (depth > OPEN_MOST)
            return true;
    }
    return false;
}

static int load(hwloc_topology_t topology, const char *xml, size_t size)
{
    return hwloc_topology_set_xmlbuffer(topology, xml, (int)size) == 0 &&
                   hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED) ==
                       0 &&
                   hwloc_topology_load(topology) == 0
               ? 0
               : -1;
}

enum { SECONDS_MOST = 10 };

/* In the child, which tells its parent what it found. hwloc says nothing itself of a file that
   contradicts itself. */
static _Noreturn void become_reader(const char *xml, size_t size, int to)
{
    struct told told = {0};
    hwloc_topology_t topology;
    const struct rlimit seconds = {SECONDS_MOST, SECONDS_MOST}, none = {0, 0};
    static const int ends[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        signal(ends[i], SIG_DFL); /* the parent's way to end is not the child's */
    setrlimit(RLIMIT_CPU, &seconds);
    setrlimit(RLIMIT_CORE, &none);
#if !defined __SANITIZE_ADDRESS__ /* which takes all addresses */
    const struct rlimit bytes = {(rlim_t)1 << 30, (rlim_t)1 << 30};
    setrlimit(RLIMIT_AS, &bytes);
#endif
    setenv("HWLOC_HIDE_ERRORS", "2", 1);
    const int nothing = open("/dev/null", O_WRONLY);
    dup2(nothing, STDERR_FILENO); /* nor what libraries say of their own end */
    if (hwloc_topology_init(&topology) != 0 || load(topology, xml, size) != 0)
        _exit(EXIT_FAILURE);
    set_told(&told, topology);
    _exit(write(to, &told, sizeof told) == sizeof told ? EXIT_SUCCESS : EXIT_FAILURE);
}

/* hwloc and its reader of XML end by a signal where there is no memory, and may do so on a file
   that somebody made for it: that is no end of this process. Returns its status as waitpid says it;
   -1: there is none, and errno says why. */
static int read_apart(const char *xml, size_t size, struct told *told)
{
    int ends[2], status = -1;
    size_t got = 0;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    const pid_t process = fork();
    if (process == 0)
        become_reader(xml, size, ends[1]);
    close(ends[1]);
    for (ssize_t more = 1; process > 0 && more > 0 && got < sizeof *told;) {
        more = read(ends[0], (char *)told + got, sizeof *told - got);
        got += more > 0 ? (size_t)more : 0;
    }
    close(ends[0]);
    if (process > 0)
        waitpid(process, &status, 0);
    return status == 0 && got < sizeof *told ? -1 : status;
}

int import_hwloc(const struct importer *importer, struct error *error)
{
    const struct text *text = importer->text;
    const size_t begin = text_find(text, "<topology");
    size_t end = text->count;
    struct told told;
    if (importer->to->machine.topology)
        return error_at(error, text_place(text, 0, 1), "a second topology");
    for (size_t i = 0; i < text->count; i++)
        if (strstr(text->lines[i], "</topology>"))
            end = i;
    if (end == text->count)
        return error_at(error, text_place(text, text->count - 1, 1),
                        "the file ends before </topology>");
    /* Lines end with zeros in the text (text.h). */
    char *xml = memory_new(text->size + 1, 1);
    memcpy(xml, text->bytes, text->size);
    for (size_t i = 0; i < text->size; i++)
        if (xml[i] == '\0')
            xml[i] = '\n';
    errno = 0;
    const int status =
        is_too_deep(xml) ? W_EXITCODE(EXIT_FAILURE, 0) : read_apart(xml, text->size + 1, &told);
    free(xml);
    const struct place place = text_place(text, begin, 1);
    if (status == -1)
        return error_at(error, place, "hwloc cannot be started on it: %s", strerror(errno));
    if (WIFSIGNALED(status))
        return error_at(error, place, "hwloc was ended by signal %d (%s) when it read it",
                        WTERMSIG(status), strsignal(WTERMSIG(status)));
    if (status != 0)
        return error_at(error, place, "hwloc cannot read it: expected what lstopo --of xml writes");
    set_machine(importer, &told);
    return 0;
}

#else

int import_hwloc(const struct importer *importer, struct error *error)
{
    return error_at(error, text_place(importer->text, 0, 1),
                    "this estimator was built without hwloc, which reads its XML: install the "
                    "Debian package libhwloc-dev and build again");
}

#endif
