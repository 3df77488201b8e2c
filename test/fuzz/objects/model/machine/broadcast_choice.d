test/fuzz/objects/model/machine/broadcast_choice.o: \
  model/machine/broadcast_choice.c model/machine/broadcast_choice.h \
  model/machine/broadcast.h model/cost/pattern.h model/base/error.h \
  model/cost/interval.h model/cost/patterns.h model/machine/machine.h \
  model/cost/cost.h model/base/record.h model/base/names.h \
  model/base/yaml_in.h model/base/yaml_out.h model/cost/basis.h \
  model/cost/route.h model/cost/rounds.h model/cost/tree.h \
  model/micro/logp.h model/micro/noise.h model/micro/overlap.h \
  model/micro/swap_summary.h model/micro/swap.h model/node/memory.h \
  model/node/node.h model/base/allocation.h
