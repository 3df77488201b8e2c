test/fuzz/objects/model/base/printable.o: model/base/printable.c \
  model/base/printable.h model/base/allocation.h
