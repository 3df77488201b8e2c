test/fuzz/objects/model/base/yaml_text.o: model/base/yaml_text.c \
  model/base/yaml_text.h model/base/error.h model/base/allocation.h \
  model/base/input.h model/base/yaml_in.h
