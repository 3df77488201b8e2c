#!/usr/bin/env bats
# What the documents say is so.

setup() {
    cd "$BATS_TEST_TMPDIR" || exit 1
    reference=$FORECOST_SOURCE/doc/machine-table.md
}

@test "every example of the table reference is a table" {
    awk '/^```yaml$/ { name = sprintf("example%02d.yaml", ++count); writing = 1; next }
         /^```$/     { writing = 0 }
         writing     { if (!begun[name]++ && $0 !~ /^forecost:/)
                           print "forecost: 1\nmachine: {name: example}" >name
                       print >name }' "$reference"
    [ "$(find . -name 'example*.yaml' | wc -l)" -ge 7 ]
    estimator check example*.yaml
}

@test "every key of a table is in the reference" {
    keys=$(sed -nE 's/^ *FIELD\([a-z_]+, ([a-z_0-9]+),.*/\1/p; s/^ *FIELD_AS\("([^"]+)".*/\1/p' \
        "$FORECOST_SOURCE"/model/machine/*_fields.c | sort -u)
    [ "$(wc -l <<<"$keys")" -ge 40 ]
    for key in $keys; do
        grep -q "\`$key\`" "$reference" || { echo "not documented: $key"; false; }
    done
}
