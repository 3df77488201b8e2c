kind=reduction source=ParRes/Kernels sizes="1 1000" repetitions=10
fits() { true; }
build() { bundle "$1/MPI1/Reduce/reduce.c"; }
arguments() { echo 10 "$1"; }
settings() { echo "n=$1"; }
