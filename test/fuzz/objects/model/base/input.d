test/fuzz/objects/model/base/input.o: model/base/input.c \
  model/base/input.h
