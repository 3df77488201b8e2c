#include "describer/state/describer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void describer_fail(struct describer *describer, struct place place, const char *format, ...)
{
    if (describer->has_failed || describer->split.loop) /* which is gone through again, in two */
        return;
    char text[sizeof describer->error->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    error_fill(describer->error, place.file ? place : describer->here, "%s", text);
    describer->has_failed = true;
}

struct position describer_position(const struct describer *describer)
{
    return (struct position){.loop = describer->loop,
                             .function_loop = describer->function_loop,
                             .jumping = describer->jumping,
                             .part = describer->part,
                             .body = describer->body,
                             .here = describer->here,
                             .told = describer->told,
                             .way = describer->way,
                             .entered = describer->entered,
                             .unrolled = describer->unrolled,
                             .is_recording = describer->is_recording,
                             .is_noting = describer->is_noting,
                             .has_returned = describer->has_returned,
                             .is_too_long = describer->is_too_long,
                             .is_in_head = describer->is_in_head,
                             .assigned_from = describer->assigned_from};
}

void describer_go_back(struct describer *describer, const struct position *position)
{
    describer->loop = position->loop;
    describer->function_loop = position->function_loop;
    describer->jumping = position->jumping;
    describer->part = position->part;
    describer->body = position->body;
    describer->here = position->here;
    describer->told = position->told;
    describer->way = position->way;
    describer->entered = position->entered;
    describer->unrolled = position->unrolled;
    describer->is_recording = position->is_recording;
    describer->is_noting = position->is_noting;
    describer->has_returned = position->has_returned;
    describer->is_too_long = position->is_too_long;
    describer->is_in_head = position->is_in_head;
    describer->assigned_from = position->assigned_from;
}

void describer_remark(struct describer *describer, struct place place, const char *format, ...)
{
    struct error remark;
    char text[sizeof remark.text], line[sizeof remark.text + sizeof remark.file + 40];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    error_fill(&remark, place, "%s", text);
    error_line(&remark, line, sizeof line);
    for (int i = 0; i < describer->remark_count; i++)
        if (!strcmp(describer->remarks[i], line))
            return;
    describer->remarks = arena_more(describer->arena, describer->remarks,
                                    (size_t)describer->remark_count, sizeof *describer->remarks);
    describer->remarks[describer->remark_count++] =
        arena_copy(describer->arena, line, strlen(line));
}

bool describer_is_stopped(const struct describer *describer)
{
    return describer->has_failed || describer->split.loop || describer->has_returned ||
           describer->is_too_long || describer->jumping.jump != JUMP_NONE;
}

struct part *describer_part(struct describer *describer)
{
    if (describer->part)
        return describer->part;
    struct outline *outline = outline_add(describer->arena, describer->body, OUTLINE_PART);
    struct part *part = arena_take(describer->arena, 1, sizeof *part);
    part->loop = describer->loop;
    part->begin = part->end = describer->graph.count;
    part->place = describer->here;
    outline->part = part;
    outline->place = describer->here;
    describer->part = part;
    return part;
}

struct outline *describer_enter(struct describer *describer, enum outline_kind kind)
{
    struct outline *outline = outline_add(describer->arena, describer->body, kind);
    outline->place = describer->here;
    describer->body = outline;
    describer->part = NULL;
    return outline;
}

void describer_leave(struct describer *describer)
{
    describer->body = describer->body->up;
    describer->part = NULL;
}
