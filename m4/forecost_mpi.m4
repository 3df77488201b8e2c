# FORECOST_MPI
# The compiler and launcher of the trainer. The estimator is never compiled with them.
AC_DEFUN([FORECOST_MPI], [
  AC_ARG_VAR([MPICC], [compiler of MPI programs, for the trainer])
  AC_ARG_VAR([MPIEXEC], [launcher of MPI programs])
  AC_ARG_WITH([mpi], [AS_HELP_STRING([--without-mpi], [build the estimator alone])], [], [with_mpi=yes])
  AS_IF([test "x$with_mpi" != xno], [
    AC_CHECK_PROGS([MPICC], [mpicc])
    AC_CHECK_PROGS([MPIEXEC], [mpiexec mpirun])
    AS_IF([test -z "$MPICC"],
      [AC_MSG_ERROR([no mpicc: install the Debian packages mpich and libmpich-dev, or configure --without-mpi])])
    AC_MSG_CHECKING([whether $MPICC compiles an MPI program])
    forecost_saved_CC=$CC
    CC=$MPICC
    AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>]], [[MPI_Init(0, 0); return MPI_Finalize();]])],
      [AC_MSG_RESULT([yes])],
      [AC_MSG_RESULT([no])
       AC_MSG_ERROR([$MPICC cannot compile MPI: install the Debian package libmpich-dev])])
    CC=$forecost_saved_CC
  ])
  # SimGrid loads a program once a rank, as a shared object, and would share its large allocations.
  forecost_bed_flags=
  AS_CASE([$MPICC], [*smpicc], [forecost_bed_flags="-fPIC -DSMPI_NO_OVERRIDE_MALLOC"])
  # The simulated MPI loads no library before itself.
  AM_CONDITIONAL([SHIM], [test "x$with_mpi" != xno && test -z "$forecost_bed_flags"])
  AM_CONDITIONAL([TRAINER], [test "x$with_mpi" != xno])
])

# FORECOST_SMPI
# SimGrid's simulated MPI: the test bed whose truth is known. Tests that need it are skipped without it.
AC_DEFUN([FORECOST_SMPI], [
  AC_ARG_VAR([SMPICC], [compiler of SimGrid's simulated MPI, for tests])
  AC_ARG_VAR([SMPIRUN], [launcher of SimGrid's simulated MPI, for tests])
  AC_ARG_VAR([CXX], [C++ compiler, for the platform of the simulated bed])
  AC_CHECK_PROGS([SMPICC], [smpicc])
  AC_CHECK_PROGS([SMPIRUN], [smpirun])
  AC_CHECK_PROGS([CXX], [g++ c++ clang++])
  AM_CONDITIONAL([HAVE_SMPI], [test -n "$SMPICC" && test -n "$SMPIRUN" && test -n "$CXX"])
])
