kind=reduction source=ParRes/Kernels sizes="1 1000" repetitions=10
fits() { true; }
arguments() { echo "$repetitions" "$1"; }
settings() { echo "n=$1 times=$repetitions"; }
fill() { echo 0; }
code() {
    file=MPI1/Reduce/reduce.c flags="-Iinclude" runs=10
    settings="vector_length=$1 iterations=9"
}
side_file() { cat "$here/prk-mpi-reduce.forecost"; }
