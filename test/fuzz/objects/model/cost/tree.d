test/fuzz/objects/model/cost/tree.o: model/cost/tree.c model/cost/tree.h
