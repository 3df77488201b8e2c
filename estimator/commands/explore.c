/* estimator explore: a full-screen page on which settings are changed with keys. The only user of
   ncurses. */
#include "estimator/commands/commands.h"
#include "estimator/explore/page.h"
#include "estimator/output/options.h"
#include "forecast/source/source.h"
#include "model/base/allocation.h"
#include "model/base/input.h"
#include "model/records/yaml_text.h"

#include <curses.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct options_face face = {
    .arguments = "TABLE... SEGMENT...",
    .example = "explore machines/sp2-mpl.yaml samples/jacobi/jacobi.yaml",
    .doc = "A page on the terminal: the candidates of SEGMENT with their costs and the intervals, "
           "which follow as the machine, -p processors and the parameters (-D) are changed with "
           "keys. n shows the next of several SEGMENTs, q leaves.",
    .takes = "pDaNMyk",
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

/* ---- signals: whatever stops or ends the program, the terminal is left as it was ---- */

static volatile sig_atomic_t came; /* 0: none that was not dealt with */

static void remember(int number)
{
    came = number;
}

/* Without SA_RESTART, so that getch returns. */
static void catch_signals(void)
{
    static const int signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP};
    const struct sigaction action = {.sa_handler = remember};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
}

/* What it would have done, had it not been caught. */
static void obey(int number)
{
    came = 0;
    signal(number, SIG_DFL);
    raise(number);
}

/* ---- keys ---- */

/* The next key; 'q' when there will be none. ncurses' own way of being stopped forgets what arrows
   send until the key after the next. */
static int next_key(void)
{
    int key = getch();
    while (came == SIGTSTP) {
        endwin();
        obey(SIGTSTP);
        catch_signals();
        refresh();
        flushinp(); /* in which getch leaves that it was interrupted */
        key = getch();
    }
    return key == ERR || came != 0 ? 'q' : key;
}

static void run(struct explorer explorers[], size_t count)
{
    struct page *page = memory_new(1, sizeof *page);
    size_t at = 0;
    for (int key = 0; key != 'q'; key = next_key()) {
        if (key == 'n')
            at = (at + 1) % count;
        else if ((key >= '0' && key <= '9') || key == '.')
            explorer_type(&explorers[at], (char)key);
        else
            explorer_act(&explorers[at], action_of(key));
        draw(&explorers[at], page);
    }
    free(page);
}

static int show(struct explorer explorers[], size_t count, struct error *error)
{
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return error_set(error, "explore needs a terminal; see estimator rank");
    SCREEN *screen = newterm(NULL, stdout, stdin);
    if (!screen)
        return error_set(error, "this terminal (TERM) is not known: explore cannot use it");
    catch_signals();
    set_escdelay(50);
    cbreak();
    noecho();
    keypad(stdscr, true);
    curs_set(0);
    run(explorers, count);
    endwin();
    delscreen(screen);
    if (came != 0)
        obey(came);
    return EXIT_DONE;
}

/* ---- the command ---- */

static double processors_of(const struct options *options, const struct machine *machine)
{
    if (options->processors.count > 0)
        return options->processors.values[0];
    return machine_all_processors(machine);
}

/* What is read of the arguments. */
struct inputs {
    struct machine *machines;
    struct program *programs;
    struct explorer *explorers; /* one a program */
    size_t machine_count, program_count, explorer_count;
};

static int check_files(const struct options *options, struct error *error)
{
    for (size_t i = 0; i < options->count; i++)
        if (input_is_standard(options->arguments[i]))
            return error_set(error,
                             "explore has its keys from standard input: expected files, not -");
    return 0;
}

/* Whether an argument is no table. */
static int is_program(const char *path, bool *is, struct error *error)
{
    char *text;
    size_t bytes;
    *is = source_is(path);
    if (*is)
        return 0;
    if (yaml_read_text(path, &text, &bytes, error) != 0)
        return -1;
    const int status = program_recognise(path, text, bytes, is, error);
    free(text);
    return status;
}

/* The tables stand first, and the last argument is a description. */
static int read_all(struct inputs *inputs, const struct options *options, struct error *error)
{
    bool is = false;
    int status = 0;
    struct options any = *options;
    any.any_processors = true;
    for (size_t i = 0; i < options->count && status == 0; i++) {
        if (!is && i > 0 && i + 1 < options->count)
            status = is_program(options->arguments[i], &is, error);
        is |= i + 1 == options->count;
        if (status == 0 && is) {
            status = options_program(&any, i, &inputs->programs[inputs->program_count], error);
            inputs->program_count += status == 0;
        } else if (status == 0) {
            status = options_machine(options, i, &inputs->machines[i], error);
            inputs->machine_count += status == 0;
        }
    }
    return status;
}

static int make_explorers(struct inputs *inputs, const struct options *options, struct error *error)
{
    const double processors = processors_of(options, inputs->machines);
    for (size_t i = 0; i < inputs->program_count; i++) {
        if (explorer_make(&inputs->explorers[i], inputs->machines, inputs->machine_count,
                          &inputs->programs[i], processors, options->definitions,
                          options->definition_count, error) != 0)
            return -1;
        inputs->explorers[i].number = i + 1;
        inputs->explorers[i].of = inputs->program_count;
        inputs->explorer_count++;
    }
    return 0;
}

static void inputs_free(struct inputs *inputs)
{
    while (inputs->explorer_count > 0)
        explorer_free(&inputs->explorers[--inputs->explorer_count]);
    while (inputs->program_count > 0)
        program_free(&inputs->programs[--inputs->program_count]);
    while (inputs->machine_count > 0)
        machine_free(&inputs->machines[--inputs->machine_count]);
    free(inputs->explorers);
    free(inputs->programs);
    free(inputs->machines);
}

int cmd_explore(int argc, char **argv, struct error *error)
{
    struct options options;
    if (options_parse(&face, argc, argv, &options, error) != 0)
        return -1;
    struct inputs inputs = {
        .machines = memory_new(options.count, sizeof *inputs.machines),
        .programs = memory_new(options.count, sizeof *inputs.programs),
        .explorers = memory_new(options.count, sizeof *inputs.explorers),
    };
    int status = check_files(&options, error);
    if (status == 0)
        status = read_all(&inputs, &options, error);
    if (status == 0)
        status = make_explorers(&inputs, &options, error);
    if (status == 0)
        status = show(inputs.explorers, inputs.explorer_count, error);
    inputs_free(&inputs);
    options_free(&options);
    return status;
}
