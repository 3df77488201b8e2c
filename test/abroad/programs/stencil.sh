kind=stencil source=ParRes/Kernels sizes="192 1536" repetitions=10
fits() { true; }
arguments() { echo "$repetitions" "$1"; }
settings() { echo "N=$1 x=$(($2 / $(side "$2")))"; }
# Of a neighbour on each side those are there that two processors have.
code() { # SIZE P: by columns first, so that two are one above the other
    file=MPI1/Stencil/stencil.c flags="-Iinclude -DRADIUS=1 -DSTAR=1 -DDOUBLE=1 -DLOOPGEN=0" runs=10
    settings="n=$1 width=$1 height=$(($1 / $2)) iend=$(($1 - 1)) jend=$(($1 / $2 - 1)) Num_procsx=1 Num_procsy=$2 iterations=9"
}
side_file() {
    local line
    cat "$here/prk-mpi-stencil.forecost"
    for line in 348 364 373 382 391 398; do echo "at stencil.c:$line ignore"; done
    [ "$2" -gt 1 ] || printf 'at stencil.c:339 ignore\nat stencil.c:357 ignore\n'
}
