/* Structs in and out of YAML maps, driven by tables: one row a key serves reading, checking,
   writing and releasing. A new key in a file is one member and one row. */
#ifndef MODEL_RECORDS_RECORD_H
#define MODEL_RECORDS_RECORD_H

#include "model/base/names.h"
#include "model/records/yaml_in.h"
#include "model/records/yaml_out.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* A growing array of structs of one type. Zeroed = empty. */
struct list {
    void *items; /* owned, with what the items own */
    size_t count;
};

/* What the member is in C, and the value in YAML. */
enum field_kind {
    FIELD_TEXT,   /* char *, owned; absent = NULL */
    FIELD_NUMBER, /* double; absent = the row's `absent` (NAN unless said otherwise); may have a
                     suffix (number.h) where the key says "bytes" */
    FIELD_WHOLE,  /* double holding a whole number */
    FIELD_FLAG,   /* bool: true or false; absent = false */
    FIELD_CHOICE, /* int: index into choices; absent = 0 */
    FIELD_RECORD, /* a struct within the struct, a map in the file */
    FIELD_OPTION, /* pointer to a struct, owned; absent = NULL */
    FIELD_LIST,   /* struct list of structs, a list of maps; absent = empty */
    FIELD_OWN     /* whatever the row's functions make of it */
};

struct record;

struct field {
    const char *key;
    enum field_kind kind;
    size_t offset;              /* of the member */
    bool required;              /* an error when absent */
    bool bounded;               /* least and most hold */
    double least, most;         /* FIELD_NUMBER, FIELD_WHOLE */
    double absent;              /* value that means absent; only where has_absent */
    bool has_absent;            /* else NAN means absent */
    const char *const *choices; /* FIELD_CHOICE, ends with NULL */
    const struct record *of;    /* FIELD_RECORD, FIELD_OPTION, FIELD_LIST */
    bool flow;                  /* written in one line */
    bool in_text; /* FIELD_RECORD of numbers, none required: written as one text (pairs.h), and a
                     map of the same is read too */
    /* FIELD_OWN. read is called when the key is present; write writes the value, after
       is_absent said that there is one; release frees what the member owns (may be NULL);
       begin sets the member to "absent" where zero bytes do not (may be NULL). */
    int (*read)(struct yaml_node value, void *member, struct error *error);
    void (*write)(struct yaml_out *out, const void *member);
    bool (*is_absent)(const void *member);
    void (*release)(void *member);
    void (*begin)(void *member);
};

/* A kind of struct. place_offset: where its struct place stands, or NO_PLACE. The place is stored
   without its file name, which would not live as long as the struct. */
struct record {
    const char *name; /* what it is, for messages: "a region" */
    size_t size;
    const struct field *fields;
    size_t count;
    size_t place_offset;
    bool flow; /* lists of these hold one-line maps */
};

#define NO_PLACE ((size_t)-1)
#define RECORD_COUNT(fields) (sizeof(fields) / sizeof *(fields))

/* A row of a table of fields: the member of struct type, whose name is the key, or has another
   one; then what else the row says: FIELD(region, bytes_upto, .kind = FIELD_WHOLE, AT_LEAST(0)) */
#define FIELD(type, member, ...) FIELD_AS(#member, type, member, __VA_ARGS__)
#define FIELD_AS(name, type, member, ...)                                                          \
    {                                                                                              \
        .key = name, .offset = offsetof(struct type, member), __VA_ARGS__                          \
    }
#define AT_LEAST(value) .bounded = true, .least = (value), .most = INFINITY
#define WITHIN(lowest, highest) .bounded = true, .least = (lowest), .most = (highest)

/* The initialiser of a record of struct type from its rows; then its place_offset, and what else:
   RECORD_FROM("node", node, node_fields, NO_PLACE) */
#define RECORD_FROM(label, type, rows, ...)                                                        \
    {                                                                                              \
        .name = label, .size = sizeof(struct type), .fields = rows, .count = RECORD_COUNT(rows),   \
        .place_offset = __VA_ARGS__                                                                \
    }

/* Sets every member to what absent means. */
void record_begin(const struct record *record, void *target);

/* Fills target (of record->size bytes, any content) from a map. Unknown and missing keys, wrong
   types and numbers out of range are errors at their place. On error target owns nothing. */
int record_read(const struct record *record, struct yaml_node map, void *target,
                struct error *error);

/* Writes target as a map; members that are absent are left out. */
void record_write(const struct record *record, struct yaml_out *out, const void *target);

/* Releases what target owns and sets it to absent. */
void record_free(const struct record *record, void *target);

/* Whether the member that a row tells of is absent in target. */
bool field_is_absent(const struct field *field, const void *target);

/* Fills the member that a row of one value, FIELD_TEXT to FIELD_CHOICE, tells of from its text,
   which stands at place. */
int field_read_text(const struct field *field, const char *text, struct place place, void *target,
                    struct error *error);

/* Room for one more item of the record's size at the end of the list, begun with record_begin.
   Earlier pointers into the list become invalid. */
void *list_add(const struct record *record, struct list *list);

/* Releases the items and the list, which is empty then. */
void list_free(const struct record *record, struct list *list);

/* Reads a list of maps. */
int list_read(const struct record *record, struct yaml_node node, struct list *list,
              struct error *error);

#endif
