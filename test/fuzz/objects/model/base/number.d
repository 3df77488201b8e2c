test/fuzz/objects/model/base/number.o: model/base/number.c \
  model/base/number.h model/base/allocation.h
