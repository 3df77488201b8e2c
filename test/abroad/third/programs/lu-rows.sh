kind=dense source=puneetar/Parallel-LU-Factorization-with-OpenMP-MPI sizes="48 192" repetitions=1
fits() { true; }
arguments() { echo "$1" 1; }
settings() { echo "n=$1"; }
