/* What a ranking left out, said once however many settings it was left out at. */
#include "estimator/commands/rank_run.h"
#include "model/base/allocation.h"
#include "model/base/lookup.h"
#include "model/base/printable.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A remark, and the processor counts that it was made at; none: it is of no count. */
struct remark {
    const char *text;
    double *processors; /* owned */
    size_t count;
};

/* Where the text of a line begins, behind its processor count: NAN where it has none. */
static const char *text_of(const char *line, double *processors)
{
    static const char begin[] = "p = ";
    char *end = NULL;
    *processors = NAN;
    if (strncmp(line, begin, strlen(begin)) != 0)
        return line;
    const double value = strtod(line + strlen(begin), &end);
    if (strncmp(end, ": ", 2) != 0)
        return line;
    *processors = value;
    return end + 2;
}

static size_t number_of(struct lookup *texts, const char *text)
{
    const size_t words = strlen(text) / sizeof(uint64_t) + 1;
    uint64_t *key = memory_new(words, sizeof *key);
    memcpy(key, text, strlen(text));
    const size_t number = lookup_add(texts, key, words);
    free(key);
    return number;
}

/* A count comes again where a parameter has several values. */
static void add_count(struct remark *remark, double processors)
{
    if (isnan(processors))
        return;
    for (size_t i = 0; i < remark->count; i++)
        if (remark->processors[i] == processors)
            return;
    remark->processors =
        memory_grow(remark->processors, remark->count + 1, sizeof *remark->processors);
    remark->processors[remark->count++] = processors;
}

static void print(FILE *to, const struct remark *remark, const char *machine)
{
    if (machine)
        fprintf(to, "%s%s", machine, remark->count > 0 ? ", " : ": ");
    for (size_t i = 0; i < remark->count; i++)
        fprintf(to, "%s%g", i == 0 ? "p = " : ", ", remark->processors[i]);
    fprintf(to, "%s%s\n", remark->count > 0 ? ": " : "", remark->text);
}

void rank_gather_left_out(FILE *to, char *lines, const char *machine)
{
    struct lookup texts = {0};
    struct remark *remarks = NULL;
    for (char *rest = NULL, *line = strtok_r(lines, "\n", &rest); line;
         line = strtok_r(NULL, "\n", &rest)) {
        double processors;
        const char *text = text_of(line, &processors);
        const size_t known = texts.count, number = number_of(&texts, text);
        if (number == known) {
            remarks = memory_grow(remarks, known + 1, sizeof *remarks);
            remarks[number] = (struct remark){.text = text};
        }
        add_count(&remarks[number], processors);
    }
    char *name = machine ? printable(machine) : NULL;
    for (size_t i = 0; i < texts.count; i++) {
        print(to, &remarks[i], name);
        free(remarks[i].processors);
    }
    free(name);
    free(remarks);
    lookup_free(&texts);
}
