kind=dense source=m45t3r/MPIedupack sizes="48 192" repetitions=1
fits() { true; }
arguments() { # it asks for the sides of the grid and for the size
    local rows
    rows=$(side "$2")
    printf '%s\n' "$rows" $(($2 / rows)) "$1" >"$work/answers"
}
settings() { echo "n=$1 M=$(side "$2")"; }
