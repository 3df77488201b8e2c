test/fuzz/objects/model/segment/program/distribution.o: \
  model/segment/program/distribution.c \
  model/segment/program/distribution.h model/base/error.h \
  model/base/expression.h
