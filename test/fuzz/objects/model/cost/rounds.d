test/fuzz/objects/model/cost/rounds.o: model/cost/rounds.c \
  model/cost/rounds.h model/cost/grid.h
