test/fuzz/objects/model/segment/program/program.o: \
  model/segment/program/program.c model/segment/program/program.h \
  model/base/error.h model/base/expression.h model/base/record.h \
  model/base/names.h model/base/yaml_in.h model/base/yaml_out.h \
  model/node/node.h model/segment/program/effort.h \
  model/segment/program/origins.h model/base/allocation.h \
  model/base/input.h model/base/number.h model/base/yaml_text.h \
  model/segment/program/program_check.h \
  model/segment/program/program_fields.h
