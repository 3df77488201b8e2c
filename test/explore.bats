#!/usr/bin/env bats
# estimator explore on a terminal of 80 x 24, which tmux draws and types into.

source "$FORECOST_SOURCE/test/waits.bash"

setup() {
    unset COLUMNS # which would be the terminal's width
    jacobi=$FORECOST_SOURCE/samples/jacobi/jacobi.yaml
    sp1=$FORECOST_SOURCE/machines/sp1-mpl.yaml
    sp2=$FORECOST_SOURCE/machines/sp2-mpl.yaml
    [ "$BATS_TEST_NUMBER" -eq 1 ] || command -v tmux >/dev/null || skip "tmux is not installed"
    cd "$BATS_TEST_TMPDIR" || exit 1
    export TMUX_TMPDIR=$BATS_TEST_TMPDIR
}

# Of a terminal that is gone, too: beneath a sanitizer an estimator may look for leaks for ever, on all of a core.
teardown() {
    if [ -s pid ] && grep -qsa explore "/proc/$(cat pid)/cmdline"; then kill -KILL "$(cat pid)"; fi
    if command -v tmux >/dev/null; then tmux -L explore-test kill-server 2>/dev/null || true; fi
}

# explore ARGUMENT...: the estimator in 80 x 24; its exit status goes into the file `status`, unless $behind says
# what follows it in its shell.
explore() {
    rm -f pid status modes
    printf '%q ' sh -c 'echo $$ >pid; ulimit -c 0; exec "$@"' sh "$(command -v estimator)" explore "$@" >command.sh
    echo "${behind:-; echo \$? >status; stty -a >modes}; exec sleep 60" >>command.sh
    tmux -L explore-test -f /dev/null new-session -d -x 80 -y 24 "${shell:-sh} ./command.sh"
}

keys() {
    tmux -L explore-test send-keys "$@"
}

is_shown() {
    tmux -L explore-test capture-pane -p >screen
    grep -qF -- "$1" screen
}

# shows TEXT: waits until the screen does.
shows() {
    eventually is_shown "$1" && return
    echo "not shown: $1"
    cat screen
    return 1
}

# line NAME: of a candidate on the screen, "compute communicate total low high".
line() {
    awk -v name="$1" '{ sub(/^\*/, " ") } $2 == name { print $3, $4, $5, $6, $7 }' screen
}

# ended: waits until the estimator has; the terminal is as it was.
ended() {
    eventually test -s modes
    grep -q ' echo ' modes
    grep -q ' icanon ' modes
    [ "$(tmux -L explore-test display-message -p '#{alternate_on} #{cursor_flag}')" = "0 1" ]
}

is_line() {
    tmux -L explore-test capture-pane -p >screen
    [ "$(line "$1")" = "$2" ]
}

# costs NAME OPTION...: waits until the screen shows what rank predicts: a terminal may be seen half drawn.
costs() {
    local name=$1 expected
    shift
    expected=$(predicted "$name" "$@")
    [ -n "$expected" ] && eventually is_line "$name" "$expected" && return
    echo "$name: $(line "$name"), and rank says $expected"
    cat screen
    return 1
}

# predicted NAME OPTION...: the same from rank, with as many digits.
predicted() {
    local name=$1
    shift
    estimator rank "$@" --format csv | awk -F, -v name="$name" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        $2 == name { printf "%.6g %.6g %.6g %.6g %.6g\n", $at["compute_us"], $at["communicate_us"], $at["total_us"], $at["low_us"], $at["high_us"] }'
}

@test "without a terminal: one line, status 2" {
    run estimator explore "$sp2" "$jacobi" </dev/null
    [ "$status" -eq 2 ]
    [ "$output" = "estimator: explore needs a terminal; see estimator rank" ]
}

