test/fuzz/objects/model/micro/overlap_fields.o: \
  model/micro/overlap_fields.c model/micro/overlap.h model/base/record.h \
  model/base/names.h model/base/yaml_in.h model/base/error.h \
  model/base/yaml_out.h
