kind=sparse source=sylvia-ymlin/cg-solver sizes="64 1024" repetitions=10
fits() { [ $(($(side "$2") * $(side "$2"))) -eq "$2" ]; }
arguments() { echo "$1" 2 0 1; }
again() { echo "$1" 12 0 1; }
settings() { echo "n=$1 q=$(side "$2")"; }
