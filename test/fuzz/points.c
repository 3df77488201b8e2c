/* Points: what is taken is written and read back equal. */
#include "model/fit/points.h"
#include "test/fuzz/target.h"

#include <string.h>

static char *written(const struct list *list, size_t *size)
{
    char *text = NULL;
    FILE *stream = open_memstream(&text, size);
    const struct point *points = list->items;
    points_write_header(stream);
    for (size_t i = 0; i < list->count; i++)
        points_write(stream, &points[i]);
    fclose(stream);
    return text;
}

static void require_round_trip(const struct list *list)
{
    struct list again = {0};
    struct error error;
    size_t size, size_again;
    char *text = written(list, &size);
    const struct input input = input_open(text, size);
    REQUIRE(points_read(input.path, &again, &error) == 0);
    char *text_again = written(&again, &size_again);
    REQUIRE(again.count == list->count);
    REQUIRE(size == size_again && memcmp(text, text_again, size) == 0);
    input_close(&input);
    free(again.items);
    free(text);
    free(text_again);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const struct input input = input_open(bytes, size);
    struct list list = {0};
    struct error error;
    if (points_read(input.path, &list, &error) == 0) {
        require_round_trip(&list);
    } else {
        require_message(&error);
        REQUIRE(list.count == 0);
    }
    free(list.items);
    input_close(&input);
    return 0;
}
