#!/bin/bash
# codes.sh FOLDER [TABLE]: describes public programs that lie under FOLDER, each in the folder of its
# GitHub name, unchanged, with the side files beside this script, and predicts them with TABLE.
# Prints a line a program; fails if one that is there is not described.
set -u
folder=${1:?usage: codes.sh FOLDER [TABLE]}
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
table=${2:-$root/machines/sp2-mpl.yaml}
describer=${DESCRIBER:-$root/describer/describer}
estimator=${ESTIMATOR:-$root/estimator/estimator}
description=$(mktemp --suffix .yaml)
trap 'rm -f "$description"' EXIT
status=0
while read -r side repository source flags; do
    [ -n "$side" ] || continue
    [ -f "$folder/$repository/$source" ] || { echo "$side: $repository/$source is not there"; continue; }
    # shellcheck disable=SC2086 # flags are words
    if (cd "$folder/$repository" && "$describer" --side "$here/$side.forecost" "$source" -- $flags) >"$description" &&
        "$estimator" predict "$table" "$description" -p 16 >/dev/null; then
        echo "$side: described"
        [ -z "${KEEP-}" ] || cp "$description" "$KEEP/$side.yaml"
    else
        echo "$side: FAILED"
        status=1
    fi
done <<'END'
himeno-xmp omni-compiler/omni-compiler samples/XMP/HIMENO/HIMENO-C/himeno.c -DMIDDLE
laplace-xmp omni-compiler/omni-compiler samples/XMP/Laplace/xmp_laplace.c
prk-stencil ParRes/Kernels SERIAL/Stencil/stencil.c -Iinclude -DRADIUS=2 -DSTAR=1 -DDOUBLE=1 -DRESTRICT_KEYWORD=1
prk-nstream ParRes/Kernels SERIAL/Nstream/nstream.c -Iinclude -DMAXLENGTH=2000000
prk-transpose ParRes/Kernels SERIAL/Transpose/transpose.c -Iinclude
prk-p2p ParRes/Kernels SERIAL/Synch_p2p/p2p.c -Iinclude
prk-dgemm ParRes/Kernels SERIAL/DGEMM/dgemm.c -Iinclude -DDEFAULTBLOCK=32 -DBOFFSET=12
prk-sparse ParRes/Kernels SERIAL/Sparse/sparse.c -Iinclude
prk-mpi-stencil ParRes/Kernels MPI1/Stencil/stencil.c -Iinclude -DRADIUS=2 -DSTAR=1 -DDOUBLE=1
prk-mpi-reduce ParRes/Kernels MPI1/Reduce/reduce.c -Iinclude
prk-mpi-transpose ParRes/Kernels MPI1/Transpose/transpose.c -Iinclude
END
exit "$status"
