kind=dense source=MayankJasoria/MPI-Gaussian-Elimination sizes="48 144" repetitions=1
fits() { true; }
arguments() { # a system of equations of that size is written first
    awk -v n="$1" 'BEGIN {
        print n
        for (i = 0; i < n; i++) {
            for (j = 0; j < n; j++) printf "%d ", i == j ? n : (i + j) % 7
            print i
        }
    }' >"$work/equations-$1"
    echo "equations-$1"
}
settings() { echo "N=$1"; }
