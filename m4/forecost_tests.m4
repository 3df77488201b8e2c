# FORECOST_TESTS
# Unit tests are written with Check, tests of whole programs with bats.
AC_DEFUN([FORECOST_TESTS], [
  PKG_CHECK_MODULES([CHECK], [check], [have_check=yes],
    [have_check=no; AC_MSG_WARN([make check needs the Debian package check])])
  AC_CHECK_PROGS([BATS], [bats])
  AS_IF([test -z "$BATS"], [AC_MSG_WARN([make check needs the Debian package bats])])
  AC_CHECK_PROGS([PYTHON3], [python3])
  AC_CHECK_PROGS([XMLLINT], [xmllint])
  AS_IF([test -z "$PYTHON3" || test -z "$XMLLINT"],
    [AC_MSG_WARN([without the Debian packages python3 and libxml2-utils make check skips some exports])])
  AC_CHECK_PROGS([MANDOC], [mandoc])
  AS_IF([test -z "$MANDOC"], [AC_MSG_WARN([make check looks at the manual pages with the Debian package mandoc])])
  AM_CONDITIONAL([UNIT_TESTS], [test "x$have_check" = xyes])
  AM_CONDITIONAL([PROGRAM_TESTS], [test -n "$BATS"])
])
