#!/usr/bin/env bats
# What make install installs, make uninstall removes and make dist packs. The tarball is built once,
# elsewhere, with other names for the programs.

# make_ FOLDER TARGET...: a make of its own, not a part of the one that runs the tests.
make_() {
    env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u DESTDIR make -C "$@" >make.log 2>&1 || { tail -n 30 make.log; false; }
}

# of_build NAME: a variable of the Makefile of the build under test.
of_build() {
    sed -nE "s/^$1 = (.*)/\1/p" "$FORECOST_BUILD/Makefile" | head -n 1
}

setup_file() {
    cd "$BATS_FILE_TMPDIR" || exit 1
    make_ "$FORECOST_BUILD" install DESTDIR="$PWD/image"
    find image -type f >installed
}

setup() {
    cd "$BATS_FILE_TMPDIR" || exit 1
    prefix=$(of_build prefix)
    image=$PWD/image$prefix
}

need_trainer() {
    [ -x "$FORECOST_BUILD/trainer/trainer" ] || skip "the trainer was not built (--without-mpi)"
}

@test "installed: programs, pages, completion, references" {
    for file in bin/estimator share/man/man1/estimator.1 share/man/man5/forecost-machine.5 \
        share/man/man5/forecost-segment.5 share/man/man7/forecost-output.7 share/bash-completion/completions/estimator \
        share/doc/forecost/README.md share/doc/forecost/hosts.md share/doc/forecost/machine-table.md share/doc/forecost/output.md share/doc/forecost/output.schema.json share/doc/forecost/segment-description.md \
        lib/libforecost.so include/forecost.h lib/pkgconfig/forecost.pc share/man/man3/forecost.3 share/forecost/python/forecost.py \
        share/doc/forecost/library.md share/doc/forecost/examples/ranking.c share/doc/forecost/examples/ranking.py; do
        [ -s "$image/$file" ] || { echo "not installed: $file"; false; }
    done
    [ "$(find "$image/bin" -type f | wc -l)" -le 3 ] # no test, no sample
    tail -n 1 "$image/share/bash-completion/completions/estimator" | grep -qx 'complete -F _forecost estimator'
    run grep -l "$BATS_FILE_TMPDIR" -r "$image/share"
    [ "$status" -eq 1 ]
}

@test "installed: the trainer, its page and its completion, where it was built" {
    need_trainer
    for file in bin/trainer bin/forecost-record lib/libforecost-record.so share/doc/forecost/record.md \
        share/man/man1/trainer.1 share/bash-completion/completions/trainer; do
        [ -s "$image/$file" ] || { echo "not installed: $file"; false; }
    done
}

@test "installed: every table and every description, where the page of the estimator says" {
    folder=$image/share/forecost
    diff <(cd "$FORECOST_SOURCE" && find machines samples -name '*.yaml' -o -name '*.csv' | sort) <(cd "$folder" && find machines samples -type f | sort)
    for part in machines samples; do
        grep -qx "\.It Pa $prefix/share/forecost/$part" "$image/share/man/man1/estimator.1"
    done
    find "$folder" -name '*.yaml' -exec "$image/bin/estimator" check {} +
}

@test "uninstalled: nothing is left, and what others installed stays" {
    cp -r image other
    echo theirs >"other$prefix/share/man/man1/theirs.1"
    make_ "$FORECOST_BUILD" uninstall DESTDIR="$PWD/other"
    [ "$(find other ! -type d)" = "other$prefix/share/man/man1/theirs.1" ]
    [ -z "$(find other -name '*forecost*')" ]
}

# pack: the tarball of the build under test, once, into the folder tarball.
pack() {
    [ ! -d tarball ] || return 0
    mkdir tarball
    make_ "$FORECOST_BUILD" dist
    mv "$FORECOST_BUILD"/forecost-*.tar.xz tarball/
    tar xJf tarball/*.tar.xz -C tarball
    rm -- tarball/*.tar.xz
}

@test "the tarball has every file that git has" {
    git -C "$FORECOST_SOURCE" ls-files --error-unmatch Makefile.am >/dev/null 2>&1 || skip "not in a clone"
    pack
    git -C "$FORECOST_SOURCE" ls-files | grep -vx '.gitignore' | sort >tracked
    [ "$(wc -l <tracked)" -ge 300 ]
    (cd tarball/forecost-* && find . -type f -o -type l) | sed 's|^\./||' | sort >packed
    run comm -23 tracked packed
    [ -z "$output" ] || { echo "not in the tarball: $output"; false; }
}

@test "the tarball is built elsewhere and installed under other names, and the pages' examples run there" {
    [ -z "${FORECOST_NO_BED:-}" ] || skip "FORECOST_NO_BED is set"
    pack
    cd tarball
    touch unpacked
    source=$(echo forecost-*)
    mkdir build && cd build
    mpi=
    [ -x "$FORECOST_BUILD/trainer/trainer" ] || mpi=--without-mpi
    # A relative name, so that ccache knows the files again.
    "../$source/configure" -q CC="$(of_build CC)" CFLAGS=-O0 --disable-static --program-prefix=my- --prefix="$PWD/../usr" $mpi >configure.log 2>&1
    make_ . -j2
    make_ . install
    [ -z "$(find "../$source" -newer ../unpacked)" ] # the sources stay as they were packed
    cd ../usr
    names='bin/my-estimator share/man/man1/my-estimator.1 share/man/man5/my-forecost-machine.5
        share/man/man5/my-forecost-segment.5 share/man/man7/my-forecost-output.7 share/bash-completion/completions/my-estimator'
    [ -n "$mpi" ] || names+=' bin/my-trainer share/man/man1/my-trainer.1 share/bash-completion/completions/my-trainer'
    for name in $names; do
        [ -s "$name" ] || { echo "not installed: $name"; false; }
    done
    run find . -name estimator -o -name trainer -o -name 'estimator.1' -o -name 'trainer.1'
    [ -z "$output" ]
    tail -n 1 share/bash-completion/completions/my-estimator | grep -qx 'complete -F _forecost my-estimator'
    # The library, from a prefix that is nobody's but one's own.
    cc -std=c17 -o ranking share/doc/forecost/examples/ranking.c \
        $(PKG_CONFIG_PATH=$PWD/lib/pkgconfig pkg-config --cflags --libs forecost) "-Wl,-rpath,$PWD/lib"
    ./ranking share/forecost/machines/sp2-mpl.yaml share/forecost/samples/jacobi/jacobi.yaml | grep -q '^1. blocks: '
    # The examples, as they stand in the installed page.
    command -v gnuplot >/dev/null || skip "gnuplot is not installed"
    mkdir examples && cd examples
    awk '/^\.Sh/ { examples = $2 == "EXAMPLES" } examples && sub(/^\$ /, "")' ../share/man/man1/my-estimator.1 |
        sed 's/^estimator /my-&/' >commands
    [ "$(wc -l <commands)" -ge 10 ]
    PATH=$PWD/../bin:/usr/bin:/bin bash -e ./commands
}
