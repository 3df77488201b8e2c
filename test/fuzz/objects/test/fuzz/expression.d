test/fuzz/objects/test/fuzz/expression.o: test/fuzz/expression.c \
  model/base/expression.h model/base/error.h test/fuzz/target.h
