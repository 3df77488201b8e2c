test/fuzz/objects/model/base/literals.o: model/base/literals.c \
  model/base/literals.h model/base/expression.h model/base/error.h \
  model/base/allocation.h model/base/number.h
