kind=wavefront source=ParRes/Kernels sizes="1 8 64" repetitions=5
fits() { true; }
build() { bundle "$1/MPI1/Synch_p2p/p2p.c"; }
arguments() { echo 5 1000 200 "$1"; }
settings() { echo "group=$1"; }
