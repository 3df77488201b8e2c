test/fuzz/objects/model/machine/things.o: model/machine/things.c \
  model/machine/things.h model/machine/machine.h model/cost/cost.h \
  model/base/error.h model/base/record.h model/base/names.h \
  model/base/yaml_in.h model/base/yaml_out.h model/cost/basis.h \
  model/cost/route.h model/cost/rounds.h model/cost/tree.h \
  model/micro/logp.h model/micro/noise.h model/micro/overlap.h \
  model/micro/swap_summary.h model/micro/swap.h model/node/memory.h \
  model/node/node.h model/base/allocation.h
