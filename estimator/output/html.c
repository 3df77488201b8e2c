#include "estimator/output/html.h"

#include "config.h"
#include "model/base/printable.h"

#include <stdbool.h>
#include <string.h>

/* C0, DEL and C1. */
static bool is_control(uint32_t character)
{
    return character < 0x20 || (character >= 0x7f && character < 0xa0);
}

/* Puts the character at text, or what stands for it; returns how many bytes it has. */
static size_t put_character(FILE *page, const char *text)
{
    static const char special[] = "&<>\"'";
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    uint32_t character;
    const size_t bytes = utf8_decode(text, &character);
    const char *found = bytes == 1 ? strchr(special, *text) : NULL;
    if (bytes == 0)
        putc('?', page);
    else if (is_control(character))
        putc(' ', page);
    else if (found)
        fputs(entities[found - special], page);
    else
        fwrite(text, 1, bytes, page);
    return bytes > 0 ? bytes : 1;
}

void html_text(FILE *page, const char *text)
{
    while (*text)
        text += put_character(page, text);
}

void html_element(FILE *page, const char *element, const char *class, const char *text)
{
    fprintf(page, class ? "<%s class=\"%s\">" : "<%s>", element, class);
    html_text(page, text);
    fprintf(page, "</%s>\n", element);
}

void html_begin(FILE *page, const char *title, const char *style)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>",
          page);
    html_text(page, title);
    fprintf(page, "</title>\n<style>\n%s</style>\n</head>\n<body>\n", style);
}

void html_end(FILE *page)
{
    fputs("<footer>Made by estimator report, " PACKAGE_NAME " " PACKAGE_VERSION
          ". All of it is in this file; nothing is fetched.</footer>\n</body>\n</html>\n",
          page);
}
