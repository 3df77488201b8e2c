#!/bin/sh
# coverage.sh: the lines of model/ and of estimator/ that the tests of this build have executed, each
# as one number; then the files of which less than 90 % are. In the root of a build that was
# configured with --enable-coverage, after make check.
set -eu
for part in model estimator; do
    find "$part" -name '*.gcda' | while read -r data; do
        name=$(basename "$data" .gcda)
        case $name in
        libmodel_la-*) name=${name#libmodel_la-} ;;
        *-*) continue ;; # compiled once more for a unit test
        esac
        gcov --no-output "$data" 2>/dev/null |
            awk -v want="/$name.c'" '/^File/ { mine = index($0, want) } mine && /^Lines executed/ {
                split($2, share, /[:%]/); print share[2], $4; mine = 0 }' | sed "s|^|$(dirname "$data")/$name.c |; s|/\.libs/|/|"
    done | awk -v part="$part" '
        { covered += $2 * $3 / 100; lines += $3; if ($2 < 90) few[$1] = $2 }
        END {
            if (!lines) { print part ": nothing was executed"; exit 1 }
            printf "%s: %.1f %% of %d lines\n", part, 100 * covered / lines, lines
            for (file in few) printf "  %5.1f %%  %s\n", few[file], file | "sort -n" }'
done
