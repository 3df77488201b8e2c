test/fuzz/objects/test/fuzz/points.o: test/fuzz/points.c \
  model/fit/points.h model/base/error.h model/base/record.h \
  model/base/names.h model/base/yaml_in.h model/base/yaml_out.h \
  model/cost/cost.h model/cost/basis.h model/cost/route.h \
  model/cost/rounds.h model/cost/tree.h model/fit/fit.h \
  test/fuzz/target.h
