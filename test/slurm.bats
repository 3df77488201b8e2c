#!/usr/bin/env bats
# The jobs of doc/hosts.md under a real Slurm of four nodes on this machine: the table is written
# before the job's end, by srun and by mpiexec, and what a job did not end the next one goes on with.

# shellcheck disable=SC2016 # what is quoted once runs beside Slurm
setup() {
    command -v mpiexec >/dev/null || skip "mpiexec is not installed (mpich)"
    [ -x "$FORECOST_BUILD/trainer/trainer" ] || skip "the trainer was not built (--without-mpi)"
    [[ ${MPIEXEC:-mpiexec} != *smpirun* ]] || skip "configured for the simulated bed"
    for command in slurmctld slurmd sbatch; do
        command -v "$command" >/dev/null || skip "$command is not installed (slurmctld, slurmd)"
    done
    [ "$(nproc)" -ge 2 ] || skip "fewer than 2 cores"
    export ASAN_OPTIONS=detect_leaks=0 # MPICH leaks at exit
    cd "$BATS_TEST_TMPDIR" || exit 1
    slurm=$FORECOST_SOURCE/test/hosts/slurm.sh
}

# job NAME LAUNCHER OPTION...: a batch script on two of the nodes, for one minute.
job() {
    local name=$1 launcher=$2
    shift 2
    cat >"$name.sh" <<END
#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --time=00:01:00 --output=$name.log
$launcher $FORECOST_BUILD/trainer/trainer --oversubscribe --no-progress --quick $*
END
}

# Slurm's own sbatch -W looks for the end less and less often.
run_job() {
    sbatch "$1"
    wait_for_jobs
}

# beside_slurm TEXT: a program of the shell, beside a Slurm of its own.
beside_slurm() {
    local status=0
    timeout 200 "$slurm" bash -c "$1" || status=$?
    [ "$status" -ne 77 ] || skip "slurmctld and slurmd do not start here"
    return "$status"
}

wait_for_jobs() {
    while [ -n "$(squeue --noheader)" ]; do sleep 0.2; done
}
export -f run_job wait_for_jobs

@test "under --time=00:01:00 srun and mpiexec leave a table, and the trainer knows the job's end" {
    job srun srun --suite point-to-point --max-bytes 64k -o srun.yaml
    job mpiexec mpiexec --suite point-to-point --max-bytes 64k -o mpiexec.yaml
    beside_slurm 'run_job srun.sh && run_job mpiexec.sh'
    for launcher in srun mpiexec; do
        estimator check "$launcher.yaml"
        [ "$(sed -En 's/^trainer: Slurm ends this job in [0-9]+ s: the budget is ([0-9]+) s, not 60 s$/\1/p' "$launcher.log")" -le 52 ]
    done
}

@test "a job that is cancelled leaves what it measured, and the next one goes on with it" {
    # short messages: on a busy machine, too, the first utility is measured long before the job's minute ends
    job first srun --suite patterns --max-bytes 1k --budget 45 -o it.yaml
    job second srun --suite patterns --max-bytes 1k --budget 45 -o it.yaml --resume
    beside_slurm '
        sbatch first.sh
        until grep -q "^point-to-point " first.log 2>/dev/null || [ -z "$(squeue --noheader)" ]; do sleep 0.1; done
        scancel --user="$(id -un)"
        wait_for_jobs
        cp it.yaml cancelled.yaml
        run_job second.sh'
    estimator check cancelled.yaml it.yaml
    [ "$(grep -c 'utility:' it.yaml)" -gt "$(grep -c 'utility:' cancelled.yaml)" ]
}
