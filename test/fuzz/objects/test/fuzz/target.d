test/fuzz/objects/test/fuzz/target.o: test/fuzz/target.c \
  test/fuzz/target.h model/base/error.h
