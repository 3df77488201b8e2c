# FORECOST_REQUIRE(VARIABLE, PKG-CONFIG MODULE, DEBIAN PACKAGE)
# A library without which nothing is built; the message names the package to install.
AC_DEFUN([FORECOST_REQUIRE], [
  PKG_CHECK_MODULES([$1], [$2], [], [AC_MSG_ERROR([$2 not found: install the Debian package $3])])
])
