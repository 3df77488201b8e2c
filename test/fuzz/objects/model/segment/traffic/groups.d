test/fuzz/objects/model/segment/traffic/groups.o: \
  model/segment/traffic/groups.c model/segment/traffic/groups.h \
  model/base/allocation.h
