test/fuzz/objects/model/segment/program/program_fields.o: \
  model/segment/program/program_fields.c \
  model/segment/program/program_fields.h model/base/record.h \
  model/base/names.h model/base/yaml_in.h model/base/error.h \
  model/base/yaml_out.h model/segment/program/program.h \
  model/base/expression.h model/node/node.h \
  model/segment/program/effort.h model/segment/program/origins.h \
  model/base/allocation.h model/segment/program/program_field_kinds.h
