test/fuzz/objects/model/cost/rate.o: model/cost/rate.c model/cost/rate.h \
  model/cost/pattern.h model/base/error.h model/cost/interval.h \
  model/cost/patterns.h
