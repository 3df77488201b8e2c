test/fuzz/objects/model/node/window.o: model/node/window.c \
  model/node/window.h model/node/node.h model/base/record.h \
  model/base/names.h model/base/yaml_in.h model/base/error.h \
  model/base/yaml_out.h
