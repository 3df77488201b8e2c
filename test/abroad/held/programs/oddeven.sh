kind=sort source=nmrenyi/HPC sizes="960 19200" repetitions=1
fits() { true; }
arguments() { echo g "$1"; }
settings() { echo "n=$1"; }
