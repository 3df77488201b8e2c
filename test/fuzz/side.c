/* Side files of a program that has everything that they can speak of: described with them, or
   refused with one line. */
#include "describer/describe.h"
#include "model/base/allocation.h"
#include "test/fuzz/target.h"

#include <string.h>

static const char program[] = "struct grid { int nx, ny; double *u; };\n"
                              "double norm(int n, const double x[n])\n"
                              "{\n"
                              "    double s = 0;\n"
                              "    for (int i = 0; i < n; i++)\n"
                              "        s += x[i] * x[i];\n"
                              "    return s;\n"
                              "}\n"
                              "static int limit(double v) { return v > 1; }\n"
                              "void relax(int n, double a[n][n], double b[n][n], int ix[n])\n"
                              "{\n"
                              "    for (int t = 0; t < 10; t++) {\n"
                              "        for (int i = 1; i < n - 1; i++)\n"
                              "            for (int j = 1; j < n - 1; j++)\n"
                              "                a[i][j] = 0.25 * (b[i - 1][j] + b[i][j - 1]);\n"
                              "        for (int i = 0; i < n; i++)\n"
                              "            if (limit(a[i][0]))\n"
                              "                b[i][0] = a[ix[i]][0];\n"
                              "        while (norm(n, a[0]) > 1)\n"
                              "            a[0][0] /= 2;\n"
                              "    }\n"
                              "}\n"
                              "void fill(struct grid *g)\n"
                              "{\n"
                              "    for (int k = 0; k < g->nx * g->ny; k++)\n"
                              "        g->u[k] = k;\n"
                              "}\n";

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const flags[] = {"-xc"}, *definitions[] = {"n=100", "g_nx=8"};
    const struct input source = input_open(program, sizeof program - 1);
    const struct input side = input_open(bytes, size);
    const char *path = source.path;
    struct options options = {.files = &path,
                              .file_count = 1,
                              .flags = flags,
                              .flag_count = 1,
                              .definitions = definitions,
                              .definition_count = 1,
                              .side = side.path};
    char *text = NULL;
    size_t length = 0;
    struct error error;
    struct arena *arena = arena_new();
    FILE *out = memory_stream(&text, &length);
    const int status = describe_files(arena, &options, out, out, &error);
    memory_stream_end(out);
    if (status != 0)
        require_message(&error);
    arena_free(arena);
    free(text);
    input_close(&side);
    input_close(&source);
    return 0;
}
