#include "model/code/code_flags.h"

#include "model/base/allocation.h"
#include "model/code/words.h"

#include <string.h>

/* Roots of the mean square of the logarithm of times over those of -O2: Livermore kernels 1 to 12
   within the caches of an AMD EPYC of 2023, gcc 12. At -O1, -O3 and -O3 -march=native it was 0.52,
   0.26 and 0.57, at -Ofast -march=native 0.91, at -O0 2.1. */
static const double spread_optimised = 0.57, spread_fast = 0.91, spread_unoptimised = 2.1;

/* What a list says of the code; of several levels the last one counts, as it does for compilers. */
struct code_flags {
    const char *level;  /* NULL: not told */
    struct words words; /* all that bear on the code but levels: owned */
    bool is_fast;
};

static bool begins(const char *word, const char *with)
{
    return strncmp(word, with, strlen(with)) == 0;
}

/* Of -f and -m there are hundreds, and nearly all bear on the code. */
static bool bears_on_code(const char *word)
{
    static const char *const others[] = {
        "-fPI",    "-fpi",  "-fopenmp",   "-fdebug",      "-ffile", "-fdiag", "-fmacro",
        "-fstack", "-fcf-", "-fsanitize", "-fno-builtin", "-m32",   "-m64"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (begins(word, others[i]))
            return false;
    return begins(word, "-f") || begins(word, "-m");
}

static struct code_flags read_flags(const struct words *all)
{
    struct code_flags flags = {0};
    for (size_t i = 0; i < all->count; i++) {
        const char *word = all->items[i];
        if (begins(word, "-O"))
            flags.level = word;
        else if (bears_on_code(word) && !words_have(&flags.words, word))
            words_add(&flags.words, memory_copy_text(word));
        flags.is_fast |= strcmp(word, "-ffast-math") == 0;
    }
    flags.is_fast |= flags.level && strcmp(flags.level, "-Ofast") == 0;
    return flags;
}

static bool has_all(const struct words *of, const struct words *in)
{
    for (size_t i = 0; i < of->count; i++)
        if (!words_have(in, of->items[i]))
            return false;
    return true;
}

static bool tell(const struct code_flags *flags)
{
    return flags->level || flags->words.count > 0;
}

static bool is_unoptimised(const struct code_flags *flags)
{
    return flags->level && (strcmp(flags->level, "-O0") == 0 || strcmp(flags->level, "-Og") == 0);
}

static double spread(const struct code_flags *one, const struct code_flags *other)
{
    const bool same_level = !one->level || !other->level || strcmp(one->level, other->level) == 0;
    if (!tell(one) || !tell(other))
        return 0.0;
    if (same_level && has_all(&one->words, &other->words) && has_all(&other->words, &one->words))
        return 0.0;
    if (is_unoptimised(one) != is_unoptimised(other))
        return spread_unoptimised;
    return one->is_fast != other->is_fast ? spread_fast : spread_optimised;
}

double code_flags_spread(const char *one, const char *other)
{
    struct words words = words_cut(one ? one : ""), other_words = words_cut(other ? other : "");
    struct code_flags flags = read_flags(&words), other_flags = read_flags(&other_words);
    const double found = spread(&flags, &other_flags);
    words_free(&flags.words);
    words_free(&other_flags.words);
    words_free(&words);
    words_free(&other_words);
    return found;
}

bool code_flags_tell(const char *flags)
{
    struct words words = words_cut(flags ? flags : "");
    struct code_flags read = read_flags(&words);
    const bool told = tell(&read);
    words_free(&read.words);
    words_free(&words);
    return told;
}

bool code_flags_same(const char *one, const char *other)
{
    static const char usual[] = "-O2"; /* what loops are compiled with where nobody says it */
    return code_flags_spread(code_flags_tell(one) ? one : usual,
                             code_flags_tell(other) ? other : usual) == 0.0;
}

bool code_flags_reorder(const char *flags)
{
    struct words words = words_cut(flags ? flags : "");
    struct code_flags read = read_flags(&words);
    const bool reorders = read.is_fast || words_have(&words, "-fassociative-math");
    words_free(&read.words);
    words_free(&words);
    return reorders;
}
