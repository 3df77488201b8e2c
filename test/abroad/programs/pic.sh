kind=particles source=ParRes/Kernels sizes="64" repetitions=10
fits() { true; }
arguments() { echo "$repetitions" "$1" $((4 * $1 * $1)) 0 1 LINEAR 0.0 1.0; }
settings() { echo "L=$1 x=$(side "$2")"; }
