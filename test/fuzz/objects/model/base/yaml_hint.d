test/fuzz/objects/model/base/yaml_hint.o: model/base/yaml_hint.c \
  model/base/yaml_hint.h
