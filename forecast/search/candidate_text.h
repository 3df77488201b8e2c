/* Candidates as descriptions have them. */
#ifndef FORECAST_SEARCH_CANDIDATE_TEXT_H
#define FORECAST_SEARCH_CANDIDATE_TEXT_H

#include "model/segment/program/program.h"

/* A candidate as it would stand in a description, in one line; to be freed. */
char *candidate_text(const struct candidate *candidate);

#endif
