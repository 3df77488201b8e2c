/* estimator explore: a full-screen page on which settings are changed with keys. The only user of
   ncurses. */
#include "estimator/commands/commands.h"
#include "estimator/explore/page.h"
#include "estimator/output/options.h"

#include "model/base/allocation.h"
#include "model/base/input.h"

#include <curses.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct options_face face = {
    .arguments = "TABLE... SEGMENT",
    .doc = "A page on the terminal: the candidates of SEGMENT with their costs, which follow as "
           "the machine, -p processors and the parameters (-D) are changed with keys. q leaves.",
    .takes = "pDaNM",
    .least = 2,
    .most = OPTIONS_ARGUMENTS,
    .has_sources = true,
};

enum { KEY_ESCAPE = 27, KEY_DELETE = 127 };

static const struct {
    int key;
    enum explorer_action action;
} keys[] = {
    {KEY_UP,        EXPLORER_UP                },
    {'k',           EXPLORER_UP                },
    {KEY_DOWN,      EXPLORER_DOWN              },
    {'j',           EXPLORER_DOWN              },
    {KEY_LEFT,      EXPLORER_LESS              },
    {'h',           EXPLORER_LESS              },
    {KEY_RIGHT,     EXPLORER_MORE              },
    {'l',           EXPLORER_MORE              },
    {'-',           EXPLORER_ONE_LESS          },
    {'+',           EXPLORER_ONE_MORE          },
    {'\t',          EXPLORER_NEXT_CANDIDATE    },
    {KEY_BTAB,      EXPLORER_PREVIOUS_CANDIDATE},
    {'\n',          EXPLORER_ACCEPT            },
    {'\r',          EXPLORER_ACCEPT            },
    {KEY_ENTER,     EXPLORER_ACCEPT            },
    {KEY_BACKSPACE, EXPLORER_ERASE             },
    {KEY_DELETE,    EXPLORER_ERASE             },
    {KEY_ESCAPE,    EXPLORER_CANCEL            },
};

static enum explorer_action action_of(int key)
{
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i].key == key)
            return keys[i].action;
    return EXPLORER_NONE;
}

/* ---- the screen ---- */

static void draw(const struct explorer *explorer, struct page *page)
{
    page_fill(page, (size_t)LINES, (size_t)COLS, explorer);
    erase();
    for (size_t i = 0; i < page->count; i++) {
        if (page->lines[i].strong)
            attron(A_BOLD);
        mvaddnstr((int)i, 0, page->lines[i].text, COLS);
        attroff(A_BOLD);
    }
    refresh();
}

static void run(struct explorer *explorer)
{
    struct page *page = memory_new(1, sizeof *page);
    for (int key = 0; key != 'q' && key != ERR; key = getch()) {
        if ((key >= '0' && key <= '9') || key == '.')
            explorer_type(explorer, (char)key);
        else
            explorer_act(explorer, action_of(key));
        draw(explorer, page);
    }
    free(page);
}

static int show(struct explorer *explorer, struct error *error)
{
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return error_set(error, "explore needs a terminal; see estimator rank");
    SCREEN *screen = newterm(NULL, stdout, stdin);
    if (!screen)
        return error_set(error, "this terminal (TERM) is not known: explore cannot use it");
    set_escdelay(50);
    cbreak();
    noecho();
    keypad(stdscr, true);
    curs_set(0);
    run(explorer);
    endwin();
    delscreen(screen);
    return EXIT_DONE;
}

/* ---- the command ---- */

static double processors_of(const struct options *options, const struct machine *machine)
{
    if (options->processors.count > 0)
        return options->processors.values[0];
    return isnan(machine->machine.processors) ? 2.0 : machine->machine.processors;
}

static int explore(const struct options *options, const struct machine *machines, size_t count,
                   struct error *error)
{
    struct program program;
    struct explorer explorer;
    if (options_program(options, count, &program, error) != 0)
        return -1;
    int status =
        explorer_make(&explorer, machines, count, &program, processors_of(options, machines),
                      options->definitions, options->definition_count, error);
    if (status == 0) {
        status = show(&explorer, error);
        explorer_free(&explorer);
    }
    program_free(&program);
    return status;
}

static int check_files(const struct options *options, struct error *error)
{
    for (size_t i = 0; i < options->count; i++)
        if (input_is_standard(options->arguments[i]))
            return error_set(error,
                             "explore has its keys from standard input: expected files, not -");
    return 0;
}

int cmd_explore(int argc, char **argv, struct error *error)
{
    struct options options;
    if (options_parse(&face, argc, argv, &options, error) != 0)
        return -1;
    const size_t wanted = options.count - 1;
    struct machine *machines = memory_new(wanted, sizeof *machines);
    size_t read = 0;
    int status = check_files(&options, error);
    while (read < wanted && status == 0) {
        status = options_machine(&options, read, &machines[read], error);
        read += status == 0;
    }
    if (status == 0)
        status = explore(&options, machines, wanted, error);
    while (read > 0)
        machine_free(&machines[--read]);
    free(machines);
    options_free(&options);
    return status;
}
