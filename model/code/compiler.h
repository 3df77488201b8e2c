/* The user's compiler: run without a shell, in a private folder that is removed, with limits of
   memory, time and what it writes. */
#ifndef MODEL_CODE_COMPILER_H
#define MODEL_CODE_COMPILER_H

#include "model/base/error.h"
#include "model/code/private_folder.h"
#include "model/code/words.h"

#include <stdbool.h>

enum { COMPILER_SECONDS_MOST = 120 };

struct compiler {
    struct private_folder folder;
    char *source, *object, *said; /* owned: files in it */
    struct words words;           /* the compiler ($CC or cc) and the flags of every run */
};

/* Makes the folder with the text in it as a C file, in which FORECOST_FLAGS is code_flags: those of
   the user's flags that say how code is made. End with compiler_end. */
int compiler_begin(struct compiler *compiler, const char *text, const struct words *flags,
                   const char *code_flags, struct error *error);

/* Makes a loadable object of it; more: flags beside (NULL: none). False: it does not compile or
   link, takes longer than COMPILER_SECONDS_MOST, or cannot be started; *line becomes what it says
   first, to be freed. */
bool compiler_run(const struct compiler *compiler, const struct words *more, char **line);

/* Takes the MPI library's compiler instead; false: $CC says which one. */
bool compiler_take_mpi(struct compiler *compiler);

/* Removes the folder. */
void compiler_end(struct compiler *compiler);

#endif
