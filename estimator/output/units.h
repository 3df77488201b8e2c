/* Numbers as people read them: times and sizes have three significant digits, and a unit that fits.
   CSV and JSON have the same numbers in full, in the unit that the column's name ends with. */
#ifndef ESTIMATOR_OUTPUT_UNITS_H
#define ESTIMATOR_OUTPUT_UNITS_H

enum { UNITS_TEXT = 64 };

/* "480 ns", "35.5 ms", "0 us"; "-" where the time is not finite. Returns text. */
const char *units_time(double time_us, char text[UNITS_TEXT]);

/* "33.8 to 37.3 ms": both ends in the unit of the larger one; empty where an end is not finite.
   Returns text. */
const char *units_time_range(double low_us, double high_us, char text[UNITS_TEXT]);

/* "512 B", "64 KiB", "2040 B": a size is only rounded where it has more than five digits and is no
   whole number of its unit. "-" where it is not finite. Returns text. */
const char *units_bytes(double bytes, char text[UNITS_TEXT]);

/* "16", "28.4", "4.075": whole numbers in full, others with five digits, as published tables have
   them; "-" where it is not finite. Returns text. */
const char *units_number(double number, char text[UNITS_TEXT]);

#endif
