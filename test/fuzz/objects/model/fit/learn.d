test/fuzz/objects/model/fit/learn.o: model/fit/learn.c model/fit/learn.h \
  model/cost/cost.h model/base/error.h model/base/record.h \
  model/base/names.h model/base/yaml_in.h model/base/yaml_out.h \
  model/cost/basis.h model/cost/route.h model/cost/rounds.h \
  model/cost/tree.h model/base/allocation.h model/fit/packets.h \
  model/fit/fit.h
