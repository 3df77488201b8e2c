kind=sort source=nmrenyi/HPC main=ch3/mpi_odd_even.c sizes="960 19200" repetitions=1
fits() { true; }
arguments() { echo g "$1"; }
settings() { echo "n=$1"; }