@test "costs follow parameters, p, machine and candidate; all that is shown is what rank says" {
    sed 's/name: sp2-mpl/name: other/; s/t0_us: 47/t0_us: 94/' "$sp2" >other.yaml
    explore "$sp2" other.yaml "$sp1" "$jacobi" -p 16 -D N=256
    shows "> p                16"
    shows "high_us"
    [ "$(wc -l <screen)" -eq 24 ]
    costs blocks "$sp2" "$jacobi" -p 16 -D N=256
    shows "* 1 rows"
    keys Down Right # twice N
    shows "> N                512"
    costs columns "$sp2" "$jacobi" -p 16 -D N=512
    keys + + +
    shows "> N                515"
    costs blocks "$sp2" "$jacobi" -p 16 -D N=515
    keys 1 0 0 9 BSpace 0
    shows "515 -> 1000_"
    keys Enter
    shows "> N                1000"
    costs blocks "$sp2" "$jacobi" -p 16 -D N=1000
    keys Up Left
    shows "> p                8"
    costs rows "$sp2" "$jacobi" -p 8 -D N=1000
    keys Up Right
    shows "> machine          other (2 of 3)"
    costs rows other.yaml "$jacobi" -p 8 -D N=1000
    keys Left Left # once round
    shows "> machine          sp1-mpl (3 of 3)"
    shows "neither units with a clock"
    keys Right
    shows "> machine          sp2-mpl (1 of 3)"
    costs rows "$sp2" "$jacobi" -p 8 -D N=1000
    keys Tab
    shows "* 2 columns"
}

@test "what does not fit, and what is wrong, is said on the page and can be changed back" {
    cp "$jacobi" j.yaml
    explore "$sp2" j.yaml -p 16
    shows "> p                16"
    keys + # 17 processors are no grid of two
    shows "does not fit"
    keys Tab Tab
    shows "'p / p0' is 2.125"
    keys -
    shows "> p                16"
    keys Down 0 Enter
    shows "expected at least 1 element"
    keys 6 4 Enter
    shows "> N                64"
    shows "high_us"
    shows "0-9 Enter: set"
    costs columns "$sp2" "$jacobi" -p 16 -D N=64
}

@test "q leaves the terminal as it was, with status 0" {
    explore "$sp2" "$jacobi"
    shows "high_us"
    tmux -L explore-test resize-window -x 60 -y 12 # nothing is lost but what does not fit
    keys "q"
    ended
    [ "$(cat status)" -eq 0 ]
}

@test "whatever signal ends it, the terminal is as it was, and the status says which" {
    for signal in 1 2 3 15; do
        explore "$sp2" "$jacobi"
        shows "high_us"
        kill -"$signal" "$(cat pid)"
        ended
        [ "$(cat status)" -eq $((128 + signal)) ]
        tmux -L explore-test kill-server
        sleep 0.2
    done
}

is_raw() {
    stty -a -F "$terminal" | grep -q -- ' -icanon '
}

@test "stopped, it leaves the terminal as it was, and goes on where it was" {
    behind='; stty -a >modes; fg; echo $? >status'
    shell="sh -m" # which stops its jobs
    explore "$sp2" "$jacobi" -p 16
    shows "> p                16"
    kill -TSTP "$(cat pid)"
    eventually test -s modes
    grep -q ' icanon ' modes
    terminal=$(tmux -L explore-test display-message -p '#{pane_tty}')
    eventually is_raw
    keys Right # after fg
    shows "> p                32"
    keys q
    eventually test -s status
    [ "$(cat status)" -eq 0 ]
}

@test "several programs, each with its settings" {
    explore "$sp2" "$sp1" "$jacobi" "$FORECOST_SOURCE/samples/adi/adi.yaml" -p 16
    shows "(1 of 2, n: the next)"
    keys Right
    shows "> p                32"
    keys n
    shows "(2 of 2, n: the next)"
    shows "> p                16"
    costs pipelined "$sp2" "$FORECOST_SOURCE/samples/adi/adi.yaml" -p 16
    keys Up
    shows "> machine          sp2-mpl (1 of 2)"
    keys n
    shows "> p                32"
    run estimator explore "$sp2" "$jacobi" "$sp1" </dev/null
    [ "$status" -eq 2 ]
    [[ "$output" == *"sp1-mpl.yaml"* ]]
}

@test "a name that a terminal would obey is shown and not obeyed" {
    sed 's/^  name: .*/  name: "sp2\\e[2Jmpl"/' "$sp2" >evil.yaml
    explore evil.yaml "$jacobi"
    shows 'sp2\x1b[2Jmpl'
    keys q
}
