test/fuzz/objects/model/segment/program/program_lint.o: \
  model/segment/program/program_lint.c \
  model/segment/program/program_lint.h model/segment/program/program.h \
  model/base/error.h model/base/expression.h model/base/record.h \
  model/base/names.h model/base/yaml_in.h model/base/yaml_out.h \
  model/node/node.h model/segment/program/effort.h \
  model/segment/program/origins.h model/base/allocation.h \
  model/base/number.h model/cost/pattern.h model/cost/interval.h \
  model/cost/patterns.h model/segment/program/program_usage.h
