#!/usr/bin/env bats
# What the documents say is so.

setup() {
    # shellcheck source=/dev/null
    source "$FORECOST_SOURCE/test/keys.bash"
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
    keys=$(machine_keys)
    [ "$(wc -l <<<"$keys")" -ge 40 ]
    for key in $keys; do
        grep -q "\`$key\`" "$reference" || { echo "not documented: $key"; false; }
    done
}

@test "every example of the segment description can be predicted" {
    awk '/^```yaml$/ { name = sprintf("segment%02d.yaml", ++count); writing = 1; next }
         /^```$/     { writing = 0 }
         writing     { print >name }' "$FORECOST_SOURCE/doc/segment-description.md"
    [ "$(find . -name 'segment*.yaml' | wc -l)" -ge 5 ]
    estimator check segment*.yaml
    for file in segment*.yaml; do
        timeout 20 estimator rank "$FORECOST_SOURCE/machines/sp2-mpl.yaml" "$file" -p 16 2>err
        [ ! -s err ] || { cat err; false; }
    done
}

@test "every key of a segment description is in its reference" {
    keys=$(segment_keys)
    [ "$(wc -l <<<"$keys")" -ge 30 ]
    for key in $keys; do
        grep -q "\`$key\`" "$FORECOST_SOURCE/doc/segment-description.md" || { echo "not documented: $key"; false; }
    done
}
