/* The one level of confidence of all intervals that are printed: 90 of 100 cases lie between their
   ends. Tables keep 95th percentiles of errors, which become that here. */
#ifndef MODEL_COST_CONFIDENCE_H
#define MODEL_COST_CONFIDENCE_H

#define CONFIDENCE 0.90

/* Laws of the normal distribution: so many standard deviations from the middle lie 90, 95 and 50 of
   100 cases. */
static const double confidence_deviations = 1.6448536269514722;
static const double deviations_of_p95 = 1.959963984540054;
static const double deviations_of_median = 0.6744897501960817;

#endif
