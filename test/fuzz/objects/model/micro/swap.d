test/fuzz/objects/model/micro/swap.o: model/micro/swap.c \
  model/micro/swap.h model/base/record.h model/base/names.h \
  model/base/yaml_in.h model/base/error.h model/base/yaml_out.h
