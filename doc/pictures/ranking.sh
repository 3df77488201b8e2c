#!/bin/bash
# Draws the ranking that stands in README.md: times of the candidates of samples/adi on the published SP2,
# with their intervals, against the size of the arrays.
#
#     doc/pictures/ranking.sh ESTIMATOR >doc/pictures/ranking.svg
set -eu
estimator=$1
source=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$estimator" rank "$source/machines/sp2-mpl.yaml" "$source/samples/adi/adi.yaml" -p 16 \
    -D N=64,96,128,192,256,384,512,768,1024 --format csv 2>/dev/null >"$work/rows.csv"
awk -F, -v folder="$work" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { print $at["N"], $at["total_us"] / 1e3, $at["low_us"] / 1e3, $at["high_us"] / 1e3 >(folder "/" $at["candidate"]) }' "$work/rows.csv"
cd "$work"
rm rows.csv
names=$(printf '%s ' *)
for name in $names; do
    sort -n -o "$name" "$name"
done
gnuplot <<END
set terminal svg size 560,300 font "sans-serif,12" background "white"
set logscale xy
set xrange [56:1200]
set xlabel "N"
set ylabel "predicted time, ms"
set key left top
set xtics (64, 128, 256, 512, 1024)
plot for [name in "$names"] name using 1:2:3:4 with yerrorlines linewidth 1.5 pointtype 7 pointsize 0.4 title name
END
