test/fuzz/objects/model/node/bound.o: model/node/bound.c \
  model/node/bound.h model/node/memory.h model/base/record.h \
  model/base/names.h model/base/yaml_in.h model/base/error.h \
  model/base/yaml_out.h model/node/node.h model/base/allocation.h \
  model/node/cache.h
