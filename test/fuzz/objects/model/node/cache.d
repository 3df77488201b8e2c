test/fuzz/objects/model/node/cache.o: model/node/cache.c \
  model/node/cache.h model/node/memory.h model/base/record.h \
  model/base/names.h model/base/yaml_in.h model/base/error.h \
  model/base/yaml_out.h model/base/number.h
