#!/bin/bash
# Runs a command beside a Slurm of its own: a controller and four nodes of two cores each, all on this
# machine, for whoever calls. They are stopped whatever happens.
#
#   slurm.sh COMMAND [ARGUMENT...]
#
# Needs slurmctld and slurmd. Exits with 77 where these do not start.
set -eu
folder=$(mktemp -d)
export SLURM_CONF=$folder/slurm.conf
port=$((20000 + $$ % 10000))
me=$(id -un)
daemons=()

# shellcheck disable=SC2317 # a trap calls it
clean() {
    scancel --user="$me" 2>/dev/null || true
    for ((i = 0; i < 100; i++)); do # each step of a job has a process and a socket of it
        compgen -G "$folder/node?/node?_*.*" >/dev/null || break
        sleep 0.1
    done
    [ ${#daemons[@]} -eq 0 ] || kill "${daemons[@]}" 2>/dev/null || true
    wait "${daemons[@]}" 2>/dev/null || true
    rm -rf "$folder"
}
trap clean EXIT
trap 'exit 130' INT TERM # the trap above cleans

mkdir "$folder/state"
cat >"$SLURM_CONF" <<END
ClusterName=four
SlurmctldHost=localhost
SlurmctldPort=$port
AuthType=auth/none
CredType=cred/none
SlurmUser=$me
SlurmdUser=$me
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/%n
SlurmctldPidFile=$folder/controller.pid
SlurmdPidFile=$folder/%n.pid
SlurmctldLogFile=$folder/controller.log
SlurmdLogFile=$folder/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
MpiDefault=pmi2
KillWait=5
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
NodeName=node[1-4] NodeHostname=localhost NodeAddr=127.0.0.1 Port=[$((port + 1))-$((port + 4))] CPUs=2
PartitionName=all Nodes=node[1-4] Default=YES MaxTime=INFINITE State=UP
END
slurmctld -D -c -f "$SLURM_CONF" >"$folder/controller.out" 2>&1 3>&- &
daemons+=($!)
for node in 1 2 3 4; do
    slurmd -D -N "node$node" -f "$SLURM_CONF" >"$folder/$node.out" 2>&1 3>&- &
    daemons+=($!)
done
for ((i = 0; i < 100; i++)); do
    [ "$(sinfo --noheader --format=%D --states=idle 2>/dev/null)" = 4 ] && break
    sleep 0.2
done
[ "$i" -lt 100 ] || { cat "$folder"/*.out "$folder"/*.log >&2; exit 77; }
"$@"
