kind=dense source=ParRes/Kernels sizes="96 192" repetitions=4
fits() { true; }
arguments() { echo "$repetitions" "$1" 8 0; }
settings() { echo "N=$1 nb=8 x=$(side "$2")"; }
