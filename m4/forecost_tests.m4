# FORECOST_TESTS
# Unit tests are written with Check, tests of whole programs with bats.
AC_DEFUN([FORECOST_TESTS], [
  PKG_CHECK_MODULES([CHECK], [check], [have_check=yes],
    [have_check=no; AC_MSG_WARN([make check needs the Debian package check])])
  AC_CHECK_PROGS([BATS], [bats])
  AS_IF([test -z "$BATS"], [AC_MSG_WARN([make check needs the Debian package bats])])
  AM_CONDITIONAL([UNIT_TESTS], [test "x$have_check" = xyes])
  AM_CONDITIONAL([PROGRAM_TESTS], [test -n "$BATS"])
])
