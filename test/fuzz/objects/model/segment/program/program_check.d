test/fuzz/objects/model/segment/program/program_check.o: \
  model/segment/program/program_check.c \
  model/segment/program/program_check.h model/segment/program/program.h \
  model/base/error.h model/base/expression.h model/base/record.h \
  model/base/names.h model/base/yaml_in.h model/base/yaml_out.h \
  model/node/node.h model/segment/program/effort.h \
  model/segment/program/origins.h
