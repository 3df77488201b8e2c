#!/bin/bash
# What a whole calibration takes on simulated machines of many processors (test/abroad/platform.sh): simulated
# seconds and core-hours, which are what a real one would take of an allocation, and seconds of a core and memory
# of the simulation itself. Then the power of p that each grows with, between the least and the most processors.
#
#   FORECOST_BUILD=BUILD FORECOST_SOURCE=SOURCE test/bench/scale.sh [MACHINE [PROCESSORS...]]
#
# MACHINE is flat, fat-tree, torus or nodes (default: flat), PROCESSORS default to 16 32 64 128. KEEP: a folder for
# tables (MACHINE-P.yaml) and what was printed (MACHINE-P.log); tables that are there are not made again. SUITES:
# only these. Takes minutes of one core up to 64, hours of 256 and more.
set -euo pipefail
machine=${1:-flat}
[ $# -eq 0 ] || shift
processors=${*:-16 32 64 128}
simulate=$(realpath "$FORECOST_SOURCE/test/abroad/simulate.sh")
trainer=$(realpath "$FORECOST_BUILD/trainer/trainer-smpi")
work=${KEEP:-$(mktemp -d)}
mkdir -p "$work"
[ -n "${KEEP-}" ] || trap 'rm -rf "$work"' EXIT
cd "$work"

# calibrate P: a user who has five minutes.
calibrate() {
    /usr/bin/time -f "scale: %U %S %M" "$simulate" "$machine-1024" "$1" "$trainer" --budget 300 --patience 0 \
        ${SUITES:+--suite "$SUITES"} -o "$machine-$1.making" --replace >"$machine-$1.log" 2>&1 ||
        { tail "$machine-$1.log"; return 1; }
    mv "$machine-$1.making" "$machine-$1.yaml"
}

# row P: "p,simulated_s,core_hours,cpu_s,memory_mb,points".
row() {
    awk -v p="$1" '
        / took / { for (i = 1; i <= NF; i++) if ($i == "took") took_s = $(i + 1) }
        /^scale: / { cpu_s = $2 + $3; memory_mb = $4 / 1024 }
        END { printf "%d,%.4g,%.3g,%.0f,%.0f\n", p, took_s, took_s * p / 3600, cpu_s, memory_mb }' "$machine-$1.log"
}

for p in $processors; do
    [ -f "$machine-$p.yaml" ] || calibrate "$p"
    row "$p"
done | awk -F, -v machine="$machine" '
    {
        printf "%s of %d: %s s simulated, %s core-hours; %s s of a core, %s MB\n", machine, $1, $2, $3, $4, $5
        if (NR == 1) { first = $1; simulated = $2; cpu = $4 }
    }
    END {
        if (NR > 1)
            printf "%s: grows as the power %.2f of p, its simulation as %.2f\n", machine,
                log($2 / simulated) / log($1 / first), log($4 / cpu) / log($1 / first)
    }'
