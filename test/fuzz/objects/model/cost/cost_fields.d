test/fuzz/objects/model/cost/cost_fields.o: model/cost/cost_fields.c \
  model/cost/cost.h model/base/error.h model/base/record.h \
  model/base/names.h model/base/yaml_in.h model/base/yaml_out.h \
  model/cost/basis.h model/cost/route.h model/cost/rounds.h \
  model/cost/tree.h model/cost/form_fields.h
