test/fuzz/objects/model/segment/loops/affine.o: \
  model/segment/loops/affine.c model/segment/loops/affine.h \
  model/base/expression.h model/base/error.h
