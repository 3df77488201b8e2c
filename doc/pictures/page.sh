#!/bin/bash
# Draws the page that stands in README.md and doc/page.md: that of the tutorial's program, in a headless Chromium.
#
#     doc/pictures/page.sh ESTIMATOR >doc/pictures/page.png
set -eu
estimator=$(realpath "$1")
source=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
for block in c forecost; do
    awk -v fence="\`\`\`$block" '$0 == fence { within = 1; next } /^```$/ { within = 0 } within' \
        "$source/doc/tutorial.md" >"heat.$block"
done
table=$source/machines/sp2-mpl.yaml
# shellcheck disable=SC2016 # what the tutorial shows
arguments=$(sed -n 's/^\$ estimator report \$table \(heat.c .*\) -o heat.html$/\1/p' "$source/doc/tutorial.md")
# shellcheck disable=SC2086 # a list of words
"$estimator" report "$table" $arguments -o page.html
python3 "$source/test/page/browser.py" page.html --shot page.png 1280 960 >&2
cat page.png
