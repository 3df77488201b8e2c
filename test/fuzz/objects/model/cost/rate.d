test/fuzz/objects/model/cost/rate.o: model/cost/rate.c model/cost/rate.h
