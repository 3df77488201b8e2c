/* What a compile_commands.json says of how files are compiled (clang.llvm.org, "JSON Compilation
   Database Format Specification"), as far as it matters to what they mean: folders that are
   included, macros, the language's version. */
#ifndef FORECAST_SOURCE_COMPILE_FLAGS_H
#define FORECAST_SOURCE_COMPILE_FLAGS_H

#include "model/base/error.h"
#include "model/code/words.h"

/* Adds the flags of the files, each once, from the compile_commands.json beside the first of them,
   or in a folder above it, or in a folder build of one of these: the nearest. Where there is none,
   or none of the files in it, nothing is added. Folders are absolute. An error, at its place, where
   the file is no such list. */
int compile_flags_add(struct words *flags, const char *const *files, size_t count,
                      struct error *error);

/* Those of the flags that say how code is made: without macros and what is included; to be freed.
 */
char *compile_flags_of_code(const char *const *flags, size_t count);

#endif
