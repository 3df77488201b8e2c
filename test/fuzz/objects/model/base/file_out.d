test/fuzz/objects/model/base/file_out.o: model/base/file_out.c \
  model/base/file_out.h model/base/error.h model/base/allocation.h \
  model/base/path.h
