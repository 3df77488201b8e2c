test/fuzz/objects/test/fuzz/segment.o: test/fuzz/segment.c \
  model/segment/program/schedule.h model/segment/program/layout.h \
  model/segment/program/distribution.h model/base/error.h \
  model/base/expression.h model/segment/program/program.h \
  model/base/record.h model/base/names.h model/base/yaml_in.h \
  model/base/yaml_out.h model/node/node.h model/segment/program/effort.h \
  model/segment/program/origins.h model/segment/traffic/analysis.h \
  model/segment/loops/subject.h model/segment/loops/instance.h \
  model/segment/loops/coupling.h model/segment/loops/home.h \
  model/segment/loops/reference.h model/segment/loops/nest.h \
  model/segment/loops/affine.h model/segment/traffic/pipeline.h \
  model/segment/traffic/message.h model/segment/traffic/needs.h \
  model/segment/traffic/shift.h model/segment/traffic/traffic.h \
  model/cost/pattern.h model/cost/interval.h model/cost/patterns.h \
  model/segment/traffic/groups.h test/fuzz/target.h
