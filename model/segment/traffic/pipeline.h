/* Rule "Pipelines": a loop that carries a dependence along a distributed dimension. Each processor
   does a strip of another loop and sends it on; the strips follow one another through the
   processors. */
#ifndef MODEL_SEGMENT_TRAFFIC_PIPELINE_H
#define MODEL_SEGMENT_TRAFFIC_PIPELINE_H

#include "model/segment/traffic/message.h"
#include "model/segment/traffic/shift.h"

enum { PIPELINE_MESSAGES = 8 };

/* What travels on with a strip. */
struct strip_message {
    double bytes;               /* for one value of the strips' loop */
    enum pieces one, some, all; /* of a strip of one value, of several, of all */
    double apart, side;         /* of its line: by how much the numbers of neighbours differ, 0: not
                                   known; how many processors it goes through */
};

struct pipeline {
    const struct loop *band;    /* the outermost of the two loops: all in it goes through */
    const struct loop *carrier; /* the loop that carries the dependence */
    const struct loop *strips;  /* the loop that is cut into strips; NULL: there is none */
    int grid_dimension;         /* along which the strips travel */
    double apart;  /* by how much the numbers of neighbours along it differ; 0: not known */
    double runs;   /* how often the band runs */
    double active; /* A: processors that have any of the carrying loop; A + B - 1 where the strips
                      travel along two grid dimensions at once */
    double fill;   /* stages until the last of those is reached, on average over the runs */
    double lines;  /* of processors, each with a pipeline of its own at the same time */
    double outer;  /* values of the strips' loop on the busiest processor */
    double strip;  /* w as told; 0: the best */
    double chain;  /* all processors' work, along the grid dimension, over the busiest's */
    size_t message_count;
    struct strip_message messages[PIPELINE_MESSAGES];
    /* The strips' loop may carry a dependence along another grid dimension: a wavefront. */
    double across;       /* processors along that; 1: none */
    double across_bytes; /* that go from one to the next of those, in all */
    enum pieces across_pieces;
    char reads[100]; /* that it carries, as written, as many as fit */
    char along[20];  /* "0", "0 and 1": the grid dimensions that it goes along */
    char at[120];    /* of a demand (analysis.h); filled there */
    struct place place;
};

extern const struct record pipeline_record; /* pipelines own nothing */

/* Whether the message makes a pipeline under the layout, and if so which. Errors: a strip that is
   not a whole number from 0 on; bounds. */
int pipeline_find(struct pipeline *pipeline, bool *found, const struct message *message,
                  const struct list *instances, const struct layout *layout, struct error *error);

/* Joins two pipelines of the same band: messages that travel together, or along two grid
   dimensions. False where they cannot be one. */
bool pipeline_join(struct pipeline *pipeline, const struct pipeline *other);

/* How many stages each of the segment's pipelines is filled in, where the segment says how soon the
   next of its repetitions enters: all of the first, and so many of each other one. Errors: of the
   formula. */
int pipelines_fill(struct list *pipelines, const struct segment *segment,
                   const struct program *program, struct scope *scope, double repeat,
                   struct error *error);

/* "u[i-1][j] pipelined along grid dimension 0". Returns text. */
char *pipeline_print(const struct pipeline *pipeline, char *text, size_t size);

/* How a message lies in memory with a strip of so many values. */
enum pieces pipeline_pieces(const struct pipeline *pipeline, const struct strip_message *message,
                            double width);

#endif
