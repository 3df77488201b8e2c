#!/bin/sh
# fuzz.sh FUZZER SOURCES SECONDS [SEED]: lets a fuzzer look for inputs that break its reader, beginning
# from the project's own files; with a SEED the same ones each time. What it finds stays in the current
# folder as FUZZER-NAME.crash-...
set -eu
fuzzer=$1 sources=$2 seconds=$3 seed=${4:-0}
name=${fuzzer##*fuzz-}
corpus=$(mktemp -d)
trap 'rm -rf "$corpus"' EXIT

case $name in
machine) seeds="$sources/machines/*.yaml $sources/test/bad/*.yaml" ;;
segment) seeds="$sources/samples/*/*.yaml $sources/test/bad/redistribute*.yaml" ;;
expression) seeds= && split -l 1 "$sources/test/fuzz/seeds/expressions" "$corpus/line-" ;;
points) seeds="$sources/test/golden*.csv" ;;
esac
# shellcheck disable=SC2086 # patterns
for file in $seeds "$sources/test/fuzz/seeds/$name"* "$sources/test/fuzz/found/$name"-*; do
    [ ! -f "$file" ] || cp "$file" "$corpus/$(echo "$file" | tr / _)"
done

# A unit may take 10 s and 512 MB, a single allocation 256 MB.
"$fuzzer" -seed="$seed" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -malloc_limit_mb=256 -max_len=16384 \
    -dict="$sources/test/fuzz/words.dict" -artifact_prefix="$name." -print_final_stats=1 -verbosity=0 "$corpus"
