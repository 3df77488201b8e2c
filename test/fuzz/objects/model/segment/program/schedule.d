test/fuzz/objects/model/segment/program/schedule.o: \
  model/segment/program/schedule.c model/segment/program/schedule.h \
  model/segment/program/layout.h model/segment/program/distribution.h \
  model/base/error.h model/base/expression.h \
  model/segment/program/program.h model/base/record.h model/base/names.h \
  model/base/yaml_in.h model/base/yaml_out.h model/node/node.h \
  model/segment/program/effort.h model/segment/program/origins.h \
  model/base/allocation.h
