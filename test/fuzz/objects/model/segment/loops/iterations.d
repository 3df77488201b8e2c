test/fuzz/objects/model/segment/loops/iterations.o: \
  model/segment/loops/iterations.c model/segment/loops/iterations.h \
  model/segment/loops/inequalities.h model/segment/loops/nest.h \
  model/segment/loops/affine.h model/base/expression.h \
  model/base/error.h model/segment/program/program.h model/base/record.h \
  model/base/names.h model/base/yaml_in.h model/base/yaml_out.h \
  model/node/node.h model/segment/program/effort.h \
  model/segment/program/origins.h
