test/fuzz/objects/model/base/yaml_tree.o: model/base/yaml_tree.c \
  model/base/yaml_tree.h model/base/yaml_in.h model/base/error.h \
  model/base/allocation.h
