# FORECOST_WARNINGS: the warnings that every file passes.
AC_DEFUN([FORECOST_WARNINGS], [
  forecost_warnings="-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes"
  forecost_warnings="$forecost_warnings -Wmissing-prototypes -Wwrite-strings -Wvla -Wundef -Wformat=2"
  AM_CFLAGS="-std=c17 $forecost_warnings $forecost_bed_flags"
])

# FORECOST_WERROR: --enable-werror, as in CI.
AC_DEFUN([FORECOST_WERROR], [
  AC_ARG_ENABLE([werror], [AS_HELP_STRING([--enable-werror], [warnings are errors])])
  AS_IF([test "x$enable_werror" = xyes], [AM_CFLAGS="$AM_CFLAGS -Werror"])
])

# FORECOST_SANITIZERS: --enable-sanitizers, AddressSanitizer and UBSan.
AC_DEFUN([FORECOST_SANITIZERS], [
  AC_ARG_ENABLE([sanitizers], [AS_HELP_STRING([--enable-sanitizers], [AddressSanitizer and UBSan])])
  AS_IF([test "x$enable_sanitizers" = xyes], [
    forecost_sanitize="-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer"
    AM_CFLAGS="$AM_CFLAGS $forecost_sanitize"
    AM_LDFLAGS="$AM_LDFLAGS $forecost_sanitize"
  ])
  AM_CONDITIONAL([SANITIZERS], [test "x$enable_sanitizers" = xyes])
])

# FORECOST_COVERAGE: --enable-coverage, for make coverage.
AC_DEFUN([FORECOST_COVERAGE], [
  AC_ARG_ENABLE([coverage], [AS_HELP_STRING([--enable-coverage], [count executed lines])])
  AS_IF([test "x$enable_coverage" = xyes], [
    AM_CFLAGS="$AM_CFLAGS --coverage -O0"
    AM_LDFLAGS="$AM_LDFLAGS --coverage"
  ])
  AM_CONDITIONAL([COVERAGE], [test "x$enable_coverage" = xyes])
  AC_SUBST([AM_CFLAGS])
  AC_SUBST([AM_LDFLAGS])
])

# FORECOST_ALIGNED_LOOPS: loops that take as long wherever the compiler lets them lie. One of up to 64
# bytes that lies across the border of 64 took 1.4 times as long on one core (LU). And where the
# branch at its end lies across a border of 32 bytes, or ends there, Intel's cores of 2015 to 2019
# decode the loop anew in every iteration, 1.4 times as long again (Mitigations for Jump Conditional
# Code Erratum, 341810, section 2.1): the assembler keeps branches from there.
AC_DEFUN([FORECOST_ALIGNED_LOOPS], [
  ALIGNED_LOOPS=-falign-loops=64
  forecost_branches=-Wa,-mbranches-within-32B-boundaries
  AC_CACHE_CHECK([whether $CC takes $forecost_branches], [forecost_cv_branches], [
    forecost_cflags=$CFLAGS
    CFLAGS="$CFLAGS -Werror $forecost_branches"
    AC_COMPILE_IFELSE([AC_LANG_PROGRAM()], [forecost_cv_branches=yes], [forecost_cv_branches=no])
    CFLAGS=$forecost_cflags
  ])
  AS_IF([test "x$forecost_cv_branches" = xyes], [ALIGNED_LOOPS="$ALIGNED_LOOPS $forecost_branches"])
  AC_SUBST([ALIGNED_LOOPS])
])

# FORECOST_SUMMARY: what was decided, once, at the end.
AC_DEFUN([FORECOST_SUMMARY], [
  AC_MSG_NOTICE([trainer: ${MPICC:-not built}; describer: $have_libclang; simulated bed: ${SMPICC:-absent}; unit tests: $have_check; program tests: ${BATS:-absent}])
])
