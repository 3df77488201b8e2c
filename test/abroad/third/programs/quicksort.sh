kind=sort source=swarleyman1/PDP sizes="1024 16384" repetitions=1
fits() { [ $(($2 & ($2 - 1))) -eq 0 ]; }
arguments() { # numbers without order are written first; the pivot is the first processor's median
    awk -v n="$1" 'BEGIN {
        srand(1)
        print n
        for (i = 0; i < n; i++) print int(1000000 * rand())
    }' >"$work/numbers-$1"
    echo "numbers-$1" sorted 1
}
settings() { echo "n=$1"; }
