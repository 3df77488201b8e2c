kind=transposition source=zamb0/2D_Fast_Fourier_Transform_OpenMPI sizes="64 128" repetitions=1
fits() { true; }
arguments() { # a picture of that size is drawn first
    awk -v n="$1" 'BEGIN {
        printf "P2\n%d %d\n255\n", n, n
        for (i = 0; i < n; i++) {
            for (j = 0; j < n; j++) printf "%d ", (i * j) % 256
            print ""
        }
    }' >"$work/picture-$1.pgm"
    echo "picture-$1.pgm"
}
settings() { echo "N=$1"; }
