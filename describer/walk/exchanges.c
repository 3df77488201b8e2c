#include "describer/walk/exchanges.h"

#include <string.h>

void exchange_note(struct describer *describer, struct binding *binding,
                   const struct binding *before, const struct syntax *to, struct place place)
{
    const struct binding now = *binding;
    struct exchange exchange = {before->value, now.value, place};
    if (before->is_read)
        *before->is_read = true;
    if (before->value.kind == VALUE_NONE) { /* nobody had asked for it: it is its own array */
        *binding = *before;
        binding->is_read = NULL;
        exchange.before = evaluate_leniently(describer, to);
        *binding = now;
    }
    if (exchange.before.kind != now.value.kind ||
        (now.value.kind == VALUE_ELEMENT
             ? exchange.before.reference.array == now.value.reference.array
             : now.value.kind != VALUE_OBJECT || !strcmp(exchange.before.text, now.value.text)))
        return;
    describer->exchanges =
        arena_more(describer->arena, describer->exchanges, (size_t)describer->exchange_count,
                   sizeof *describer->exchanges);
    describer->exchanges[describer->exchange_count++] = exchange;
}
