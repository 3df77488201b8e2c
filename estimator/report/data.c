#include "estimator/report/data.h"

#include "model/base/allocation.h"

#include <stdlib.h>

void data_begin(struct data *data)
{
    *data = (struct data){0};
    data->json = memory_stream(&data->text, &data->size);
}

/* C0 is escaped in every JSON; what JSON allows and a page does not: <, DEL, and C1 in UTF-8. */
static size_t put_escaped(const char *at, FILE *page)
{
    const unsigned char byte = (unsigned char)at[0], next = (unsigned char)at[1];
    if (byte == '<' || byte == 0x7f)
        fprintf(page, "\\u%04x", byte);
    else if (byte == 0xc2 && next >= 0x80 && next < 0xa0)
        fprintf(page, "\\u%04x", next);
    else
        putc(byte, page);
    return byte == 0xc2 && next >= 0x80 && next < 0xa0 ? 2 : 1;
}

void data_end(struct data *data, FILE *page)
{
    memory_stream_end(data->json);
    fputs("<script type=\"application/json\" id=\"data\">\n", page);
    for (const char *at = data->text; *at; at += put_escaped(at, page))
        ;
    fputs("\n</script>\n", page);
    free(data->text);
    *data = (struct data){0};
}
