#include "model/base/file_out.h"

#include "model/base/allocation.h"
#include "model/base/path.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int fail(struct file_out *out, int reason, struct error *error)
{
    const struct place place = place_at(out->path, 0, 0);
    file_out_drop(out);
    return error_at(error, place, "cannot be written: %s", strerror(reason));
}

int file_out_begin(struct file_out *out, const char *path, struct error *error)
{
    *out = (struct file_out){.path = path};
    out->target = path_to_write(path, error);
    if (!out->target)
        return -1;
    out->beside = memory_format("%s.part", out->target);
    out->stream = fopen(out->beside, "w");
    return out->stream ? 0 : fail(out, errno, error);
}

int file_out_finish(struct file_out *out, struct error *error)
{
    bool is_whole = fflush(out->stream) == 0 && !ferror(out->stream);
    is_whole = is_whole && fsync(fileno(out->stream)) == 0;
    const int reason = errno;
    const bool is_closed = fclose(out->stream) == 0;
    out->stream = NULL;
    return is_whole && is_closed ? 0 : fail(out, is_whole ? errno : reason, error);
}

int file_out_keep(struct file_out *out, struct error *error)
{
    if (out->stream && file_out_finish(out, error) != 0)
        return -1;
    if (rename(out->beside, out->target) != 0)
        return fail(out, errno, error);
    free(out->beside);
    out->beside = NULL;
    file_out_drop(out);
    return 0;
}

void file_out_drop(struct file_out *out)
{
    if (out->stream)
        fclose(out->stream);
    if (out->beside)
        unlink(out->beside);
    free(out->beside);
    free(out->target);
    *out = (struct file_out){0};
}
