kind=transposition source=ParRes/Kernels sizes="192 576" repetitions=10
fits() { [ $(($1 % $2)) -eq 0 ]; }
arguments() { echo "$repetitions" "$1" 32; }
settings() { echo "N=$1"; }
code() {
    file=MPI1/Transpose/transpose.c flags="-Iinclude" runs=10
    settings="order=$1 Block_order=$(($1 / $2)) Block_size=$((($1 / $2) ** 2)) Tile_order=32 iterations=9"
}
side_file() { cat "$here/prk-mpi-transpose.forecost"; }
