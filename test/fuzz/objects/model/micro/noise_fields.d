test/fuzz/objects/model/micro/noise_fields.o: model/micro/noise_fields.c \
  model/micro/noise.h model/base/record.h model/base/names.h \
  model/base/yaml_in.h model/base/error.h model/base/yaml_out.h
