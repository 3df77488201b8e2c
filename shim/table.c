#include "shim/table.h"

#include "model/machine/broadcast.h"
#include "model/records/yaml_text.h"

#include <stdio.h>
#include <stdlib.h>

static const char variable[] = "FORECOST_TABLE";

/* The text of a table; NULL: there is none. */
struct text {
    char *bytes;
    size_t count;
};

static int check_tells(const struct machine *machine, struct error *error)
{
    if (broadcast_times(machine, 1024.0, 2.0).fastest == BROADCAST_COUNT)
        return error_at(error, place_at(machine->path, 0, 0),
                        "tells of no broadcast: expected broadcast-NAME (trainer --suite "
                        "broadcast), or point-to-point and one-to-many");
    return 0;
}

static int read_checked(struct machine *machine, struct text *text, struct error *error)
{
    const char *path = getenv(variable);
    if (!path || !*path)
        return error_set(error, "%s is not set: expected the name of a machine table", variable);
    if (yaml_read_text(path, &text->bytes, &text->count, error) != 0)
        return -1;
    if (machine_read_text(machine, path, text->bytes, text->count, error) != 0)
        return -1;
    if (check_tells(machine, error) == 0)
        return 0;
    machine_free(machine);
    return -1;
}

static bool read_here(struct machine *machine, struct text *text)
{
    struct error error;
    char line[800];
    if (read_checked(machine, text, &error) == 0)
        return true;
    fprintf(stderr, "forecost-bcast: %s; broadcasts are left to the library\n",
            error_line(&error, line, sizeof line));
    free(text->bytes);
    *text = (struct text){NULL, 0};
    return false;
}

/* What rank 0 could read, so can all. */
static bool receive(MPI_Comm comm, int bytes, struct machine *machine)
{
    char *text = malloc((size_t)bytes);
    if (!text)
        PMPI_Abort(comm, 2);
    PMPI_Bcast(text, bytes, MPI_BYTE, 0, comm);
    const bool is_read = machine_read_text(machine, variable, text, (size_t)bytes, NULL) == 0;
    free(text);
    return is_read;
}

bool table_share(MPI_Comm comm, struct machine *machine)
{
    struct text text = {NULL, 0};
    int rank;
    PMPI_Comm_rank(comm, &rank);
    if (rank == 0)
        read_here(machine, &text);
    int bytes = (int)text.count; /* at most YAML_BYTES_MOST */
    PMPI_Bcast(&bytes, 1, MPI_INT, 0, comm);
    if (bytes == 0)
        return false;
    if (rank != 0)
        return receive(comm, bytes, machine);
    PMPI_Bcast(text.bytes, bytes, MPI_BYTE, 0, comm);
    free(text.bytes);
    return true;
}
