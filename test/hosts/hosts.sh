#!/bin/bash
# Runs an MPI program on hosts of its own: network namespaces, joined by a bridge, which talk TCP. They
# are removed whatever happens.
#
#   hosts.sh HOSTS RANKS PROGRAM [ARGUMENT...]
#
# HOSTS_CUT_AT cuts the last host's link as soon as there is a file of that name. Needs root and iproute2.
set -eu
hosts=$1
ranks=$2
shift 2
id=fc$$

# shellcheck disable=SC2317 # a trap calls it
clean() {
    [ -z "${cutter:-}" ] || kill "$cutter" 2>/dev/null || true
    for ((i = 1; i <= hosts; i++)); do
        ip netns pids "$id-$i" 2>/dev/null | xargs -r kill -KILL 2>/dev/null || true
        ip netns del "$id-$i" 2>/dev/null || true
    done
    ip link del "$id" 2>/dev/null || true
    rm -f "$launcher"
}

make_host() { # make_host NUMBER
    ip netns add "$id-$1"
    ip link add "$id.$1" type veth peer name eth0 netns "$id-$1"
    ip link set "$id.$1" master "$id" up
    ip -n "$id-$1" addr add "10.77.0.$1/24" dev eth0
    ip -n "$id-$1" link set eth0 up
    ip -n "$id-$1" link set lo up
}

launcher=$(mktemp)
trap clean EXIT
trap 'exit 130' INT TERM # the trap above cleans
# Hydra calls it as it would call ssh: options, host, command.
cat >"$launcher" <<END
#!/bin/bash
while [[ \$1 == -* ]]; do shift; done
host=\${1##*.}
shift
exec ip netns exec "$id-\$host" taskset -c \$(((host - 1) % $(nproc))) unshare --uts bash -c "hostname host\$host; \$*"
END
chmod +x "$launcher"
ip link add "$id" type bridge
ip link set "$id" up
for ((i = 1; i <= hosts; i++)); do
    make_host "$i"
done
list=$(seq -s, -f '10.77.0.%.0f' 1 "$hosts")
if [ -n "${HOSTS_CUT_AT:-}" ]; then
    (until [ -e "$HOSTS_CUT_AT" ]; do sleep 0.1; done; ip link set "$id.$hosts" down) &
    cutter=$!
fi
export UCX_TLS=tcp,self UCX_NET_DEVICES=eth0
status=0
ip netns exec "$id-1" "${MPIEXEC:-mpiexec}" -hosts "$list" -launcher ssh -launcher-exec "$launcher" \
    -n "$ranks" "$@" &
wait $! || status=$?
exit $status
