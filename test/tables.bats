#!/usr/bin/env bats
# What is refused, and how: one line on standard error that names the place, and status 2.

setup() {
    cd "$BATS_TEST_TMPDIR" || exit 1
}

# refused FILE: estimator check says one line, nothing on standard output, status 2; $line is it.
refused() {
    local status=0
    timeout 20 estimator check "$1" >out 2>err || status=$?
    line=$(cat err)
    [ "$status" -eq 2 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ]
}

@test "every bad table is refused in one line, at its place" {
    count=0
    for file in "$FORECOST_SOURCE"/test/bad/*.yaml; do
        expected=$(sed -n '1s/^# expect: //p' "$file")
        refused "$file" || { echo "$file: $line"; false; }
        [ "$line" = "estimator: $file:$expected" ] || { echo "$line"; echo "expected $expected"; false; }
        count=$((count + 1))
    done
    [ "$count" -ge 70 ]
}

@test "a missing file, a directory and an unreadable file are refused" {
    refused nowhere.yaml
    [ "$line" = "estimator: nowhere.yaml: cannot be read: No such file or directory" ]
    mkdir folder.yaml
    refused folder.yaml
    [ "$line" = "estimator: folder.yaml: cannot be read: Is a directory" ]
    [ "$(id -u)" -eq 0 ] && return # root reads everything
    cp "$FORECOST_SOURCE/machines/sp2-mpl.yaml" secret.yaml
    chmod 000 secret.yaml
    refused secret.yaml
    [ "$line" = "estimator: secret.yaml: cannot be read: Permission denied" ]
}

@test "an empty file and binary ones are refused" {
    : >empty.yaml
    refused empty.yaml
    [ "$line" = "estimator: empty.yaml:1:1: empty: expected a map of keys" ]
    printf 'forecost: 1\0\n' >zero.yaml
    refused zero.yaml
    printf '\177ELF\2\1\1\0\0\377\376' >elf.yaml
    refused elf.yaml
    [[ "$line" == "estimator: elf.yaml:1:1: not a text file: "* ]]
    cp "$(command -v estimator)" program.yaml
    refused program.yaml
}

@test "every table cut anywhere is refused or still a whole one, never a crash" {
    for table in "$FORECOST_SOURCE"/machines/sp2-pvme.yaml; do
        for share in 1 7 13 20 33 50 66 75 90 97; do
            head -c $(($(wc -c <"$table") * share / 100)) "$table" >cut.yaml
            status=0
            timeout 20 estimator check cut.yaml >out 2>err || status=$?
            [ "$status" -eq 0 ] || { [ "$status" -eq 2 ] && [ "$(wc -l <err)" -eq 1 ]; }
        done
    done
}

@test "deep nesting, a bomb of aliases and a huge file are refused at once" {
    printf '%0100000d' 0 | tr 0 '[' >deep.yaml
    refused deep.yaml
    [ "$line" = "estimator: deep.yaml:1:65: nested deeper than 64 levels" ]
    {
        echo 'a: &a [x, x, x, x, x, x, x, x, x, x]'
        for i in b c d e f g h i; do echo "$i: &$i [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]"; done
    } >bomb.yaml
    refused bomb.yaml
    [ "$line" = "estimator: bomb.yaml:1:4: an anchor: write the value itself" ]
    truncate -s 65M huge.yaml
    refused huge.yaml
    [ "$line" = "estimator: huge.yaml: is larger than 67108864 bytes" ]
}
