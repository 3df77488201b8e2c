test/fuzz/objects/model/node/strided.o: model/node/strided.c \
  model/node/strided.h model/node/cache.h model/node/memory.h \
  model/base/record.h model/base/names.h model/base/yaml_in.h \
  model/base/error.h model/base/yaml_out.h
