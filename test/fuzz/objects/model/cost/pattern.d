test/fuzz/objects/model/cost/pattern.o: model/cost/pattern.c \
  model/cost/pattern.h model/base/error.h model/cost/interval.h \
  model/cost/patterns.h model/cost/cost.h model/base/record.h \
  model/base/names.h model/base/yaml_in.h model/base/yaml_out.h \
  model/cost/basis.h model/cost/route.h model/cost/rounds.h \
  model/cost/tree.h
