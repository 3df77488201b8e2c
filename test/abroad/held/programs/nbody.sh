kind=particles source=juan1t0/big-data sizes="96 4800" repetitions=5
fits() { true; }
arguments() { echo "$1" 5 0.01 5 g; }
settings() { echo "n=$1"; }
