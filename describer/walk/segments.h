/* Segments: what is described, one after the other. */
#ifndef DESCRIBER_WALK_SEGMENTS_H
#define DESCRIBER_WALK_SEGMENTS_H

#include "describer/walk/evaluate.h"

/* Goes through a statement as the segment of a directive. */
void segment_begin(struct describer *describer, struct directive *directive,
                   const struct syntax *syntax);

/* Goes through a statement between scop and endscop, which belong to one segment. Returns whether
   it stands there. */
bool segment_in_region(struct describer *describer, const struct syntax *syntax);

/* A whole function as a segment. */
void segment_of_function(struct describer *describer, const struct function *function,
                         struct directive *directive);

/* A statement of main as a segment, called as main is. */
void segment_of_statement(struct describer *describer, const struct syntax *syntax);

/* What depends on the loops around a segment that begins is no longer known. */
void segment_forget_indices(struct describer *describer);
/* Behind it they are known again, as they were before it, unless the statement assigns them. */
void segment_remember_indices(struct describer *describer, const struct snapshot *before,
                              const struct syntax *syntax);

/* Whether a segment within does not say itself how often it runs. */
bool segment_needs_repeat(const struct describer *describer, const struct syntax *syntax);

/* A statement that is never executed: its directives are not missed. */
void segment_pass(struct describer *describer, const struct syntax *syntax);

/* The `call` directives before what begins there: segments of messages alone. */
void segment_calls(struct describer *describer, const struct syntax *syntax);
void segment_call(struct describer *describer, struct directive *directive);

/* Whether a segment begins within the statement; in the function. */
bool segment_within(const struct describer *describer, const struct syntax *syntax);
bool segment_in_function(struct describer *describer, const struct function *function);

/* Calls whose size grows with the index of a loop around them are all as large as their mean. */
void segments_take_means(struct describer *describer);

/* The directive of a side file that says that all of a function is a segment; NULL: none. */
struct directive *segment_directive_of(struct describer *describer,
                                       const struct function *function);

#endif
