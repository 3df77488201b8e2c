kind=stencil source=csc-training/summerschool sizes="240 1920" repetitions=10
fits() { true; }
arguments() { echo "$1" "$1" 10; }
settings() { echo "N=$1"; }
