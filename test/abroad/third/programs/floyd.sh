kind=graph source=fsossai/floyd-warshall-mpi sizes="96 384" repetitions=1
fits() { true; }
arguments() { echo "$1"; }
settings() { echo "N=$1"; }
