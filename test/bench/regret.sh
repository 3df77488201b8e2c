#!/bin/bash
# What the shim's choices cost and gain on simulated machines: trains the suite broadcast on each, then
# times all six algorithms and the shim at lengths and processor counts that are drawn.
#
#   FORECOST_BUILD=BUILD FORECOST_SOURCE=SOURCE test/bench/regret.sh [LENGTHS-PER-PROCESSOR-COUNT]
set -eu
lengths=${1:-40}
bed=$FORECOST_SOURCE/test/bed/bed.sh
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# measure TITLE PROCESSORS LIBRARY-ALGORITHM ROOTS TRUTH...
measure() {
    local title=$1 processors=$2 library=$3 roots=$4
    shift 4
    export BED_FLAGS=--cfg=smpi/bcast:$library FORECOST_TABLE=$folder/table.yaml
    "$bed" "$processors" "$@" -- --suite broadcast -o table.yaml --max-bytes 1M >/dev/null 2>&1
    echo "$title, $processors processors, the library's broadcast: $library, roots: $roots"
    BED_NOISE_US=0 BED_PROGRAM=$FORECOST_BUILD/test/bed/regret \
        "$bed" "$processors" "$@" -- 1 "$lengths" 1048576 "$roots" | awk -f "$FORECOST_SOURCE/test/bed/regret.awk"
}

slow='0:5:200 1025:8:500 16385:30:950'
fast='0:2:800 2049:4:900 32769:12:950'
# shellcheck disable=SC2086 # lists of words
{
    measure 'slow links' 16 binomial_tree any $slow
    measure 'fast links' 16 binomial_tree any $fast
    measure 'fast links' 16 scatter_LR_allgather any $fast
    BED_NOISE_US=0.1 measure 'fast links, trained with noise of 0.1 us' 16 binomial_tree any $fast
    measure 'fast links' 16 mpich 0 $fast
    measure 'fast links' 16 mpich any $fast
    measure 'fast links' 16 ompi 0 $fast
    BED_GROUP=8 BED_TRUTH_FAR=0:20:100,513:25:200 measure 'nodes of 8, far links' 10 binomial_tree 0 $fast
    BED_GROUP=4 BED_TRUTH_FAR=0:20:100,513:25:200 measure 'nodes of 4, far links' 16 binomial_tree 0 $fast
    BED_GROUP=4 BED_TRUTH_FAR=0:20:100,513:25:200 measure 'nodes of 4, far links' 16 binomial_tree any $fast
}
