test/fuzz/objects/model/base/yaml_out.o: model/base/yaml_out.c \
  model/base/yaml_out.h model/base/allocation.h model/base/number.h \
  model/base/printable.h
