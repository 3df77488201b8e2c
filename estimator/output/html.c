#include "estimator/output/html.h"

#include "config.h"
#include "model/base/printable.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static const char style[] =
    ":root{color-scheme:light dark;--ink:#1c1d20;--soft:#5b6069;--line:#d9dce1;--paper:#fff;"
    "--card:#f5f6f8;--mark:#0072b2}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#e6e7ea;--soft:#a2a8b3;--line:#3a3e46;"
    "--paper:#17181b;--card:#212328;--mark:#56b4e9}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0 auto;max-width:72rem;padding:1.5rem;font:16px/1.5 system-ui,sans-serif;"
    "color:var(--ink);background:var(--paper)}\n"
    "h1{margin:0;font-size:1.9rem}h2{margin:2.5rem 0 .75rem;padding-top:.75rem;border-top:2px "
    "solid "
    "var(--mark);font-size:1.5rem}h3{margin:2rem 0 .5rem;font-size:1.15rem}\n"
    ".lead,figcaption,footer{color:var(--soft)}\n"
    "nav{margin:1rem 0}nav a{margin-right:1rem}a{color:var(--mark)}\n"
    ".tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(13rem,1fr));gap:.75rem;"
    "margin:1rem 0;padding:0;list-style:none}\n"
    ".tiles li{padding:.75rem 1rem;background:var(--card);border:1px solid var(--line);"
    "border-radius:.5rem}.tiles b{display:block;font-size:1.25rem;font-variant-numeric:"
    "tabular-nums}.tiles span{color:var(--soft);font-size:.9rem}\n"
    ".table{overflow-x:auto}\n"
    "table{border-collapse:collapse;font-size:.875rem;font-variant-numeric:tabular-nums}\n"
    "th,td{padding:.25rem .6rem;text-align:left;vertical-align:top;border-bottom:1px solid "
    "var(--line)}td{white-space:nowrap}.text{white-space:normal;overflow-wrap:anywhere;min-width:"
    "20rem}\n"
    "th{color:var(--soft);font-weight:600}.number{text-align:right}\n"
    ".pictures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(28rem,100%),1fr));"
    "gap:1rem}\n"
    "figure{margin:.75rem 0}img{display:block;width:100%;height:auto}figcaption{font-size:.9rem}\n"
    "details{margin:.25rem 0}summary{cursor:pointer}\n"
    "footer{margin-top:3rem;font-size:.875rem}\n"
    "@media print{body{max-width:none;padding:0;font-size:11px}nav{display:none}figure,.tiles "
    "li,tr{break-inside:avoid}h2,h3{break-after:avoid}.table{overflow:visible}td{white-space:"
    "normal}}"
    "\n";

/* Within a picture gnuplot's black follows the page. */
static const char picture_style[] =
    "<style>@media (prefers-color-scheme:dark){[fill=\"black\"]{fill:#e6e7ea}[stroke=\"black\"]"
    "{stroke:#e6e7ea}[stroke=\"rgb(200, 200, 200)\"]{stroke:#3a3e46}"
    "[stroke=\"rgb(  0,   0,   0)\"]{stroke:#e6e7ea}[stroke=\"rgb(  0, 114, 178)\"],"
    "[color=\"rgb(  0, 114, 178)\"]{stroke:#4aa3df;color:#4aa3df}}</style>";

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

/* As an address of type data: letters and what needs no escape stay. */
static void put_address(FILE *page, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        const unsigned char byte = (unsigned char)text[i];
        if (isalnum(byte) || strchr("-_.!~*(),;:/?@=$", byte))
            putc(byte, page);
        else
            fprintf(page, "%%%02X", byte);
    }
}

void html_picture(FILE *page, const char *svg, const char *caption)
{
    const char *root = strstr(svg, "<svg"), *inside = root ? strchr(root, '>') : NULL;
    if (!inside)
        return;
    inside++;
    fputs("<figure><img width=\"800\" height=\"500\" src=\"data:image/svg+xml,", page);
    put_address(page, root, (size_t)(inside - root));
    put_address(page, picture_style, strlen(picture_style));
    put_address(page, inside, strlen(inside));
    fputs("\" alt=\"", page);
    html_text(page, caption);
    fputs("\"><figcaption>", page);
    html_text(page, caption);
    fputs("</figcaption></figure>\n", page);
}

void html_begin(FILE *page, const char *title)
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
          ". Everything on this page is in the machine tables.</footer>\n</body>\n</html>\n",
          page);
}
