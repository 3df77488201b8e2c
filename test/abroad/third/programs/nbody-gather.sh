kind=particles source=jfdev001/parallel-nbody sizes="96 1920" repetitions=10
fits() { true; }
command_line() { # SIZE STEPS: a picture to draw on is written first
    {
        printf 'P6\n64 64\n255\n'
        head -c 12288 /dev/zero
    } >"$work/picture.ppm"
    echo "$1" 0 picture.ppm "$2"
}
arguments() { command_line "$1" 2; }
again() { command_line "$1" 12; }
settings() { echo "n=$1"; }
