test/fuzz/objects/model/node/node_fields.o: model/node/node_fields.c \
  model/base/allocation.h model/node/node.h model/base/record.h \
  model/base/names.h model/base/yaml_in.h model/base/error.h \
  model/base/yaml_out.h
