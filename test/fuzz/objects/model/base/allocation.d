test/fuzz/objects/model/base/allocation.o: model/base/allocation.c \
  model/base/allocation.h
