#include "trainer/base/topology.h"

#include "config.h"
#include "model/base/allocation.h"

#include <math.h>

#ifdef HAVE_HWLOC

#include <hwloc.h>

/* Read anew each time: a few milliseconds, twice or thrice a run. false: it tells nothing. */
static bool begin(hwloc_topology_t *told)
{
    if (hwloc_topology_init(told) != 0)
        return false;
    if (hwloc_topology_load(*told) == 0)
        return true;
    hwloc_topology_destroy(*told);
    return false;
}

static double positive(double value)
{
    return value > 0.0 ? value : (double)NAN;
}

static double count_of(hwloc_topology_t told, hwloc_obj_type_t type)
{
    return positive(hwloc_get_nbobjs_by_type(told, type));
}

static struct topology_cache cache_of(hwloc_topology_t told, int level)
{
    const int depth = hwloc_get_cache_type_depth(told, (unsigned)level, (hwloc_obj_cache_type_t)-1);
    const int data_depth = hwloc_get_cache_type_depth(told, (unsigned)level, HWLOC_OBJ_CACHE_DATA);
    const hwloc_obj_t cache = hwloc_get_obj_by_depth(told, depth < 0 ? data_depth : depth, 0);
    if (!cache || !cache->attr)
        return (struct topology_cache){NAN, NAN, NAN, NAN};
    return (struct topology_cache){
        positive((double)cache->attr->cache.size), positive(cache->attr->cache.linesize),
        positive(cache->attr->cache.associativity),
        positive(hwloc_get_nbobjs_inside_cpuset_by_type(told, cache->cpuset, HWLOC_OBJ_CORE))};
}

struct topology_cache topology_cache(int level)
{
    hwloc_topology_t told;
    struct topology_cache cache = {NAN, NAN, NAN, NAN};
    if (!begin(&told))
        return cache;
    cache = cache_of(told, level);
    hwloc_topology_destroy(told);
    return cache;
}

struct topology *topology_new(void)
{
    hwloc_topology_t told;
    if (!begin(&told))
        return NULL;
    struct topology *topology = memory_new(1, sizeof *topology);
    *topology = (struct topology){
        .packages = count_of(told, HWLOC_OBJ_PACKAGE),
        .numa_nodes = count_of(told, HWLOC_OBJ_NUMANODE),
        .cores = count_of(told, HWLOC_OBJ_CORE),
        .threads = count_of(told, HWLOC_OBJ_PU),
        .memory_bytes = positive((double)hwloc_get_root_obj(told)->total_memory),
        .told_by = memory_copy_text("hwloc"),
    };
    hwloc_topology_destroy(told);
    return topology;
}

#else

#include <stddef.h>
#include <unistd.h>

static double told(int name)
{
    const long value = sysconf(name);
    return value > 0 ? (double)value : (double)NAN;
}

struct topology_cache topology_cache(int level)
{
#ifdef _SC_LEVEL1_DCACHE_SIZE
    static const int names[][3] = {
        {_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL1_DCACHE_LINESIZE, _SC_LEVEL1_DCACHE_ASSOC},
        {_SC_LEVEL2_CACHE_SIZE,  _SC_LEVEL2_CACHE_LINESIZE,  _SC_LEVEL2_CACHE_ASSOC },
        {_SC_LEVEL3_CACHE_SIZE,  _SC_LEVEL3_CACHE_LINESIZE,  _SC_LEVEL3_CACHE_ASSOC },
    };
    if (level <= 3) {
        const int *row = names[level - 1];
        return (struct topology_cache){told(row[0]), told(row[1]), told(row[2]), NAN};
    }
#endif
    (void)level;
    (void)told;
    return (struct topology_cache){NAN, NAN, NAN, NAN};
}

struct topology *topology_new(void)
{
    return NULL;
}

#endif
