# shellcheck shell=bash
# The keys that the program reads, from its tables of fields: for tests of the documents.

operation_keys() {
    sed -nE '/^static const char \*const names/s/"([a-z]+)"/\n\1\n/gp' "$FORECOST_SOURCE/model/node/node_fields.c" |
        grep -xE '[a-z]+'
}

# listed: the words on standard input as messages list them.
listed() {
    paste -sd, | sed 's/,/, /g'
}

terms() {
    sed -nE 's/^BASIS\([A-Z0-9_]+, "([^"]+)".*/\1/p' "$FORECOST_SOURCE/model/cost/bases.h" | listed
}

distribution_kinds() {
    sed -nE 's/^    \{"([A-Z]+)", .*/\1\n\1(b)/p' "$FORECOST_SOURCE/model/segment/program/distribution.c" | listed
}

# machine_keys: of machine tables.
machine_keys() {
    {
        grep -hoE '\bFIELD(\([a-z_]+, [a-z_0-9]+,|_AS\("[^"]+")' \
            "$FORECOST_SOURCE"/model/{machine,cost,node,micro}/*_fields.c |
            sed -E 's/.*[ "]([^ ",]+)[",]$/\1/'
        operation_keys
    } | sort -u
}

# segment_keys: of segment descriptions. Left out are members that are no keys of a file.
segment_keys() {
    {
        sed -nE 's/^ *FIELD\([a-z_]+, ([a-z_]+),.*/\1/p
            s/^ *(FIELD_AS|TEXT|FORMULAS?|FORMULAS_BY|REFERENCE|OWN|ORIGIN)\("([a-z_]+)",.*/\2/p
            s/.*\.key = "([a-z_-]+)".*/\1/p' "$FORECOST_SOURCE"/model/segment/program/program_*fields.c |
            grep -vxE 'text|value|index|first|last|dimensions'
        operation_keys
    } | sort -u
}
