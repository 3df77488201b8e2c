test/fuzz/objects/model/micro/logp.o: model/micro/logp.c \
  model/micro/logp.h model/base/record.h model/base/names.h \
  model/base/yaml_in.h model/base/error.h model/base/yaml_out.h \
  model/base/allocation.h
