test/fuzz/objects/model/cost/route.o: model/cost/route.c \
  model/cost/route.h model/cost/rounds.h model/cost/tree.h \
  model/base/allocation.h
