test/fuzz/objects/model/base/path.o: model/base/path.c model/base/path.h \
  model/base/error.h model/base/allocation.h
