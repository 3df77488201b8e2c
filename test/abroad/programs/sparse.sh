kind=sparse source=ParRes/Kernels sizes="4 6" repetitions=10
fits() { [ $(((1 << 2 * $1) % $2)) -eq 0 ]; }
build() { bundle "$1/MPI1/Sparse/sparse.c"; }
arguments() { echo 10 "$1" 2; }
settings() { echo "n=$((1 << 2 * $1))"; }
