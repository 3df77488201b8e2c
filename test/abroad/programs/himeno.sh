kind=stencil source=calorie/himeno_benchmark sizes="S" for_each=yes repetitions=3 fixed=yes
fits() { true; }
build() { # its own script writes the sizes into a file
    mkdir -p "$work/himeno.sources"
    cp "$1"/* "$work/himeno.sources"
    # shellcheck disable=SC2046 # a grid is three words
    (cd "$work/himeno.sources" && sh ./paramset.sh "$2" $(box "$3"))
    compile "$work"/himeno.sources/*.c
}
arguments() { true; }
settings() { box_settings "$2"; }
