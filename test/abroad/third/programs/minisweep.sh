kind=wavefront source=wdj/minisweep sizes="4 16" repetitions=2
fits() { true; }
command_line() { # SIZE P ITERATIONS
    local x
    x=$(side "$2")
    echo --ncell_x $((8 * x)) --ncell_y $((8 * $2 / x)) --ncell_z 16 --nblock_z "$1" --ne 1 --na 8 --nproc_x "$x" --nproc_y $(($2 / x)) --niterations "$3"
}
arguments() { command_line "$1" "$2" 1; }
again() { command_line "$1" "$2" 3; }
settings() { echo "blocks=$1 x=$(side "$2")"; }
