kind=dense source=alexpap/ParallelSystems sizes="96 256" repetitions=1
fits() { [ $(($(side "$2") * $(side "$2"))) -eq "$2" ]; }
arguments() { echo "$1"; }
settings() { echo "M=$1 q=$(side "$2")"; }
