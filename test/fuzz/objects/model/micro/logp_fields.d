test/fuzz/objects/model/micro/logp_fields.o: model/micro/logp_fields.c \
  model/micro/logp.h model/base/record.h model/base/names.h \
  model/base/yaml_in.h model/base/error.h model/base/yaml_out.h
