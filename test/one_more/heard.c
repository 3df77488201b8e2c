/* Hearsay: a line "# heard", then bytes and us in each line. */
#include "estimator/import/import.h"

static const struct import_test told = {.name = "told", .pattern = &pattern_point_to_point};

bool import_is_heard(const struct text *text)
{
    return text_find(text, "# heard") < text->count;
}

int import_heard(const struct importer *importer, struct error *error)
{
    struct import_series *series = import_begin(importer, &told, 0, "hearsay");
    series->processors = 2.0;
    series->statistic = STATISTIC_MEAN;
    for (size_t i = 1; i < importer->text->count; i++) {
        const struct words words = text_words(importer->text->lines[i]);
        struct point point = import_point(0.0);
        if (words.count != 2)
            return error_at(error, text_place(importer->text, i, 1), "expected bytes and us");
        if (word_whole(importer->text, i, &words.items[0], "bytes", &point.bytes, error) != 0 ||
            word_number(importer->text, i, &words.items[1], "us", &point.mean_us, error) != 0)
            return -1;
        point.half_width_us = word_rounding(&words.items[1]);
        if (import_add(importer, series, i, &point, error) != 0)
            return -1;
    }
    return 0;
}
