test/fuzz/objects/model/base/record_csv.o: model/base/record_csv.c \
  model/base/record_csv.h model/base/record.h model/base/names.h \
  model/base/yaml_in.h model/base/error.h model/base/yaml_out.h \
  model/base/allocation.h model/base/csv_in.h model/base/number.h
