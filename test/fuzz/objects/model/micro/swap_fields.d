test/fuzz/objects/model/micro/swap_fields.o: model/micro/swap_fields.c \
  model/micro/swap_summary.h model/micro/swap.h model/base/record.h \
  model/base/names.h model/base/yaml_in.h model/base/error.h \
  model/base/yaml_out.h
