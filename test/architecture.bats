#!/usr/bin/env bats
# The walls of the house: who may include whom.

includes() { # includes FOLDER PATTERN: lines of the folder that include the pattern
    grep -rnE "^ *# *include *[<\"]$2" "$FORECOST_SOURCE/$1" --include='*.[ch]'
}

@test "the model knows no MPI, no trainer, no shim, no estimator" {
    run includes model '(mpi\.h|broadcast/|trainer/|shim/|forecast/|estimator/)'
    [ "$status" -eq 1 ]
}

@test "the model, what forecasts and the library write nothing to standard output" {
    run grep -rnE '\b(printf|puts|putchar) *\(' "$FORECOST_SOURCE"/{model,forecast,libforecost} --include='*.c' --exclude-dir=examples
    echo "$output"
    [ "$status" -eq 1 ]
}

@test "nothing but a lack of memory ends the process from within the model or a forecast" {
    # _exit: of the children that become the describer and a compiler, or cannot, and of the one that
    # removes a compiler's folder.
    run grep -rlE '\bexit *\(' "$FORECOST_SOURCE"/{model,forecast,libforecost} --include='*.c'
    [ "$output" = "$FORECOST_SOURCE/model/base/allocation.c" ]
    run bash -c 'grep -rlE "\b_exit *\(" "$FORECOST_SOURCE"/{forecast,libforecost,model} --include="*.c" | LC_ALL=C sort'
    [ "$output" = "$FORECOST_SOURCE/forecast/source/describer.c
$FORECOST_SOURCE/model/code/compiler.c
$FORECOST_SOURCE/model/code/private_folder.c" ]
}

@test "what forecasts knows the model alone" {
    run includes forecast '(mpi\.h|broadcast/|trainer/|shim/|estimator/|libforecost/)'
    [ "$status" -eq 1 ]
}

@test "the library knows the model and what forecasts, and none of the three has a variable that outlives a call" {
    run includes libforecost '(mpi\.h|broadcast/|trainer/|shim/|estimator/)'
    [ "$status" -eq 1 ]
    # But where a thread goes that has no memory.
    run bash -c "grep -rhE '^ *static [^()]*(;|=)' '$FORECOST_SOURCE'/{model,forecast,libforecost} --include='*.c' | grep -v const"
    [ "$output" = "static _Thread_local jmp_buf *way_out;" ]
}

@test "trainer and estimator do not know one another" {
    run includes trainer '(forecast|estimator)/'
    [ "$status" -eq 1 ]
    run includes estimator '(mpi\.h|broadcast/|trainer/|shim/)'
    [ "$status" -eq 1 ]
}

@test "the broadcast algorithms know nothing but trees and memory" {
    run bash -c "grep -rhE '^ *# *include *\"' '$FORECOST_SOURCE/broadcast' | grep -vE '\"(broadcast/|model/base/allocation\.h|model/cost/tree\.h)'"
    [ "$status" -eq 1 ]
}

@test "the shim knows the model and the broadcast algorithms, and nobody knows the shim" {
    run includes shim '(trainer/|estimator/|forecast/|model/segment/)'
    [ "$status" -eq 1 ]
    run includes trainer 'shim/'
    [ "$status" -eq 1 ]
    run includes broadcast 'shim/'
    [ "$status" -eq 1 ]
}

@test "the shim calls the library by PMPI's names, so that it never calls itself" {
    run grep -nE '[^P]MPI_[A-Z][a-z_]*\(' "$FORECOST_SOURCE"/shim/{companion,payload,table}.c
    [ "$status" -eq 1 ]
}

@test "the describer knows the model's base and records alone, nobody knows the describer, and libclang has one door" {
    run bash -c "grep -rhE '^ *# *include *[<\"](mpi|[a-z]+/)' '$FORECOST_SOURCE/describer' | grep -vE '[<\"](describer/|model/base/|model/records/|clang-c/|sys/)'"
    echo "$output"
    [ "$status" -eq 1 ]
    for room in model forecast estimator trainer broadcast shim; do
        run includes $room 'describer/'
        [ "$status" -eq 1 ]
    done
    run grep -rlE '^ *# *include *<clang-c/' "$FORECOST_SOURCE" --include='*.[ch]'
    [ "$output" = "$FORECOST_SOURCE/describer/source/parse_reader.h" ]
}

@test "inside the model, base knows no other room, records and code know base alone, tables know no segment" {
    for room in base records code; do
        run includes model/$room 'model/(cost|fit|node|micro|machine|tables|loops|segment)/'
        [ "$status" -eq 1 ]
    done
    run includes model/base 'model/(records|code)/'
    [ "$status" -eq 1 ]
    for room in cost fit node micro machine; do
        run includes model/$room 'model/segment/'
        [ "$status" -eq 1 ]
    done
}

@test "no circle of folders, no crowded folder" {
    git -C "$FORECOST_SOURCE" rev-parse 2>/dev/null || skip "no git here"
    cd "$FORECOST_SOURCE"
    run test/house.py
    echo "$output"
    [[ $output == *"circles of folders: 0"* ]]
    [[ $output =~ "fullest folder: "[a-z/]+", "([0-9]+) ]]
    [ "${BASH_REMATCH[1]}" -le 45 ]
}

@test "each library has one door: libyaml, ncurses" {
    run bash -c "grep -rlE '^ *# *include *<yaml.h>' '$FORECOST_SOURCE'/{model,forecast,broadcast,trainer,shim,estimator} | grep -v model/records/yaml_in.c"
    [ "$status" -eq 1 ]
    run bash -c "grep -rlE '^ *# *include *<n?curses' '$FORECOST_SOURCE'/{model,forecast,trainer,estimator} | grep -v estimator/commands/explore.c"
    [ "$status" -eq 1 ]
}
