test/fuzz/objects/model/cost/interval.o: model/cost/interval.c \
  model/cost/interval.h model/cost/basis.h model/base/names.h \
  model/cost/grid.h
