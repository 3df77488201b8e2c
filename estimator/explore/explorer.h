/* What `estimator explore` shows and changes: settings, the ranking that follows from them, and the
   page that shows both. Knows no terminal. */
#ifndef ESTIMATOR_EXPLORE_EXPLORER_H
#define ESTIMATOR_EXPLORE_EXPLORER_H

#include "forecast/rank/ranking.h"

enum { SETTINGS_MOST = 34, TYPED_MOST = 24 };

/* Settings in the order of the page: the machine, p, then the program's parameters. */
enum { SETTING_MACHINE, SETTING_PROCESSORS, SETTING_FIRST_PARAMETER };

struct explorer {
    const struct machine *machines; /* borrowed */
    size_t machine_count, machine;
    const struct program *program; /* borrowed */
    size_t number, of;             /* 1 of 2: which of several programs that is, for the page */
    size_t setting_count, focus;
    struct setting {
        const char *name; /* borrowed */
        double value;     /* of p and parameters */
        bool changed;     /* else the description says */
    } settings[SETTINGS_MOST];
    size_t candidate; /* the one whose breakdown is shown */
    char typed[TYPED_MOST];
    bool ranked; /* the ranking holds something */
    struct ranking ranking;
    char message[400]; /* why there is none */
    char *remarks;     /* lines, on what does not fit; owned, NULL: none */
};

/* What a key asks for. */
enum explorer_action {
    EXPLORER_NONE,
    EXPLORER_UP,
    EXPLORER_DOWN,
    EXPLORER_LESS, /* half, or the machine before */
    EXPLORER_MORE, /* twice, or the next */
    EXPLORER_ONE_LESS,
    EXPLORER_ONE_MORE,
    EXPLORER_NEXT_CANDIDATE,
    EXPLORER_PREVIOUS_CANDIDATE,
    EXPLORER_ACCEPT, /* the number that was typed */
    EXPLORER_ERASE,  /* its last digit */
    EXPLORER_CANCEL, /* all of it */
};

/* definitions: "NAME=VALUE". Errors: definitions of what is no parameter, more parameters than fit.
   On success release with explorer_free; machines and program must outlive it. It is 1 of 1. */
int explorer_make(struct explorer *explorer, const struct machine *machines, size_t machine_count,
                  const struct program *program, double processors, const char *const *definitions,
                  size_t definition_count, struct error *error);
void explorer_free(struct explorer *explorer);

/* Does it, and ranks again where something changed. */
void explorer_act(struct explorer *explorer, enum explorer_action action);

/* A digit or point of a number. */
void explorer_type(struct explorer *explorer, char character);

#endif
