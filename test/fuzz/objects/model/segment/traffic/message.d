test/fuzz/objects/model/segment/traffic/message.o: \
  model/segment/traffic/message.c model/segment/traffic/message.h \
  model/segment/loops/instance.h model/segment/loops/coupling.h \
  model/segment/loops/home.h model/segment/loops/reference.h \
  model/segment/loops/nest.h model/segment/loops/affine.h \
  model/base/expression.h model/base/error.h \
  model/segment/program/program.h model/base/record.h model/base/names.h \
  model/base/yaml_in.h model/base/yaml_out.h model/node/node.h \
  model/segment/program/effort.h model/segment/program/origins.h \
  model/segment/program/layout.h model/segment/program/distribution.h \
  model/segment/traffic/needs.h
