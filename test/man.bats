#!/usr/bin/env bats
# The manual pages say what the programs say, and their examples run.

setup() {
    cd "$BATS_TEST_TMPDIR" || exit 1
    # The source tree has samples/ and machines/ as the installed one has them.
    for page in "$FORECOST_SOURCE"/doc/man/*.in; do
        awk -v folder="$FORECOST_SOURCE" -f "$FORECOST_SOURCE/doc/man/reference.awk" "$page" |
            sed "s|@pkgdatadir@|$FORECOST_SOURCE|g" >"$(basename "$page" .in)"
    done
    export ASAN_OPTIONS=detect_leaks=0 # MPICH leaks at exit
}

need_trainer() {
    [ -x "$FORECOST_BUILD/trainer/trainer" ] || skip "the trainer was not built (--without-mpi)"
}

# help_options: of a --help, a line an option: "SHORT LONG ARGUMENT", - for what it has not.
help_options() {
    sed -nE 's/^ +(-(.), +)?--([a-z-]+)(=([^ ]+))?( .*)?$/\2 \3 \5/p' |
        awk -F'[ ]' '{ print ($1 == "" ? "-" : $1), $2, ($3 == "" ? "-" : $3) }' | sort
}

# page_options PAGE: the same, of the rows .It Fl ... of a page.
page_options() {
    awk '$1 == ".It" && $2 == "Fl" {
             short = long = argument = "-"
             for (i = 2; i <= NF; i++)
                 if ($i == "Fl") {
                     name = $(++i)
                     sub(/^\\&/, "", name)
                     if (name ~ /^-/) long = substr(name, 2); else short = name
                 } else if ($i == "Ar")
                     argument = $(++i)
             print short, long, argument
         }' "$1" | sort
}

# command_rows: of the estimator's page, a line a command: "NAME OPTIONS ARGUMENTS".
command_rows() {
    awk '$1 == ".It" && $2 == "Xo" && $3 == "Ic" { name = $4; options = arguments = ""; next }
         name && $1 == ".Op" { options = options $3; next }
         name && $1 == ".Ar" { sub(/^\.Ar /, ""); arguments = $0; next }
         name && $1 == ".Xc" { print name, options, arguments; name = "" }' estimator.1
}

commands() {
    estimator --help | sed -nE 's/^  ([a-z-]+) +.*/\1/p'
}

letters() { # letters WORD: sorted
    fold -w1 <<<"$1" | sort | tr -d '\n'
}

# same WHAT PROGRAM PAGE: two files of lines agree.
same() {
    comm -23 "$2" "$3" | sed "s/^/$1, not in the page: /"
    comm -13 "$2" "$3" | sed "s/^/$1, in the page alone: /"
    cmp -s "$2" "$3"
}

@test "the pages are free of warnings" {
    command -v mandoc >/dev/null || skip "mandoc is not installed"
    for page in "$FORECOST_BUILD"/doc/man/*.[1357]; do
        mandoc -T lint -W warning "$page"
        run grep -E '@[a-z]+@' "$page"
        [ "$status" -eq 1 ]
    done
}

@test "options of the trainer: --help and the page are the same" {
    need_trainer
    trainer --help | help_options >program
    [ "$(wc -l <program)" -ge 20 ]
    page_options trainer.1 >page
    same trainer program page
}

@test "options of forecost-record: --help and the page are the same" {
    need_trainer
    sh "$FORECOST_SOURCE/recorder/forecost-record.in" --help | sed -nE 's/^  -([A-Za-z]) .*/\1/p' | sort >program
    [ "$(wc -l <program)" -ge 2 ]
    sed -nE 's/^\.It Fl ([A-Za-z]) .*/\1/p' "$FORECOST_SOURCE/doc/man/forecost-record.1.in" | sort | diff program -
}

@test "commands of the estimator: --help and the page are the same" {
    commands | sort >program
    [ "$(wc -l <program)" -ge 11 ]
    command_rows | cut -d' ' -f1 | sort >page
    same estimator program page
}

@test "options and arguments of each command: --help and its row in the page are the same" {
    for command in $(commands); do
        row=$(command_rows | awk -v name="$command" '$1 == name')
        estimator "$command" --help >help
        program=$(help_options <help | awk '$1 != "-" && $1 !~ /[hV]/ { printf "%s", $1 }')
        [ "$(letters "$program")" = "$(letters "$(cut -d' ' -f2 <<<"$row")")" ] ||
            { echo "options of $command: -$program in --help, page: $row"; false; }
        arguments=$(sed -nE '1s/.*\[OPTION\.\.\.\] //p' help)
        [ "$arguments" = "$(cut -d' ' -f3- <<<"$row")" ] ||
            { echo "arguments of $command: $arguments, page: $row"; false; }
    done
}

@test "options of the estimator: all that a command has are in the page, and no others" {
    for command in $(commands); do
        estimator "$command" --help | help_options
    done | sort -u >program
    [ "$(wc -l <program)" -ge 15 ]
    page_options estimator.1 >page
    same estimator program page
}

