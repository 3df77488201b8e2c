#!/usr/bin/env bats
# The walls of the house: who may include whom.

includes() { # includes FOLDER PATTERN: lines of the folder that include the pattern
    grep -rnE "^ *# *include *[<\"]$2" "$FORECOST_SOURCE/$1" --include='*.[ch]'
}

@test "the model knows no MPI, no trainer, no shim, no estimator" {
    run includes model '(mpi\.h|broadcast/|trainer/|shim/|estimator/)'
    [ "$status" -eq 1 ]
}

@test "the model writes nothing to standard output" {
    run grep -rnE '\b(printf|puts|putchar) *\(' "$FORECOST_SOURCE/model" --include='*.c'
    [ "$status" -eq 1 ]
}

@test "trainer and estimator do not know one another" {
    run includes trainer 'estimator/'
    [ "$status" -eq 1 ]
    run includes estimator '(mpi\.h|broadcast/|trainer/|shim/)'
    [ "$status" -eq 1 ]
}

@test "the broadcast algorithms know nothing but trees and memory" {
    run bash -c "grep -rhE '^ *# *include *\"' '$FORECOST_SOURCE/broadcast' | grep -vE '\"(broadcast/|model/base/memory\.h|model/machine/tree\.h)'"
    [ "$status" -eq 1 ]
}

@test "the shim knows the model and the broadcast algorithms, and nobody knows the shim" {
    run includes shim '(trainer/|estimator/|model/segment/)'
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

@test "inside the model, base knows neither machine nor segment, machine knows no segment" {
    run includes model/base 'model/(machine|segment)/'
    [ "$status" -eq 1 ]
    run includes model/machine 'model/segment/'
    [ "$status" -eq 1 ]
}

@test "each library has one door: libyaml, muparser, ncurses" {
    run bash -c "grep -rlE '^ *# *include *<yaml.h>' '$FORECOST_SOURCE'/{model,broadcast,trainer,shim,estimator} | grep -v model/base/yaml_in.c"
    [ "$status" -eq 1 ]
    run bash -c "grep -rlE '^ *# *include *<muParser' '$FORECOST_SOURCE'/{model,trainer,estimator} | grep -v model/base/expression.c"
    [ "$status" -eq 1 ]
    run bash -c "grep -rlE '^ *# *include *<n?curses' '$FORECOST_SOURCE'/{model,trainer,estimator} | grep -v estimator/commands/explore.c"
    [ "$status" -eq 1 ]
}
