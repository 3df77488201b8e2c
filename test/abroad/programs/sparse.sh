kind=sparse source=ParRes/Kernels sizes="4 6" repetitions=10
fits() { [ $(((1 << 2 * $1) % $2)) -eq 0 ]; }
arguments() { echo "$repetitions" "$1" 2; }
settings() { echo "n=$((1 << 2 * $1))"; }
code() {
    file=MPI1/Sparse/sparse.c flags="-Iinclude" runs=10
    settings="lsize=$1 size=$((1 << $1)) size2=$((1 << 2 * $1)) nrows=$(((1 << 2 * $1) / $2)) iterations=9"
}
side_file() { # what a row has beside its own element lies up to two grid lines away
    cat <<'SIDE'
parameters(size = 64, lsize = 6, size2 = 4096, nrows = 4096, stencil_size = 9, iterations = 9)
at sparse.c:322 segment multiply
at sparse.c:325 ignore
at sparse.c:341 gather(vector)
SIDE
}
