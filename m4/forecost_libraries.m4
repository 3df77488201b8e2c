# FORECOST_REQUIRE(VARIABLE, PKG-CONFIG MODULE, DEBIAN PACKAGE)
# A library without which nothing is built; the message names the package to install.
AC_DEFUN([FORECOST_REQUIRE], [
  PKG_CHECK_MODULES([$1], [$2], [], [AC_MSG_ERROR([$2 not found: install the Debian package $3])])
])

# FORECOST_STATIC(VARIABLE, FUNCTION OF IT)
# VARIABLE_START_LIBS: the library's static form where there is one that links, else VARIABLE_LIBS.
# For the estimator, whose short commands take longer to map and to relocate shared libraries than
# for anything else.
AC_DEFUN([FORECOST_STATIC], [
  AC_ARG_ENABLE([static-libraries],
    [AS_HELP_STRING([--disable-static-libraries], [link the estimator with shared libraries, though it then starts later])])
  $1_START_LIBS=`AS_ECHO([" $$1_LIBS "]) | sed 's/ -l\(@<:@^ @:>@*\)/ -l:lib\1.a/g; s/-l:libm\.a/-lm/'`
  AC_MSG_CHECKING([whether $2 links from a static library])
  forecost_saved_LIBS=$LIBS
  LIBS="$$1_START_LIBS $LIBS"
  AS_IF([test "x$enable_static_libraries" = xno], [forecost_static=no],
    [AC_LINK_IFELSE([AC_LANG_CALL([], [$2])], [forecost_static=yes], [forecost_static=no])])
  LIBS=$forecost_saved_LIBS
  AC_MSG_RESULT([$forecost_static])
  AS_IF([test $forecost_static = no], [$1_START_LIBS=$$1_LIBS])
  AC_SUBST([$1_START_LIBS])
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

# FORECOST_D3
# D3: the plotting library of the report's pages, which are written with all of it; "none" without.
AC_DEFUN([FORECOST_D3], [
  AC_ARG_WITH([d3], [AS_HELP_STRING([--with-d3=FILE], [d3.min.js, of d3 5 or later, for the pages of estimator report])])
  AC_MSG_CHECKING([for d3.min.js])
  D3=none
  AS_CASE(["x$with_d3"],
    [xno], [],
    [x|xyes], [AS_IF([test -r /usr/share/nodejs/d3/dist/d3.min.js], [D3=/usr/share/nodejs/d3/dist/d3.min.js])],
    [D3=$with_d3
     AS_IF([test -r "$D3"], [], [AC_MSG_ERROR([$D3 cannot be read: --with-d3 names d3.min.js])])])
  AC_MSG_RESULT([$D3])
  AS_IF([test "x$D3" = xnone && test "x$with_d3" != xno],
    [AC_MSG_WARN([d3 not found: estimator report will refuse; install the Debian package node-d3])])
  AC_SUBST([D3])
])
