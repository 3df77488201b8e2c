#!/usr/bin/env bats
# The page for browsers: right in form, of one file, rendered, and nothing in it but what tables say.

setup() {
    cd "$BATS_TEST_TMPDIR" || exit 1
    sp1=$FORECOST_SOURCE/machines/sp1-mpl.yaml
    sp2=$FORECOST_SOURCE/machines/sp2-mpl.yaml
    command -v gnuplot >/dev/null || skip "gnuplot is not installed (gnuplot-nox)"
}

# shoot PAGE PICTURE [OPTION...]: what a browser makes of the page; says what it had to complain of.
shoot() {
    local page=$1 picture=$2
    shift 2
    timeout 100 chromium --headless --no-sandbox --disable-gpu --enable-logging=stderr --hide-scrollbars \
        --window-size=1200,1600 --screenshot="$picture" "$@" "file://$PWD/$page" 2>log || return 1
    run grep -E 'CONSOLE|ERR_' log
    [ "$status" -eq 1 ]
}

@test "one machine: numbers of the table, every utility's picture, no other file" {
    estimator report "$sp2" -o page.html
    grep -q '<b>47 us</b>' page.html # T_pp(0)
    # at 1 MiB, 2 n / (167 + n / 20.7) over n / (399 + n / 36.2): 41.26 over 35.71
    grep -A1 '<b>116 %</b>' page.html | grep -q 'exchange rate, both ways, of the point-to-point rate'
    for utility in point-to-point exchange many-to-many combine synchronization; do
        grep -q "<summary>$utility</summary>" page.html
        grep -q "alt=\"$utility: time by" page.html
    done
    grep -q 'Broadcast algorithms, 8 KiB' page.html
    # nothing is fetched: every address is a fragment or the data themselves
    run grep -oE '(src|href)="[^#d][^"]{0,30}' page.html
    [ "$status" -eq 1 ]
    # each picture is a whole document, and well formed
    grep -o 'src="data:image/svg+xml,[^"]*"' page.html | sed 's/^src="data:image.svg+xml,//; s/"$//; s/%/\\x/g' >pictures
    [ "$(wc -l <pictures)" -gt 15 ]
    while read -r picture; do
        printf '%b' "$picture" >picture.svg
        xmllint --noout picture.svg
    done <pictures
}

@test "the page is right in form" {
    command -v tidy >/dev/null || skip "tidy is not installed"
    estimator report "$sp2" "$sp1" -o page.html
    tidy -errors -quiet --drop-empty-elements no page.html
}

@test "several machines: compared first, then each" {
    estimator report "$sp2" "$sp1" -o page.html
    awk '/id="comparison"/ { comparison = NR } /id="machine-1"/ { one = NR } /id="machine-2"/ { two = NR }
        END { exit !(comparison && comparison < one && one < two) }' page.html
    grep -q 'Where the fastest changes' page.html
    # a picture with both
    [ "$(grep -o 'alt="point-to-point: time[^"]*"' page.html | wc -l)" -eq 3 ]
}

@test "near and far processors are drawn where the table has them" {
    awk '/- utility: one-to-many$/ { printf "%s", far; within = 0 }
        /- utility: exchange$/ { within = 1 }
        within { line = $0; sub(/exchange$/, "exchange-far", line); far = far line "\n" }
        { print }' "$sp2" >both.yaml
    estimator check both.yaml
    estimator report both.yaml -o page.html
    for what in time rate; do
        grep -q "alt=\"Near and far processors: $what" page.html
    done
    estimator report "$sp2" -o page.html
    run grep -q 'Near and far' page.html
    [ "$status" -eq 1 ]
}

@test "what a table says stays text" {
    sed "s/name: sp2-mpl/name: \"<script>alert(1)<\/script>\"/; s/title: .*/title: \"a \&amp; \\\\\"b\\\\\" <img src=x onerror=alert(1)> \\\\u0007 \\\\u009b \\\\u007f é\"/" "$sp2" >bad.yaml
    estimator report bad.yaml "$sp1" -o page.html
    run grep -E '<script|<img src=x' page.html
    [ "$status" -eq 1 ]
    run env LC_ALL=C grep -aP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' page.html
    [ "$status" -eq 1 ]
    grep -q 'onerror=alert(1)&gt;       é<' page.html # a space for each
    grep -q '&lt;script&gt;' page.html
    grep -q 'a &amp;amp; &quot;b&quot; &lt;img src=x onerror=alert(1)&gt;' page.html
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

@test "a browser shows it, in light and dark, without a complaint" {
    command -v chromium >/dev/null || skip "chromium is not installed"
    estimator report "$sp2" "$sp1" -o page.html
    shoot page.html light.png
    shoot page.html dark.png --blink-settings=preferredColorScheme=0
    for picture in light.png dark.png; do
        [ "$(od -An -tu1 -j16 -N8 $picture | awk '{ print $3 * 256 + $4, $7 * 256 + $8 }')" = "1200 1600" ]
        [ "$(wc -c <$picture)" -gt 50000 ]
    done
    run cmp -s light.png dark.png
    [ "$status" -eq 1 ]
}
