#!/usr/bin/env bats
# Several hosts, as network namespaces that talk TCP, and what happens when one is cut off.

setup() {
    command -v mpiexec >/dev/null || skip "mpiexec is not installed (mpich)"
    [ -x "$FORECOST_BUILD/trainer/trainer" ] || skip "the trainer was not built (--without-mpi)"
    [[ ${MPIEXEC:-mpiexec} != *smpirun* ]] || skip "configured for the simulated bed"
    [ "$(nproc)" -ge 2 ] || skip "fewer than 2 cores"
    { ip netns add "fc-try-$$" && ip netns exec "fc-try-$$" true; } 2>/dev/null || skip "$(no_namespaces)"
    ip netns del "fc-try-$$"
    export ASAN_OPTIONS=detect_leaks=0 # MPICH leaks at exit
    cd "$BATS_TEST_TMPDIR" || exit 1
    hosts=$FORECOST_SOURCE/test/hosts/hosts.sh
    mine=$BATS_TEST_TMPDIR/it.yaml
}

# Why a test is skipped; nothing is left of the attempt.
no_namespaces() {
    ip netns del "fc-try-$$" 2>/dev/null || true
    echo "no network namespaces here (root, iproute2)"
}

teardown() {
    pkill -KILL -f -- "trainer .*-o $mine" || true
    wait || true
}

@test "two hosts over TCP: a table, unlike that of shared memory, and nothing is left of the hosts" {
    timeout 120 "$hosts" 2 2 "$FORECOST_BUILD/trainer/trainer" --no-progress --quick --suite point-to-point,exchange --budget 30 -o "$mine"
    timeout 120 mpiexec -n 2 "$FORECOST_BUILD/trainer/trainer" --no-progress --quick --suite point-to-point,exchange --budget 30 -o shared.yaml
    estimator check it.yaml
    # a message through two network stacks takes more than a few times as long as one through a cache
    estimator compare it.yaml shared.yaml --section exchange -n 8 -p 2 --format csv |
        awk -F, 'NR == 2 { exit !($7 == "shared" && $6 > 2) }'
    [ -z "$(ip netns list | grep '^fc[0-9]*-' || true)" ]
}

@test "a host that is cut off ends the ranks within their patience, with what was measured" {
    HOSTS_CUT_AT=$BATS_TEST_TMPDIR/it.unfinished.yaml "$hosts" 2 2 "$FORECOST_BUILD/trainer/trainer" --no-progress --patience 3 --quick --suite patterns,express --budget 60 -o "$mine" >out 2>err 3>&- &
    local script=$!
    for ((i = 0; i < 200; i++)); do # it runs
        pgrep -f -- "^[^ ]*trainer/trainer .*-o $mine" >/dev/null && break
        sleep 0.1
    done
    for ((i = 0; i < 600; i++)); do # cut after the first part; patience is 3 s, and 6 s on the other host
        pgrep -f -- "^[^ ]*trainer/trainer .*-o $mine" >/dev/null || break
        sleep 0.1
    done
    [ "$i" -lt 600 ]
    kill "$script" || true # Hydra waits for the host for ever
    wait "$script" || true
    [ ! -e it.yaml ]
    estimator check it.unfinished.yaml
    awk -F, 'NR == 1 { fields = NF } NF != fields { exit 1 }' it.unfinished.points.csv
}
