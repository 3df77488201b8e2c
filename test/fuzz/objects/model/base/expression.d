test/fuzz/objects/model/base/expression.o: model/base/expression.c \
  model/base/expression.h model/base/error.h model/base/allocation.h \
  model/base/literals.h model/base/names.h
