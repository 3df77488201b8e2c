# shellcheck shell=bash
# How tests wait for what others do.

# eventually COMMAND...: waits until the command succeeds, however busy the machine is. What has not happened after five
# minutes never will: no test passes or fails by how fast something is.
eventually() {
    local end=$((SECONDS + 300))
    until "$@"; do
        [ "$SECONDS" -lt "$end" ] || return 1
        sleep 0.05
    done
}

# ended PROCESS: it is not there any more, or waits for its parent alone.
has_ended() {
    ! [ -e "/proc/$1/exe" ]
}
