test/fuzz/objects/model/segment/program/origins.o: \
  model/segment/program/origins.c model/segment/program/origins.h \
  model/base/yaml_in.h model/base/error.h model/base/allocation.h
