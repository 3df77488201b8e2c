#include "model/machine/unread.h"

#include "model/base/allocation.h"
#include "model/base/yaml_text.h"
#include "model/machine/cost_check.h"

#include <stdlib.h>
#include <string.h>

struct unread {
    char *text;
    size_t count;
    struct yaml_item_text *items;
    struct list *costs; /* of each item: one struct cost, or none as long as it is text */
    bool failed;
};

static const struct yaml_item_text *find(const struct unread *unread, const char *utility)
{
    for (size_t i = 0; i < unread->count; i++)
        if (strcmp(unread->items[i].word, utility) == 0)
            return &unread->items[i];
    return NULL;
}

static bool is_each_once(const struct unread *unread)
{
    for (size_t i = 0; i < unread->count; i++)
        if (find(unread, unread->items[i].word) != &unread->items[i])
            return false;
    return true;
}

struct unread *unread_begin(const char *text, size_t bytes)
{
    struct unread *unread = memory_new(1, sizeof *unread);
    unread->text = memory_new(bytes + 1, 1);
    memcpy(unread->text, text, bytes);
    unread->count =
        yaml_items_as_text(unread->text, bytes, "communication", "- utility: ", &unread->items);
    if (unread->count > 0 && unread->count <= MACHINE_UTILITIES_MOST && is_each_once(unread)) {
        unread->costs = memory_new(unread->count, sizeof *unread->costs);
        return unread;
    }
    unread_free(unread);
    return NULL;
}

/* What is wrong is told of the whole table, read again. */
static int read_item(const struct yaml_item_text *item, struct list *costs)
{
    struct error untold;
    struct yaml_file *file;
    if (yaml_open_text(&file, "", item->text, item->bytes, &untold) != 0)
        return -1;
    const int status = list_read(&cost_record, yaml_root(file), costs, &untold);
    yaml_close(file);
    return status;
}

const struct cost *unread_cost(struct unread *unread, const struct machine *machine,
                               const char *utility)
{
    const struct yaml_item_text *item = find(unread, utility);
    struct error untold;
    if (!item)
        return NULL;
    struct list *costs = &unread->costs[item - unread->items];
    if (costs->count == 0 &&
        (read_item(item, costs) != 0 || cost_check(machine, costs->items, &untold) != 0)) {
        unread->failed = true;
        list_free(&cost_record, costs);
    }
    return costs->items;
}

bool unread_failed(const struct unread *unread)
{
    return unread->failed;
}

void unread_free(struct unread *unread)
{
    if (!unread)
        return;
    for (size_t i = 0; unread->costs && i < unread->count; i++)
        list_free(&cost_record, &unread->costs[i]);
    if (unread->count > 0)
        free(unread->items);
    free(unread->costs);
    free(unread->text);
    free(unread);
}