@test "a letter of an option is one option's" {
    for command in $(commands); do
        estimator "$command" --help | help_options
    done | awk '$1 != "-" { print $1, $2 }' | sort -u >letters
    [ "$(wc -l <letters)" -ge 15 ]
    run cut -d' ' -f1 letters
    [ -z "$(uniq -d <<<"$output")" ]
}

@test "a page that lacks an option, or has one too many, is found" {
    for command in $(commands); do estimator "$command" --help | help_options; done | sort -u >program
    sed '/^\.It Fl c /d' estimator.1 >lacks.1
    page_options lacks.1 >page
    run same estimator program page
    [ "$status" -eq 1 ]
    [ "$output" = "estimator, not in the page: c candidate NAME" ]
    sed 's/^\.It Fl -usage/.It Fl z , Fl -zoom Ns = Ns Ar N\n&/' estimator.1 >more.1
    page_options more.1 >page
    run same estimator program page
    [ "$status" -eq 1 ]
    [ "$output" = "estimator, in the page alone: z zoom N" ]
}

@test "a page has the whole reference of its subject" {
    for page in forecost-machine.5:machine-table forecost-output.7:output forecost-segment.5:segment-description; do
        tables=$(grep -cE '^\|' "$FORECOST_SOURCE/doc/${page#*:}.md")
        headings=$(grep -cE '^\|[ -]*-[-| ]*$' "$FORECOST_SOURCE/doc/${page#*:}.md")
        rows=$(awk '/^\.Sh FILES|^\.Sh EXAMPLES|^\.Sh DESCRIPTIONS/ { exit } /^\.It / { n++ } END { print n }' "${page%:*}")
        [ "$rows" -eq $((tables - 2 * headings)) ]
    done
    sed 's/@reference .*/@reference doc\/none.md@/' "$FORECOST_SOURCE/doc/man/forecost-output.7.in" >page.in
    run awk -v folder="$FORECOST_SOURCE" -f "$FORECOST_SOURCE/doc/man/reference.awk" page.in
    [ "$status" -eq 1 ]
    [[ $output == *"doc/none.md: cannot be read"* ]]
}

# example_files PAGE: writes the literal displays that are files, under the name of the .Pa before.
example_files() {
    awk '/^\.Sh/                    { examples = $2 == "EXAMPLES" }
         !examples                  { next }
         $1 == ".Pa"                { name = $2 }
         /^\.Ed/                    { writing = 0 }
         writing                    { print >name }
         /^\.Bd -literal/           { getline; if ($0 !~ /^\$ /) { writing = 1; print >name } }' "$1"
}

# example_commands PAGE: the lines that begin with a dollar.
example_commands() {
    awk '/^\.Sh/ { examples = $2 == "EXAMPLES" } examples && sub(/^\$ /, "")' "$1"
}

# run_examples PAGE LEAST: all commands in one shell; any that fails is named.
run_examples() {
    example_files "$1"
    example_commands "$1" >commands
    [ "$(wc -l <commands)" -ge "$2" ]
    awk '{ print; print "status=$?; [ $status -eq 0 ] || { echo \"line " NR " fails: $status\"; exit 1; }" }' \
        commands >examples.sh
    bash ./examples.sh
}

@test "the examples of the estimator's page run" {
    command -v gnuplot >/dev/null || skip "gnuplot is not installed"
    run_examples estimator.1 10
    grep -q '<svg' rates.svg
}

@test "the examples of the pages about files run" {
    run_examples forecost-machine.5 2
    [ -s pair.yaml ]
    run_examples forecost-segment.5 2
    [ -s sweeps.yaml ]
}

@test "the examples of the trainer's page run" {
    need_trainer
    mpiexec=${MPIEXEC:-mpiexec}
    command -v "$mpiexec" >/dev/null || skip "no $mpiexec"
    [[ $mpiexec != *smpirun* ]] || skip "configured for the simulated bed"
    [ "$(nproc)" -ge 2 ] || skip "fewer than 2 cores"
    # Whether a table still holds is for the machine to say: 0 and 1 are answers.
    sed -i 's/^\$ \(mpiexec .*--validate.*\)$/$ \1 || [ $? -eq 1 ]/' trainer.1
    # make check-long measures what the page measures; here it is less, in seconds.
    [ -n "${FORECOST_LONG:-}" ] || sed -i -E '/^\$ /{ s/--quick/& --max-bytes=4k/; s/--validate=[^ ]+/& --budget=2/
        s/--max-bytes=64k/--max-bytes=1k/ }' trainer.1
    mpiexec() { timeout 120 "${MPIEXEC:-mpiexec}" "$@"; }
    export -f mpiexec
    export MPIEXEC=$mpiexec
    run_examples trainer.1 5
    estimator check this-machine.yaml exchange.yaml
    [ -s exchange.launch-2.yaml ]
}
