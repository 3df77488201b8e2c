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
import) seeds="$sources/test/import/*.[tox]*" ;;
describer)
    # Functions, as whole files take long.
    seeds= && cat "$sources"/test/describe/*.c "$sources"/test/messages/*.c "$sources"/samples/*/*-serial.c |
        awk -v to="$corpus" '{ text = text $0 "\n" }
            /^}/ { if (length(text) < 2000) { printf "%s", text >(to "/" ++count ".c"); close(to "/" count ".c") } text = "" }'
    ;;
side)
    seeds="$sources/test/fuzz/seeds/side* $sources/samples/*/*.forecost"
    sed -n 's/^ *#pragma forecost //p' "$sources"/test/describe/*.c | sort -u | split -l 8 - "$corpus/directives-"
    ;;
esac
# shellcheck disable=SC2086 # patterns
for file in $seeds "$sources/test/fuzz/seeds/$name"* "$sources/test/fuzz/found/$name"-*; do
    [ ! -f "$file" ] || cp "$file" "$corpus/$(echo "$file" | tr / _)"
done

# A unit may take 10 s, a single allocation 256 MB; all that is kept by libFuzzer and a unit 1 GB, and where libclang,
# which keeps much of its own, is in the process, 2 GB.
case $name in describer | side) most=2048 ;; *) most=1024 ;; esac
"$fuzzer" -seed="$seed" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=$most -malloc_limit_mb=256 -max_len=16384 \
    -dict="$sources/test/fuzz/words.dict" -artifact_prefix="$name." -print_final_stats=1 -verbosity=0 "$corpus"
