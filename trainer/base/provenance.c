#include "trainer/base/provenance.h"

#include "model/base/allocation.h"

#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* One line: blanks for line ends, none twice. */
static char *one_line(const char *text)
{
    char *line = memory_new(strlen(text) + 1, 1), *end = line;
    for (; *text; text++) {
        const char c = *text == '\n' || *text == '\t' || *text == '\r' ? ' ' : *text;
        if (c != ' ' || (end > line && end[-1] != ' '))
            *end++ = c;
    }
    if (end > line && end[-1] == ' ')
        end[-1] = '\0';
    return line;
}

/* Without how the library was built, which MPICH tells in a page behind everything else. */
static char *mpi_version(void)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(text, &length);
    char *built = strstr(text, "\nMPICH configure:");
    if (built)
        *built = '\0';
    return one_line(text);
}

bool provenance_is_simulated(void)
{
    char *version = mpi_version();
    const bool simulated = strstr(version, "SMPI") || strstr(version, "SimGrid");
    free(version);
    return simulated;
}

/* "model name" of the first processor, where Linux tells it. */
static char *cpu_name(void)
{
    FILE *stream = fopen("/proc/cpuinfo", "r");
    char line[256], *name = NULL;
    while (stream && !name && fgets(line, sizeof line, stream)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon)
            name = one_line(colon + 1);
    }
    if (stream)
        fclose(stream);
    return name;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The variables that steer MPI libraries, sorted: "A=1 B=2"; NULL: none. */
static char *steering_environment(void)
{
    static const char *const prefixes[] = {"MPIR_CVAR_", "MPICH_", "UCX_",
                                           "FI_",        "I_MPI_", "OMPI_MCA_"};
    size_t count = 0;
    while (environ[count])
        count++;
    char **kept = memory_new(count, sizeof *kept), *all = NULL;
    size_t kept_count = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes; k++)
            if (strncmp(environ[i], prefixes[k], strlen(prefixes[k])) == 0)
                kept[kept_count++] = environ[i];
    qsort(kept, kept_count, sizeof *kept, by_text);
    for (size_t i = 0; i < kept_count; i++) {
        char *longer = memory_format("%s%s%s", all ? all : "", all ? " " : "", kept[i]);
        free(all);
        all = longer;
    }
    free(kept);
    return all;
}

/* They say nothing of the machine. */
static bool is_about_files(const char *argument)
{
    return strcmp(argument, "--resume") == 0 || strcmp(argument, "--add") == 0 ||
           strcmp(argument, "--replace") == 0;
}

static char *arguments(int argc, char **argv)
{
    char *all = memory_copy_text("");
    for (int i = 1; i < argc; i++) {
        if (is_about_files(argv[i]))
            continue;
        char *longer = memory_format("%s%s%s", all, *all ? " " : "", argv[i]);
        free(all);
        all = longer;
    }
    return all;
}

static char *date_now(void)
{
    char text[32];
    const time_t now = time(NULL);
    struct tm parts;
    gmtime_r(&now, &parts);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return memory_copy_text(text);
}

static void add_host(struct provenance *provenance)
{
    char host[256] = "";
    struct utsname system;
    gethostname(host, sizeof host - 1);
    uname(&system);
    provenance->date = date_now();
    provenance->host = memory_copy_text(host);
    provenance->cpu = cpu_name();
    provenance->cores = (double)sysconf(_SC_NPROCESSORS_ONLN);
    provenance->os = memory_format("%s %s %s", system.sysname, system.release, system.machine);
    provenance->environment = steering_environment();
}

struct provenance *provenance_new(int argc, char **argv, unsigned long seed)
{
    struct provenance *provenance = memory_new(1, sizeof *provenance);
    provenance->cores = provenance->duration_s = provenance->clock_tick_us = NAN;
    provenance->compiler = memory_copy_text("gcc-compatible " __VERSION__);
    provenance->mpi = mpi_version();
    provenance->options = arguments(argc, argv);
    provenance->seed = (double)seed;
    if (!provenance_is_simulated())
        add_host(provenance);
    return provenance;
}
