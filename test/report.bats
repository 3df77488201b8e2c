#!/usr/bin/env bats
# The page for browsers: right in form, of one file, rendered, and nothing in it but what tables and
# predictions say.

setup() {
    cd "$BATS_TEST_TMPDIR" || exit 1
    sp1=$FORECOST_SOURCE/machines/sp1-mpl.yaml
    sp2=$FORECOST_SOURCE/machines/sp2-mpl.yaml
    jacobi=$FORECOST_SOURCE/samples/jacobi/jacobi.yaml
    if estimator report "$sp2" 2>&1 >/dev/null | grep -q node-d3; then
        skip "built without d3 (node-d3)"
    fi
}

# need_browser: skips the test where none is. Not within `run`, whose subshell a skip would only end with success.
need_browser() {
    command -v chromium >/dev/null || skip "chromium is not installed"
}

browser() {
    timeout 200 python3 "$FORECOST_SOURCE/test/page/browser.py" "$@"
}

# axe_core: the file of the accessibility checker, where `npm install axe-core` has put one.
axe_core() {
    local file=${FORECOST_AXE:-$FORECOST_SOURCE/node_modules/axe-core/axe.min.js}
    [ -r "$file" ] && echo "$file"
}

# data_of PAGE: what its pictures are drawn from.
data_of() {
    sed -n '/<script type="application.json" id="data">/,/<.script>/p' "$1" | sed '1d;$d'
}

@test "one machine: numbers of the table, its regions, no other file" {
    estimator report "$sp2" -o page.html
    grep -q '<b>47 us</b>' page.html # T_pp(0)
    # at 1 MiB, 2 n / (167 + n / 20.7) over n / (399 + n / 36.2): 41.26 over 35.71
    grep -A1 '<b>116 %</b>' page.html | grep -q 'bidirectional bandwidth, relative to one-way'
    # nothing is fetched: every address is a fragment or the data themselves
    run grep -oE '(src|href)="[^#d][^"]{0,30}' page.html
    [ "$status" -eq 1 ]
    # T_pp at both sides of the edge at 216 bytes: 47 + 216 / 23.5 and 55 + 217 / 22.6
    data_of page.html | python3 -c '
import json, sys
data = json.load(sys.stdin)
assert data["grid"] is None
line = {n: us for n, us, low, high in next(
    u for u in data["machines"][0]["utilities"] if u["name"] == "point-to-point")["curves"][0]["line"]}
assert abs(line[216] - (47 + 216 / 23.5)) < 1e-3, line[216]
assert abs(line[217] - (55 + 217 / 22.6)) < 1e-3, line[217]'
}

@test "the page is right in form" {
    command -v tidy >/dev/null || skip "tidy is not installed"
    estimator report "$sp2" "$sp1" "$jacobi" -o page.html
    # tidy takes the library's own texts of markup for markup
    sed '/<script>/,/<.script>/d' page.html >plain.html
    tidy -errors -quiet --drop-empty-elements no plain.html
}

@test "several machines: compared first, then each" {
    estimator report "$sp2" "$sp1" -o page.html
    awk '/id="comparison"/ { comparison = NR } /id="machine-1"/ { one = NR } /id="machine-2"/ { two = NR }
        END { exit !(comparison && comparison < one && one < two) }' page.html
    grep -q 'Where the fastest changes' page.html
}

@test "what a table says stays text" {
    need_browser
    sed "s/name: sp2-mpl/name: \"<\/script><script>alert(1)<\/script>\"/; s/title: .*/title: \"a \&amp; \\\\\"b\\\\\" <img src=x onerror=alert(1)> \\\\u0007 \\\\u009b \\\\u007f é\"/" "$sp2" >bad.yaml
    sed 's/^title: .*/title: "<\/script><img src=x onerror=alert(2)>"/' "$jacobi" >bad-program.yaml
    estimator report bad.yaml "$sp1" bad-program.yaml -p 2,4 -D N=64 -o page.html
    sed '/^<script>/,/^<.script>/d' page.html >outside.html
    run grep -E '<script>alert|<img src=x' outside.html
    [ "$status" -eq 1 ]
    run env LC_ALL=C grep -aP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' outside.html
    [ "$status" -eq 1 ]
    grep -q 'onerror=alert(1)&gt;       é<' page.html # a space for each
    grep -q '&lt;script&gt;' page.html
    grep -q 'a &amp;amp; &quot;b&quot; &lt;img src=x onerror=alert(1)&gt;' page.html
    browser page.html
}

