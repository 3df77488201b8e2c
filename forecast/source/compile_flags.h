/* What a compile_commands.json says of how files are compiled (clang.llvm.org, "JSON Compilation
   Database Format Specification"), as far as it matters to what they mean - folders that are
   included, macros, the language's version - and to the code that is made of them. */
#ifndef FORECAST_SOURCE_COMPILE_FLAGS_H
#define FORECAST_SOURCE_COMPILE_FLAGS_H

#include "model/base/error.h"
#include "model/code/words.h"

/* Of some files; zeroed: none. */
struct compile_flags {
    struct words meaning; /* what the files mean, each once; folders are absolute */
    char *code;           /* how code is made of them, where all say the same; may be NULL; owned */
};

/* Those of the files in the compile_commands.json beside the first of them, or in a folder above
   it, or in a folder build of one of these: the nearest. Where there is none, or none of the files
   in it, there are none. An error, at its place, where the file is no such list. Release with
   compile_flags_free, also after an error. */
int compile_flags_read(struct compile_flags *flags, const char *const *files, size_t count,
                       struct error *error);

void compile_flags_free(struct compile_flags *flags);

/* Those of the flags that say how code is made: without macros and what is included; to be freed.
 */
char *compile_flags_of_code(const char *const *flags, size_t count);

#endif
