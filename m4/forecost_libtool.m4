# FORECOST_LIBTOOL
# Libtool, for libforecost. What programs and the library have in common is compiled once: as the
# shared library needs it, or as the static one does where there is no shared one.
AC_DEFUN([FORECOST_LIBTOOL], [
  m4_ifdef([LT_INIT], [LT_INIT], [m4_fatal([no libtool: install the Debian package libtool])])
  COMPILE_ONCE=--tag=disable-static
  AS_IF([test "x$enable_shared" = xno], [COMPILE_ONCE=])
  AC_SUBST([COMPILE_ONCE])
  AC_CHECK_TOOL([OBJCOPY], [objcopy])
])
