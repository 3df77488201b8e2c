#!/bin/bash
# How far a table is from times at sizes and processor counts that it was not made from, and how many
# of them lie in its intervals: a calibration on a simulated platform (test/abroad/platform.sh), then
# 40 points a utility, drawn at random from the same ranges.
#
#   held-out.sh TRAINER-SMPI PLATFORM SELECTOR [PROCESSORS [MOST-BYTES]]
#
# PLATFORM is fat-tree, torus or nodes, SELECTOR ompi or mpich (whose choice for many-to-many SimGrid
# refuses where processors are no power of two: ompi's is taken). Prints the rows of trainer --validate.
# With 16 processors each calibration takes one minute of one core.
set -euo pipefail
trainer=$(realpath "$1") platform=$2 selector=$3 processors=${4:-16} most=${5:-256k}
here=$(realpath "$(dirname "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export ABROAD_SELECTOR=$selector
[ "$selector" != mpich ] || export ABROAD_FLAGS="${ABROAD_FLAGS:-} --cfg=smpi/alltoall:ompi"
simulate() { "$here/../abroad/simulate.sh" "$platform" "$processors" "$trainer" "$@"; }
simulate --suite patterns,distance,express,broadcast --max-bytes "$most" -o table.yaml >log 2>&1 || { cat log; exit 1; }
wc -c table.yaml
simulate --validate table.yaml --seed 77 2>&1 | grep -v -e '^.*trainer.*--cfg' -e '^Execution failed' || true
