test/fuzz/objects/model/base/record.o: model/base/record.c \
  model/base/record.h model/base/names.h model/base/yaml_in.h \
  model/base/error.h model/base/yaml_out.h model/base/allocation.h \
  model/base/number.h
