/* What was derived of messages, reductions and work under other layouts of the same subject on the
   same grid. Each depends on how one or two arrays lie, and on no others: of all combinations of
   layouts that are asked for one after the other, most ask for what was derived before. */
#ifndef MODEL_SEGMENT_TRAFFIC_REMEMBERED_H
#define MODEL_SEGMENT_TRAFFIC_REMEMBERED_H

#include "model/base/lookup.h"
#include "model/segment/loops/work.h"
#include "model/segment/traffic/analysis.h"
#include "model/segment/traffic/message.h"

enum { REMEMBERED_WORDS = 1024 };

/* All that a derivation depends on. */
struct remembered_key {
    size_t count; /* more than REMEMBERED_WORDS: there were too many to tell */
    uint64_t words[REMEMBERED_WORDS];
};

/* Zeroed = empty. */
struct remembered {
    struct lookup keys;
    struct remembered_item {
        bool known;
        double steps;        /* of the program's effort that it took */
        size_t first, count; /* of demands */
        struct shares shares;
    } * items; /* owned */
    size_t room;
    struct analysis demands; /* of all items, its other lists are empty */
    size_t uses;             /* of those demands */
};

/* What a message's demands depend on, where no halo spares it. prefix: of their causes, a literal.
 */
void remembered_message(struct remembered_key *key, const struct message *message,
                        const char *prefix, const struct layout *layout);

/* What the demands of a reduction depend on. */
void remembered_reduction(struct remembered_key *key, const struct instance *instance,
                          const struct layout *layout);

/* What work_shares depend on. */
void remembered_work(struct remembered_key *key, const struct instance *instance, int synchronous,
                     const struct layout *layout);

/* The item of the key; NULL: it cannot be remembered. Where it is known, and there is effort left
   for it, its steps are taken and *known set. Borrowed until the next call. */
struct remembered_item *remembered_find(struct remembered *remembered,
                                        const struct remembered_key *key, struct effort *effort,
                                        bool *known);

/* Adds the item's demands to an analysis. */
void remembered_add(const struct remembered *remembered, const struct remembered_item *item,
                    struct analysis *analysis);

/* Keeps the demands of an analysis from number `first` on as the item's. */
void remembered_keep(struct remembered *remembered, struct remembered_item *item,
                     const struct analysis *analysis, size_t first);

/* Makes it empty. */
void remembered_free(struct remembered *remembered);

#endif
