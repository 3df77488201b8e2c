test/fuzz/objects/model/cost/basis.o: model/cost/basis.c \
  model/cost/basis.h model/base/names.h
