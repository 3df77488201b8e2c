kind=stencil source=ParRes/Kernels sizes="192 1536" repetitions=10
fits() { true; }
build() { bundle "$1/MPI1/Stencil/stencil.c" -DRADIUS=1 -DSTAR=1 -DDOUBLE=1 -DLOOPGEN=0; }
arguments() { echo 10 "$1"; }
settings() { echo "N=$1 x=$(($2 / $(side "$2")))"; }
