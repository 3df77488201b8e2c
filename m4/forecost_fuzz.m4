# FORECOST_TSAN: whether the compiler has ThreadSanitizer, for the test of libforecost; not beside another.
AC_DEFUN([FORECOST_TSAN], [
  AC_MSG_CHECKING([for ThreadSanitizer])
  forecost_saved_CFLAGS=$CFLAGS
  CFLAGS="$CFLAGS -fsanitize=thread"
  AC_RUN_IFELSE([AC_LANG_PROGRAM()], [have_tsan=yes], [have_tsan=no], [have_tsan=no])
  CFLAGS=$forecost_saved_CFLAGS
  AC_MSG_RESULT([$have_tsan])
  AM_CONDITIONAL([HAVE_TSAN], [test "x$have_tsan" = xyes && test "x$enable_sanitizers" != xyes])
])

# FORECOST_FUZZ: whether clang can link its fuzzer, for make fuzz.
AC_DEFUN([FORECOST_FUZZ], [
  AC_ARG_VAR([CLANG], [clang, for make fuzz])
  AC_CHECK_PROGS([CLANG], [clang clang-14])
  AC_MSG_CHECKING([for libFuzzer])
  have_libfuzzer=no
  AS_IF([test -n "$CLANG"], [
    printf '%s\n' 'int LLVMFuzzerTestOneInput(const char *b, unsigned long n);' \
      'int LLVMFuzzerTestOneInput(const char *b, unsigned long n) { return !b && n; }' >conftest.c
    AS_IF([$CLANG -fsanitize=fuzzer,address,undefined -o conftest conftest.c >&AS_MESSAGE_LOG_FD 2>&1],
      [have_libfuzzer=yes])
    rm -f conftest conftest.c
  ])
  AC_MSG_RESULT([$have_libfuzzer])
  AM_CONDITIONAL([HAVE_LIBFUZZER], [test "x$have_libfuzzer" = xyes])
])
