kind=wavefront source=ParRes/Kernels sizes="1 8 64" repetitions=5
fits() { true; }
arguments() { echo "$repetitions" 1000 200 "$1"; }
settings() { echo "group=$1"; }
fill() { awk -v p="$2" -v group="$1" 'BEGIN { print (p - 1) * group / 199 }'; }
# The serial program of the same kernel, with the layout that the parallel one has.
code() {
    file=SERIAL/Synch_p2p/p2p.c flags="-Iinclude" runs=10
    settings="m=1000 n=200 iterations=10"
}
side_file() {
    cat <<SIDE
parameters(m = 1000, n = 200, iterations = 10)
at p2p.c:127 segment sweep repeat(iterations)
at p2p.c:128 strip($1)
candidate columns processors(p) distribute(vector[*][BLOCK])
SIDE
}
