test/fuzz/objects/model/base/csv_in.o: model/base/csv_in.c \
  model/base/csv_in.h model/base/error.h model/base/input.h
