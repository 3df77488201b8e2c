/* A folder of one's own that is gone with who made it, whatever ends it: a process beside removes
   it, and ends what was started in it. */
#ifndef MODEL_CODE_PRIVATE_FOLDER_H
#define MODEL_CODE_PRIVATE_FOLDER_H

#include "model/base/error.h"

#include <sys/types.h>

struct private_folder {
    char *path;   /* owned; NULL: none */
    pid_t keeper; /* leads a process group, which others may join (setpgid) */
    int end;      /* closed: the keeper removes the folder */
};

/* In $TMPDIR, else /tmp. End with private_folder_remove. */
int private_folder_make(struct private_folder *folder, struct error *error);

/* With all that is in it; a zeroed one is allowed. */
void private_folder_remove(struct private_folder *folder);

#endif
