# FORECOST_LIBCLANG
# libclang of LLVM 17 or later, for the describer alone: earlier ones do not tell operators apart.
# Debian's package has no llvm-config, so that its folders are looked through. The folder of mpi.h is
# what MPICC includes.
AC_DEFUN([FORECOST_LIBCLANG], [
  AC_ARG_VAR([LLVM_CONFIG], [llvm-config of LLVM 17 or later, for the describer])
  AC_ARG_WITH([libclang],
    [AS_HELP_STRING([--without-libclang], [do not build the describer, which reads C source])])
  have_libclang=no
  AS_IF([test "x$with_libclang" != xno], [
    forecost_folders=
    for forecost_version in 19 21 20 18 17; do
      forecost_folders="$forecost_folders /usr/lib/llvm-$forecost_version"
    done
    AS_IF([test -n "$LLVM_CONFIG"], [forecost_folders=`$LLVM_CONFIG --prefix`])
    AC_MSG_CHECKING([for libclang of LLVM 17 or later])
    forecost_saved_CFLAGS=$CFLAGS
    forecost_saved_LIBS=$LIBS
    for forecost_folder in $forecost_folders /usr /usr/local; do
      test $have_libclang = no && test -f $forecost_folder/include/clang-c/Index.h || continue
      LIBCLANG_CFLAGS="-isystem $forecost_folder/include"
      LIBCLANG_LIBS="-L$forecost_folder/lib -lclang -Wl,-rpath,$forecost_folder/lib"
      CFLAGS="$forecost_saved_CFLAGS $LIBCLANG_CFLAGS"
      LIBS="$LIBCLANG_LIBS $forecost_saved_LIBS"
      AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <clang-c/Index.h>]],
        [[return clang_getCursorBinaryOperatorKind(clang_getNullCursor());]])], [have_libclang=yes])
    done
    CFLAGS=$forecost_saved_CFLAGS
    LIBS=$forecost_saved_LIBS
    AC_MSG_RESULT([$have_libclang])
    AS_IF([test $have_libclang = no],
      [AC_MSG_WARN([the describer, which reads C source, is not built: install the Debian package libclang-19-dev])])
  ])
  MPI_FOLDER=
  AS_IF([test -n "$MPICC"],
    [MPI_FOLDER=`$MPICC -show 2>/dev/null | tr ' ' '\n' | sed -n 's/^-I//p' | sed 1q`])
  AC_SUBST([LIBCLANG_CFLAGS])
  AC_SUBST([LIBCLANG_LIBS])
  AC_SUBST([MPI_FOLDER])
  AM_CONDITIONAL([HAVE_LIBCLANG], [test $have_libclang = yes])
])
