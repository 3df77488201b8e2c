kind=dense source=swarleyman1/PDP sizes="48 192" repetitions=1
fits() { true; }
arguments() { # two matrices of that size are written first
    awk -v n="$1" 'BEGIN {
        print n
        for (i = 0; i < 2 * n * n; i++) print i % 7
    }' >"$work/matrices-$1"
    echo "matrices-$1" product
}
settings() { echo "n=$1"; }
