# FORECOST_REQUIRE(VARIABLE, PKG-CONFIG MODULE, DEBIAN PACKAGE)
# A library without which nothing is built; the message names the package to install.
AC_DEFUN([FORECOST_REQUIRE], [
  PKG_CHECK_MODULES([$1], [$2], [], [AC_MSG_ERROR([$2 not found: install the Debian package $3])])
])

# FORECOST_HWLOC
# What the system tells of caches and cores; without it the C library is asked.
AC_DEFUN([FORECOST_HWLOC], [
  AC_ARG_WITH([hwloc], [AS_HELP_STRING([--without-hwloc], [ask the C library for caches and cores])])
  AS_IF([test "x$with_hwloc" != xno], [
    PKG_CHECK_MODULES([HWLOC], [hwloc],
      [AC_DEFINE([HAVE_HWLOC], [1], [Define to 1 if hwloc is there.])],
      [AC_MSG_WARN([hwloc not found: the table will have no topology; install the Debian package libhwloc-dev])])
  ])
])
