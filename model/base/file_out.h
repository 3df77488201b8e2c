/* The one way in which files are written: a file takes the place of another only when it is
   complete, on the disk, and can be read by those who will. */
#ifndef MODEL_BASE_FILE_OUT_H
#define MODEL_BASE_FILE_OUT_H

#include "model/base/error.h"

#include <stdbool.h>
#include <stdio.h>

struct file_out {
    FILE *stream;     /* what is to be written; NULL when it is finished */
    char *beside;     /* owned; the new file until it is kept; NULL: nothing is under way */
    const char *path; /* borrowed; whose place it takes */
    bool is_held;     /* held is a descriptor: the lock of a finished file that is not kept yet */
    int held;
};

/* Begins a new file beside the one at path, with its permissions, under a name that no other file
   has: PATH.PROCESS-NUMBER.part. What runs that were killed have left so goes. Errors: something
   stands there that is no regular file (path_check), or the folder does not allow it. End with
   file_out_keep or file_out_drop.
 */
int file_out_begin(struct file_out *out, const char *path, struct error *error);

/* Nothing more is written: all of it is on the disk then, still beside. On an error it is dropped.
 */
int file_out_finish(struct file_out *out, struct error *error);

/* How a file is read that users will read: 0, or -1 with *error set. */
typedef int file_out_reader(const char *path, struct error *error);

/* Finishes it, and reads it back. On an error it is dropped: what was there is worth more. */
int file_out_verify(struct file_out *out, file_out_reader *reader, struct error *error);

/* Finishes it, where that is still to be done, and puts it in the place of what was there. */
int file_out_keep(struct file_out *out, struct error *error);

/* The same of two files, of which both take their places, or neither does. Where the process is
   killed in between, the older one of the first is beside the new one. */
int file_out_keep_both(struct file_out *out, struct file_out *other, struct error *error);

/* What was there stays. May be called after any of the others, and of a zeroed one. */
void file_out_drop(struct file_out *out);

/* To be called first in a program: standard streams that whoever started it has closed are opened
   so that they can neither be read nor written. Else the first file that is opened had the number
   of one of them, and what is said would stand in it. */
void file_out_keep_streams(void);

#endif
