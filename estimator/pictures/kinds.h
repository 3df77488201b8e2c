/* The kinds of pictures. One more is one function here and one row in pictures.c. */
#ifndef ESTIMATOR_PICTURES_KINDS_H
#define ESTIMATOR_PICTURES_KINDS_H

#include "estimator/pictures/pictures.h"
#include "estimator/pictures/plot.h"
#include "model/records/record.h"

/* A picture that is being drawn, of its machines one after the other. */
struct picture {
    struct plot plot;
    const struct number_list *processors; /* asked; may be NULL */
    const char *detail;                   /* what followed the kind's name and its colon, or "" */
    size_t drawn;                         /* machines so far */
    bool several;                         /* patterns: series name theirs */
    int colours;                          /* used so far */
};

/* Draws one machine; axes are set with the first. */
typedef int picture_draw(struct picture *picture, const struct machine *machine,
                         struct error *error);

picture_draw draw_bound, draw_times, draw_rates, draw_accuracy, draw_broadcasts,
    draw_broadcast_sizes, draw_cpf, draw_distances, draw_logp, draw_logp_summary, draw_memory,
    draw_overlap, draw_overlap_loops, draw_overhead, draw_routines, draw_signature, draw_swaps;

/* Begins a series titled "MACHINE: format". */
bool picture_series(struct picture *picture, const struct machine *machine, enum plot_style style,
                    int like, const char *format, ...) __attribute__((format(printf, 5, 6)));

/* One cost at the most processors that it was trained for, against message bytes, with its points:
   "MACHINE: title, of which, model"; where is_rate, its rate (rate.h). */
void picture_cost(struct picture *picture, const struct machine *machine, const struct cost *cost,
                  const struct list *points, const char *title, const char *which, bool is_rate);

/* The number that a detail is, "64k" for one, or `otherwise` where there is none; NAN: it is not
   one number. */
double picture_number(const char *text, double otherwise);

/* "the table has no ..." */
int picture_missing(const struct machine *machine, const char *what, struct error *error);

#endif
