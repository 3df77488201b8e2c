kind=stencil source=sstsimulator/ember sizes="8 32" repetitions=10
fits() { true; }
command_line() { # SIZE P ITERATIONS
    local i j k
    read -r i j k <<<"$(box "$2")"
    echo -pex "$i" -pey "$j" -pez "$k" -nx "$1" -ny "$1" -nz "$1" -sleep 0 -iterations "$3"
}
arguments() { command_line "$1" "$2" 2; }
again() { command_line "$1" "$2" 12; }
settings() { echo "n=$1 $(box_settings "$2")"; }
