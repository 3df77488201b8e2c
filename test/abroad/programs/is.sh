kind=sort source=wzzhang-HIT/NAS-Parallel-Benchmark sizes="S" for_each=yes repetitions=10 fixed=yes
fits() { [ $(($2 & ($2 - 1))) -eq 0 ]; }
build() { # its own program writes the sizes into a file
    local suite=$1/NPB3.3-MPI
    mkdir -p "$work/is.include"
    cc -w "$suite/sys/setparams.c" -o "$work/setparams"
    (mkdir -p "$work/is.include/config" "$work/is.include/IS"
        touch "$work/is.include/config/make.def"
        cd "$work/is.include/IS" && "$work/setparams" is "$3" "$2" >/dev/null)
    compile -I"$work/is.include/IS" "$suite/IS/is.c" "$suite/common/c_print_results.c" "$suite/common/c_timers.c"
}
arguments() { true; }
settings() { echo "keys=65536 buckets=512"; }
