test/fuzz/objects/model/base/yaml_in.o: model/base/yaml_in.c \
  model/base/yaml_in.h model/base/error.h model/base/allocation.h \
  model/base/input.h model/base/number.h model/base/yaml_hint.h \
  model/base/yaml_text.h model/base/yaml_tree.h
