test/fuzz/objects/model/node/memory_fields.o: model/node/memory_fields.c \
  model/node/memory.h model/base/record.h model/base/names.h \
  model/base/yaml_in.h model/base/error.h model/base/yaml_out.h
