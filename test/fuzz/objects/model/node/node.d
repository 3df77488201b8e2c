test/fuzz/objects/model/node/node.o: model/node/node.c model/node/node.h \
  model/base/record.h model/base/names.h model/base/yaml_in.h \
  model/base/error.h model/base/yaml_out.h
