kind=transposition source=abhishek1810/2d-fft sizes="512" repetitions=1
fits() { [ $(($1 % $2)) -eq 0 ]; }
arguments() { # two pictures of that size are written first
    mkdir -p "$work/sample"
    awk -v n="$1" 'BEGIN { for (i = 0; i < n * n; i++) print i % 256 }' | tee "$work/sample/1_im1" >"$work/sample/1_im2"
}
settings() { echo "N=$1"; }
