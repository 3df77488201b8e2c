test/fuzz/objects/model/segment/loops/inequalities.o: \
  model/segment/loops/inequalities.c model/segment/loops/inequalities.h \
  model/base/allocation.h model/base/number.h
