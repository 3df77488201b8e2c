#!/bin/bash
# The ten tests that took longest, of the logs of test programs in the build directories given (bats says
# after each how long it took), and what all together took.
#
#     slowest.sh [DIRECTORY...]
set -u
for directory in "${@:-.}"; do
    for log in "$directory"/test/*.log; do
        [ -e "$log" ] || continue
        name=${log##*/}
        sed -nE "s|^(not )?ok [0-9]+ (.*) in ([0-9]+)ms( #.*)?\$|\3 ${name%.log}: \2|p" "$log"
    done
done | sort -rn | awk '{ sum += $1 } NR <= 10 { $1 = sprintf("%7.1f s ", $1 / 1e3); print }
                       END { printf "%7.1f s  all %d tests that say\n", sum / 1e3, NR }'
