#include "estimator/pictures/pictures.h"

#include "estimator/pictures/kinds.h"
#include "model/base/allocation.h"
#include "model/fit/points.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const struct kind {
    const char *name; /* "": all else, which is a utility, or several between commas */
    picture_draw *draw;
    bool has_details; /* what may follow a colon; its function says what is wrong with it */
    struct picture_words words;
} kinds[] = {
    {"accuracy",
     draw_accuracy,        true,
     {"accuracy[:UTILITY]", "predicted over measured time of every point", "this project"}        },
    {"bound",
     draw_bound,           false,
     {"bound", "what Livermore kernels reach of their bounds (TABLE.livermore.csv)",
      "Abandah 1995, figure 5.4"}                                                                 },
    {"broadcast-sizes",
     draw_broadcast_sizes, true,
     {"broadcast-sizes[:P]", "the broadcast algorithms against message bytes",
      "Abandah 1995, chapter 3"}                                                                  },
    {"broadcasts",
     draw_broadcasts,      true,
     {"broadcasts[:BYTES]", "the broadcast algorithms against processors",
      "Abandah 1995, figures 3.7 to 3.9"}                                                         },
    {"cpf",
     draw_cpf,             false,
     {"cpf", "cycles per operation of kernel 3 against its arrays' bytes (TABLE.cpf.csv)",
      "Abandah 1995, figure 5.6"}                                                                 },
    {"distance",
     draw_distances,       true,
     {"distance[:rate]", "messages and exchanges with near and far processors",
      "Abandah 1995, section 2.4"}                                                                },
    {"logp",
     draw_logp,            false,
     {"logp", "LogP parameters against message bytes", "Culler and others, LogP, figures 7 to 10"}},
    {"logp-summary",
     draw_logp_summary,    false,
     {"logp-summary", "overheads, latency and gap of small messages, machine by machine",
      "Culler and others, LogP, figure 6"}                                                        },
    {"memory",
     draw_memory,          true,
     {"memory[:load|:store]", "what a load costs by the bytes gone through",
      "Abandah 1995, figures 5.2 and 5.3"}                                                        },
    {"overhead",
     draw_overhead,        false,
     {"overhead", "what a message costs the processor", "Doerfler, host overhead"}                },
    {"overlap",
     draw_overlap,         false,
     {"overlap", "how much of a transfer is left for work",
      "Doerfler, host overhead, availability"}                                                    },
    {"overlap-loop",
     draw_overlap_loops,   true,
     {"overlap-loop[:BYTES]", "the loop's time against the work in it",
      "Doerfler, host overhead, method"}                                                          },
    {"rate",
     draw_rates,           true,
     {"rate:UTILITY[,UTILITY...]", "bytes over time against message bytes",
      "Abandah 1995, figures 2.2 to 2.10"}                                                        },
    {"routines",
     draw_routines,        false,
     {"routines", "what bounds explain of routines' times (TABLE.routines.csv)",
      "Abandah 1995, table 5.1 and figure 5.5"}                                                   },
    {"signature",
     draw_signature,       true,
     {"signature[:BYTES]", "the LogP signature, of small messages or of bulk",
      "Culler and others, LogP, figure 4"}                                                        },
    {"swap",
     draw_swaps,           true,
     {"swap[:rate][:ORDER.PROTOCOL][:BYTES]",
      "the fastest ways to swap a volume, or all of a protocol", "Worley, COMMTEST"}              },
    {"",
     draw_times,           true,
     {"UTILITY[,UTILITY...] or express",
      "time against message bytes, with the points and the interval; express: the patterns of "
      "Express",
      "Abandah 1995, figures 2.2 to 2.10, 3.1 to 3.6 and chapter 4; Balasundaram and others, "
      "figure 13.10"}                                                                             },
};

enum { KINDS = sizeof kinds / sizeof *kinds };

const struct picture_words *picture_words(size_t number)
{
    return number < KINDS ? &kinds[number].words : NULL;
}

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

double picture_number(const char *text, double otherwise)
{
    struct number_list asked = {0};
    double number = otherwise;
    if (text[0])
        number = number_list_parse(text, &asked) == NULL && asked.count == 1 ? asked.values[0]
                                                                             : (double)NAN;
    number_list_free(&asked);
    return number;
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
    FILE *script = memory_stream(&text, &size);
    struct picture picture = {.processors = request->processors};
    const struct kind *kind = kind_of(request->what, &picture.detail);
    int status = check_detail(kind, picture.detail, error);
    plot_begin(&picture.plot, script, request->path,
               request->title ? request->title : request->what);
    for (; picture.drawn < request->count && status == 0; picture.drawn++)
        status = kind->draw(&picture, &request->machines[picture.drawn], error);
    plot_end(&picture.plot);
    memory_stream_end(script);
    if (status == 0)
        return text;
    free(text);
    return NULL;
}
