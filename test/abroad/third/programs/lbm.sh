kind=stencil source=victorkingi/advanced-hpc-lbm sizes="96 480" repetitions=10
fits() { true; }
command_line() { # SIZE ITERATIONS: a box without obstacles is written first
    printf '%s\n' "$1" "$1" "$2" 10 0.1 0.005 1.7 >"$work/box-$1-$2"
    true >"$work/obstacles"
    echo "box-$1-$2" obstacles
}
arguments() { command_line "$1" 2; }
again() { command_line "$1" 12; }
settings() { echo "n=$1"; }
