/* What a compile_commands.json says of how files are compiled (clang.llvm.org, "JSON Compilation
   Database Format Specification"), as far as it matters to what they mean - folders that are
   included, macros, the language's version - and to the code that is made of them. */
#ifndef FORECAST_SOURCE_COMPILE_FLAGS_H
#define FORECAST_SOURCE_COMPILE_FLAGS_H

#include "model/base/error.h"
#include "model/code/words.h"

#include <stdbool.h>

/* Of some files; zeroed: none. */
struct compile_flags {
    struct words meaning; /* what the files mean, each once; folders are absolute */
    struct words code;    /* how code is made of them; empty where they differ */
    bool has_code;        /* code was set, be it to nothing */
    char *remarks;        /* lines: which list is used, what it says in vain; may be NULL; owned */
};

/* Those of the files in the compile_commands.json of their project: beside the first of them, or in
   a folder above it, or in a folder build of one of these: the nearest. Whoever may write such a
   list need not be the one who runs a compiler with it:
   - the project ends where its version control does (.git and the like); without one, a folder
     farther up than the next has to have the files of a build (Makefile, CMakeLists.txt ...);
   - the list and its folder are the user's, or of who owns the source, and not everybody's to
   write;
   - its flags are taken by name (allowed_flag.h), and a flag with a blank in it is an error.
   Where there is no such list, or none of the files in it, there are no flags. An error, at its
   place, where the file is no such list. Release with compile_flags_free, also after an error. */
int compile_flags_read(struct compile_flags *flags, const char *const *files, size_t count,
                       struct error *error);

void compile_flags_free(struct compile_flags *flags);

/* Those of the flags that say how code is made: without macros and what is included; to be freed.
 */
char *compile_flags_of_code(const char *const *flags, size_t count);

#endif
