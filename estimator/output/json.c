#include "estimator/output/json.h"

#include <math.h>

void json_text(FILE *stream, const char *text)
{
    if (!text) {
        fputs("null", stream);
        return;
    }
    putc('"', stream);
    for (; *text; text++) {
        const unsigned char byte = (unsigned char)*text;
        if (byte == '"' || byte == '\\')
            fprintf(stream, "\\%c", byte);
        else if (byte < ' ')
            fprintf(stream, "\\u%04x", byte);
        else
            putc(byte, stream);
    }
    putc('"', stream);
}

void json_number(FILE *stream, double value)
{
    if (isfinite(value))
        fprintf(stream, "%.6g", value);
    else
        fputs("null", stream);
}
