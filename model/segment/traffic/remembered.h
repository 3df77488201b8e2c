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
void remembered_work(struct remembered_key *key, const struct instance *instance,
                     const struct waits *waits, const struct layout *layout);

/* One derivation on its way. */
struct recollection {
    struct remembered *remembered;
    struct remembered_item *item; /* NULL: it cannot be remembered */
    bool known;                   /* and its steps are taken */
    struct effort *effort;
    double left; /* of the effort, when it began */
    struct analysis *analysis;
    size_t first; /* number of its demands there */
};

/* Before what depends on the key is derived for an analysis: it is known, where there is effort
   left for it, or else to be derived and ended. Until then no other may begin. effort: NULL: no
   limit. */
struct recollection remembered_begin(struct remembered *remembered,
                                     const struct remembered_key *key, struct effort *effort,
                                     struct analysis *analysis);

/* Adds the demands of what is known to the analysis. */
void remembered_add(const struct recollection *begun);

/* Keeps what was derived, unless the status is an error's. */
void remembered_end(const struct recollection *begun, int status);

/* Makes it empty. */
void remembered_free(struct remembered *remembered);

#endif
