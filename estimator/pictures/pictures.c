#include "estimator/pictures/pictures.h"

#include "estimator/pictures/kinds.h"
#include "model/base/allocation.h"
#include "model/fit/points.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const struct kind {
    const char *name; /* "": all else, which is a utility */
    picture_draw *draw;
    bool has_details; /* what may follow a colon; its function says what is wrong with it */
} kinds[] = {
    {"accuracy",   draw_accuracy,   true },
    {"bound",      draw_bound,      false},
    {"broadcasts", draw_broadcasts, true },
    {"cpf",        draw_cpf,        false},
    {"distance",   draw_distances,  true },
    {"memory",     draw_memory,     true },
    {"overhead",   draw_overhead,   false},
    {"overlap",    draw_overlap,    false},
    {"rate",       draw_rates,      true },
    {"signature",  draw_signature,  false},
    {"swap",       draw_swaps,      true },
    {"",           draw_times,      true },
};

/* A kind's name stands alone or with a colon and a detail behind it. */
static const struct kind *kind_of(const char *what, const char **detail)
{
    const struct kind *kind = kinds;
    size_t length = strlen(kind->name);
    while (length > 0 && (strncmp(what, kind->name, length) != 0 ||
                          (what[length] != ':' && what[length] != '\0')))
        length = strlen((++kind)->name);
    *detail = what + length + (length > 0 && what[length] == ':');
    return kind;
}

int picture_points(const struct machine *machine, struct list *points, struct error *error)
{
    const char *dot = strrchr(machine->path, '.');
    const int length =
        dot && !strchr(dot, '/') ? (int)(dot - machine->path) : (int)strlen(machine->path);
    char *path = memory_format("%.*s.points.csv", length, machine->path);
    struct stat file;
    const int status = stat(path, &file) == 0 ? points_read(path, points, error) : 0;
    free(path);
    return status;
}

bool picture_series(struct picture *picture, const struct machine *machine, enum plot_style style,
                    int like, const char *format, ...)
{
    char title[160];
    va_list arguments;
    const int length = snprintf(title, sizeof title, "%.100s: ", machine->machine.name);
    va_start(arguments, format);
    vsnprintf(title + length, sizeof title - (size_t)length, format, arguments);
    va_end(arguments);
    return plot_series(&picture->plot, title, style, like);
}

int picture_missing(const struct machine *machine, const char *what, struct error *error)
{
    return error_at(error, place_at(machine->path, 0, 0), "the table has no %s", what);
}

static int check_detail(const struct kind *kind, const char *detail, struct error *error)
{
    if (kind->has_details || detail[-1] != ':')
        return 0;
    return error_set(error, "%s:%.40s: expected %s alone", kind->name, detail, kind->name);
}

char *picture_script(const struct picture_request *request, struct error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *script = open_memstream(&text, &size);
    struct picture picture = {.processors = request->processors};
    const struct kind *kind = kind_of(request->what, &picture.detail);
    int status = check_detail(kind, picture.detail, error);
    plot_begin(&picture.plot, script, request->path,
               request->title ? request->title : request->what);
    for (; picture.drawn < request->count && status == 0; picture.drawn++)
        status = kind->draw(&picture, &request->machines[picture.drawn], error);
    plot_end(&picture.plot);
    fclose(script);
    if (status == 0)
        return text;
    free(text);
    return NULL;
}
