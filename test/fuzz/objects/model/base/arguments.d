test/fuzz/objects/model/base/arguments.o: model/base/arguments.c \
  model/base/arguments.h model/base/error.h model/base/allocation.h \
  model/base/names.h
