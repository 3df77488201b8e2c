test/fuzz/objects/model/node/memory.o: model/node/memory.c \
  model/node/memory.h model/base/record.h model/base/names.h \
  model/base/yaml_in.h model/base/error.h model/base/yaml_out.h