@test "points that cannot be read are said; no page is left" {
    cp "$sp2" it.yaml
    echo nonsense >it.points.csv
    run estimator report it.yaml -o page.html
    [ "$status" -eq 2 ]
    [ "${#lines[@]}" -eq 1 ]
    [[ "$output" == *"it.points.csv:1"* ]]
    [ ! -e page.html ]
    run estimator report "$sp2" -o nowhere/page.html
    [ "$status" -eq 2 ]
    [ "${#lines[@]}" -eq 1 ]
}

@test "a grid that is too large is refused, with one line; so is a description alone" {
    run estimator report "$sp2" "$jacobi" -p 1:64:+1 -D N=1:64:+1 -o page.html
    [ "$status" -eq 2 ]
    [[ "$output" == *"4096 settings: expected 2000 at most"* ]]
    [ ! -e page.html ]
    run estimator report "$jacobi" -o page.html
    [ "$status" -eq 2 ]
    [[ "$output" == *"expected TABLE... [SEGMENT]"* ]]
}

@test "what cannot be predicted says why, and nothing is put in its place" {
    estimator report "$FORECOST_SOURCE/machines/smb-n107.yaml" "$jacobi" -p 2 -D N=64 -o page.html
    data_of page.html | python3 -c '
import json, sys
grid = json.load(sys.stdin)["grid"]
assert len(grid["cells"]) == 1 and "rows" not in grid["cells"][0]
assert grid["texts"][grid["cells"][0]["why"]]'
}

@test "a browser: every position of the sliders has the ranking's numbers; nothing is asked for" {
    need_browser
    # So many that a page which tells the browser each of them is throttled by it.
    settings=(-p 1,2,4,8,16,32,64 -D N=128,256,512,1024,2048,4096)
    estimator report "$sp2" "$sp1" "$jacobi" "${settings[@]}" -o page.html
    estimator rank "$sp2" "$sp1" "$jacobi" "${settings[@]}" --format csv >rank.csv || true
    axe=$(axe_core) || true
    run browser page.html --rank rank.csv ${axe:+--axe "$axe"}
    echo "$output"
    [ "$status" -eq 0 ]
    [[ "$output" == *"84 positions"* ]]
}

@test "light and dark differ, and both are drawn" {
    need_browser
    estimator report "$sp2" "$jacobi" -p 4 -D N=64,128 -o page.html
    browser page.html --shot light.png 1200 1600
    browser page.html --shot dark.png 1200 1600 dark
    for picture in light.png dark.png; do
        [ "$(od -An -tu1 -j16 -N4 $picture | awk '{ print $3 * 256 + $4 }')" = 1200 ]
        [ "$(wc -c <$picture)" -gt 40000 ]
    done
    run cmp -s light.png dark.png
    [ "$status" -eq 1 ]
}

@test "the picture of README and doc/page.md is drawn anew by its script" {
    need_browser
    [ -x "$FORECOST_BUILD/describer/describer" ] || skip "built without libclang"
    "$FORECOST_SOURCE/doc/pictures/page.sh" "$(command -v estimator)" >anew.png
    for picture in anew.png "$FORECOST_SOURCE/doc/pictures/page.png"; do
        [ "$(od -An -tu1 -j16 -N8 "$picture" | awk '{ print $3 * 256 + $4, $7 * 256 + $8 }')" = "1280 960" ]
        [ "$(wc -c <"$picture")" -lt 200000 ]
        [ "$(wc -c <"$picture")" -gt 40000 ]
    done
}
