/* Check, in which an assertion that holds costs nothing. The library notes the place of each in a
   file, to tell the last one before a crash, with a system call: two thirds of the time of a test
   that asserts millions of times. A crash is found with the sanitizers or a debugger.

   What is drawn at random is drawn as often as seconds allow in make check, and all of it by the
   programs of make check-long, which are compiled with LONG. */
#ifndef TEST_CHECK_H
#define TEST_CHECK_H

#include <check.h>

#define _mark_point(file, line) ((void)(file), (void)(line))

#ifdef LONG
#define OFTEN(few, all) (all)
#else
#define OFTEN(few, all) (few)
#endif

#endif
