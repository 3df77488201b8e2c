kind=transposition source=falense/TMA4280-Superdatamaskiner sizes="64 256" repetitions=1
fits() { true; }
arguments() { echo "$1"; }
settings() { echo "n=$1"; }
