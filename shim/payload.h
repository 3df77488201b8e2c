/* A broadcast message as bytes in a row, the same on all processors whatever their data types. */
#ifndef SHIM_PAYLOAD_H
#define SHIM_PAYLOAD_H

#include <mpi.h>
#include <stdbool.h>

/* The program's buffer, as it was given to MPI_Bcast. */
struct message {
    void *buffer;
    int count;
    MPI_Datatype datatype;
};

struct payload {
    char *bytes; /* the program's own buffer where its data lie in a row, else a copy */
    int count;
    bool is_copy;
};

/* The payload of a message of count > 0 bytes; its bytes are the message's if is_root, else still
   to come. */
struct payload payload_begin(const struct message *message, int count, bool is_root, MPI_Comm comm);

/* Puts the bytes into the message, unless is_root, and releases the payload. */
void payload_end(struct payload *payload, const struct message *message, bool is_root,
                 MPI_Comm comm);

#endif
