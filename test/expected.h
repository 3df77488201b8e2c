/* What an enumeration of every element expects of the derived communication: the class of who sends
   how much to whom (rules "Single elements" and "Class of a turn"), and how often each class, size
   and group occurs. Shared by the tests that enumerate. */
#ifndef TEST_EXPECTED_H
#define TEST_EXPECTED_H

#include "model/segment/traffic/analysis.h"

/* How many elements go from each processor to each. */
struct pairs {
    int processors, stride;
    const int *count; /* borrowed; [to * stride + from]; what is to itself is not looked at */
};

struct expected {
    enum traffic_class class;
    double times, elements, group;
    double at_once; /* pairs, messages or groups, on average over the partners */
};

/* same: each source sends the same to all to which it sends anything. */
struct expected pairs_classify(const struct pairs *pairs, bool same);

/* Of neighbours along one grid dimension: messages to one after the other. */
struct expected pairs_shift(const struct pairs *pairs);

/* Single elements, one message each (rule "Single elements"). */
struct expected pairs_single(const struct pairs *pairs);

struct tally {
    size_t count;
    struct entry {
        enum traffic_class class;
        double elements, group, at_once, times;
    } entries[256];
};

void tally_add_expected(struct tally *tally, const struct expected *expected);

/* Everything that a demand uses; bytes of an element as given. */
void tally_add_demand(struct tally *tally, const struct demand *demand, double element_bytes);

/* Fails the test, with what it was of, where the two are not the same. */
void tally_compare(const struct tally *expected, const struct tally *derived, const char *of);

#endif
