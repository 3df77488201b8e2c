/* The file of a recording: rank 0 gathers what all have, and puts it in place whole. */
#include "recorder/record.h"

#include "model/base/allocation.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Bytes that are sent at once. */
enum { CHUNK = 1 << 24 };

static void write_head(FILE *out, MPI_Comm comm)
{
    char library[MPI_MAX_LIBRARY_VERSION_STRING] = "", line[65536] = "";
    int size, length;
    PMPI_Comm_size(comm, &size);
    PMPI_Get_library_version(library, &length);
    library[strcspn(library, "\n")] = '\0';
    for (char *at = library; *at; at++)
        *at = *at == '\t' ? ' ' : *at;
    const char *parameters = getenv("FORECOST_RECORD_PARAMETERS");
    fprintf(out, "forecost-recording: 1\nprocesses: %d\nmpi: %s\nparameters:%s%s\nprogram:", size,
            library, parameters && *parameters ? " " : "", parameters ? parameters : "");
    FILE *arguments = fopen("/proc/self/cmdline", "r");
    const size_t got = arguments ? fread(line, 1, sizeof line - 1, arguments) : 0;
    for (size_t i = 0; i < got; i += strlen(line + i) + 1) {
        for (char *at = line + i; *at; at++)
            *at = *at == '\n' ? ' ' : *at;
        fprintf(out, " %s", line + i);
    }
    fputc('\n', out);
    if (arguments)
        fclose(arguments);
}

/* What another process has, in pieces. */
static void receive(FILE *out, int from, long long bytes, MPI_Comm comm)
{
    char *piece = memory_new(CHUNK, 1);
    while (bytes > 0) {
        const int now = bytes < CHUNK ? (int)bytes : CHUNK;
        PMPI_Recv(piece, now, MPI_BYTE, from, 0, comm, MPI_STATUS_IGNORE);
        fwrite(piece, 1, (size_t)now, out);
        bytes -= now;
    }
    free(piece);
}

static void send(const char *text, long long bytes, MPI_Comm comm)
{
    while (bytes > 0) {
        const int now = bytes < CHUNK ? (int)bytes : CHUNK;
        PMPI_Send(text, now, MPI_BYTE, 0, 0, comm);
        text += now;
        bytes -= now;
    }
}

/* Pieces are received also where the file cannot be written, so that nobody waits for ever. */
void file_write(const char *text, size_t bytes, MPI_Comm comm, const char *path)
{
    int rank, size;
    long long own = (long long)bytes;
    char part[PATH_MAX];
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    long long *lengths = memory_new((size_t)size, sizeof *lengths);
    PMPI_Gather(&own, 1, MPI_LONG_LONG, lengths, 1, MPI_LONG_LONG, 0, comm);
    if (rank > 0) {
        send(text, own, comm);
        free(lengths);
        return;
    }
    snprintf(part, sizeof part, "%s.part.%ld", path, (long)getpid());
    FILE *file = fopen(part, "w"), *out = file ? file : fopen("/dev/null", "w");
    int wrong = file ? 0 : errno;
    write_head(out, comm);
    fwrite(text, 1, bytes, out);
    for (int from = 1; from < size; from++)
        receive(out, from, lengths[from], comm);
    if (ferror(out) || fclose(out) != 0 || (file && rename(part, path) != 0))
        wrong = errno ? errno : EIO;
    if (wrong) {
        fprintf(stderr, "forecost-record: %s: %s\n", path, strerror(wrong));
        unlink(part);
    }
    free(lengths);
}
