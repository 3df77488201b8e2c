#!/bin/bash
# How well the table of half of the launches of this machine predicts the other half: launches by turns,
# so that both halves saw the same hour. The table is merged of the odd ones; a truth is the lower quartile
# over the even ones at a size that the odd ones did not measure. For people; no test depends on it.
#
#   crossed.sh TRAINER ESTIMATOR [LAUNCHES [SUITES [FOLDER]]]
#
# FOLDER: keeps the tables and the points, and launches that are there already are not made again.
set -euo pipefail
trainer=$(realpath "$1")
estimator=$(realpath "$2")
# shellcheck source=test/bench/against.sh
source "$(dirname "$(realpath "$0")")/against.sh"
launches=${3:-10}
suites=${4:-patterns,distance,express,broadcast}
folder=${5:-}
if [ -z "$folder" ]; then
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
fi
mkdir -p "$folder"
cd "$folder"

# Two seeds, of the odd ones and of the even ones: the same sizes in each half, others in the other.
for launch in $(seq "$launches"); do
    [ -e "launch$launch.yaml" ] || "${MPIEXEC:-mpiexec}" -n 2 "$trainer" --suite "$suites" --seed $((2 - launch % 2)) -o "launch$launch.yaml" --no-progress 2>/dev/null
done

# A launcher that has them already.
cat >launcher <<'EOF'
#!/bin/bash
while [ $# -gt 0 ]; do
    [ "$1" != -o ] || out=$2
    shift
done
number=${out##*launch-}
odd=launch$((2 * ${number%.yaml} - 1))
cp "$odd.yaml" "$out"
cp "$odd.points.csv" "${out%.yaml}.points.csv"
EOF
chmod +x launcher
half=$(((launches + 1) / 2))
MPIEXEC=./launcher "$trainer" --launches "$half" -o odd.yaml 2>/dev/null

# utility bytes us: the lower quartile over the even launches of what all of them measured, in the
# attempt that counts, and the odd ones did not.
quartiles_of_even() {
    for ((launch = 2; launch <= launches; launch += 2)); do
        tac "launch$launch.points.csv" | awk -F, 'NR == FNR { fitted[$1, $3]; next }
            !($1 in last) { last[$1] = $(NF - 2) }
            $(NF - 2) == last[$1] && !(($1, $3) in fitted) && !seen[$1, $3]++ { print $1, $3, $6 }' launch1.points.csv -
    done | sort -k1,1 -k2,2n -k3,3g | awk -v all=$((launches / 2)) '
        function flush() { if (n == all) print at, t[1 + int((n + 1) / 4)] }
        { if ($1 " " $2 != at) { flush(); at = $1 " " $2; n = 0 } t[++n] = $3 }
        END { flush() }'
}
quartiles_of_even >truth

errors_of odd.yaml | quantiles >merged
for ((launch = 1; launch <= launches; launch += 2)); do errors_of "launch$launch.yaml"; done | quantiles >single
printf '%-22s %6s | merged of %d: %5s %6s %6s | one launch: %5s %6s %6s\n' utility points "$half" median p95 worst median p95 worst
join merged single |
    awk '{ printf "%-22s %6d | %18.1f%% %5.1f%% %5.1f%% | %17.1f%% %5.1f%% %5.1f%%\n", $1, $2, $3, $4, $5, $7, $8, $9 }'
