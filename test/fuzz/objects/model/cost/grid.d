test/fuzz/objects/model/cost/grid.o: model/cost/grid.c model/cost/grid.h
