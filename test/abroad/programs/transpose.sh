kind=transposition source=ParRes/Kernels sizes="192 576" repetitions=10
fits() { [ $(($1 % $2)) -eq 0 ]; }
build() { bundle "$1/MPI1/Transpose/transpose.c"; }
arguments() { echo 10 "$1" 32; }
settings() { echo "N=$1"; }
