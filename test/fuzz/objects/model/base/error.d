test/fuzz/objects/model/base/error.o: model/base/error.c \
  model/base/error.h model/base/printable.h
