test/fuzz/objects/model/base/names.o: model/base/names.c \
  model/base/names.h model/base/printable.h
