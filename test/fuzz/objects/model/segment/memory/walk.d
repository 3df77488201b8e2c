test/fuzz/objects/model/segment/memory/walk.o: \
  model/segment/memory/walk.c model/segment/memory/walk.h \
  model/segment/memory/loops.h model/node/bound.h model/node/memory.h \
  model/base/record.h model/base/names.h model/base/yaml_in.h \
  model/base/error.h model/base/yaml_out.h model/node/node.h \
  model/segment/loops/reference.h model/segment/loops/nest.h \
  model/segment/loops/affine.h model/base/expression.h \
  model/segment/program/program.h model/segment/program/effort.h \
  model/segment/program/origins.h model/segment/program/layout.h \
  model/segment/program/distribution.h model/segment/memory/trips.h \
  model/node/cache.h model/node/strided.h \
  model/segment/memory/footprint.h
