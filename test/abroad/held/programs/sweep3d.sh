kind=wavefront source=sstsimulator/ember sizes="1 8 40" repetitions=2
fits() { true; }
command_line() { # SIZE P ITERATIONS
    local side
    side=$(side "$2")
    echo -pex "$side" -pey $(($2 / side)) -nx 16 -ny 16 -nz 80 -kba "$1" -sleep 0 -iterations "$3"
}
arguments() { command_line "$1" "$2" 1; }
again() { command_line "$1" "$2" 3; }
settings() { echo "kba=$1 x=$(side "$2")"; }
