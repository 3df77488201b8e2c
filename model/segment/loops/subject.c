#include "model/segment/loops/subject.h"

#include "model/base/allocation.h"
#include "model/segment/loops/dependence.h"
#include "model/segment/loops/tiling.h"

#include <stdlib.h>

int subject_make(struct subject *subject, const struct program *program, struct scope *scope,
                 struct error *error)
{
    const struct segment *segments = program->segments.items;
    *subject = (struct subject){.program = program, .scope = scope};
    subject->instances = memory_new(program->segments.count, sizeof *subject->instances);
    for (size_t i = 0; i < program->segments.count; i++) {
        if (instances_make(&subject->instances[i], program, &segments[i], scope, error) != 0) {
            subject_free(subject);
            return -1;
        }
        tiling_undo(&subject->instances[i], false);
        dependence_place(&subject->instances[i]);
        tiling_undo(&subject->instances[i], true);
    }
    return 0;
}

void subject_free(struct subject *subject)
{
    for (size_t i = 0; subject->instances && i < subject->program->segments.count; i++)
        list_free(&instance_record, &subject->instances[i]);
    free(subject->instances);
    *subject = (struct subject){0};
}
