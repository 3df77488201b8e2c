test/fuzz/objects/model/fit/summary.o: model/fit/summary.c \
  model/fit/summary.h model/base/allocation.h
