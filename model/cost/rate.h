/* Transfer rates as the sources count them, each utility in its own way. */
#ifndef MODEL_COST_RATE_H
#define MODEL_COST_RATE_H

/* MB/s (10^6 bytes a second) where messages of so many bytes among so many processors take time_us:
   n / T of a message (Abandah, IBM SP2, section 2.3); 2n / T of an exchange, of each pair (Abandah,
   IBM SP2, section 2.4); p (p - 1) n / T, the total saturation bandwidth, where each sends to all
   others (Abandah, IBM SP2, section 2.7); else n / T. NAN where bytes or time are not above 0.
   Which it is the catalogue says (pattern.h). */
double rate_mb_per_s(const char *utility, double bytes, double processors, double time_us);

#endif
