#!/usr/bin/env bats
# The end that a batch system sets to the job is known, and the table is written before it.
# shellcheck disable=SC2030,SC2031 # each test has an environment of its own

bats_require_minimum_version 1.5.0

setup() {
    command -v mpiexec >/dev/null || skip "mpiexec is not installed (mpich)"
    [ -x "$FORECOST_BUILD/trainer/trainer" ] || skip "the trainer was not built (--without-mpi)"
    [[ ${MPIEXEC:-mpiexec} != *smpirun* ]] || skip "configured for the simulated bed"
    [ "$(nproc)" -ge 2 ] || skip "fewer than 2 cores"
    export ASAN_OPTIONS=detect_leaks=0 # MPICH leaks at exit
    unset SLURM_JOB_ID SLURM_JOB_END_TIME PBS_JOBID LSB_JOBID
    cd "$BATS_TEST_TMPDIR" || exit 1
    mkdir bin
    PATH=$PWD/bin:$PATH
}

# answers COMMAND SCRIPT: a command of a batch system that notes its arguments and runs the script.
answers() {
    printf '#!/bin/sh\necho "$*" >asked\n%s\n' "$2" >"bin/$1"
    chmod +x "bin/$1"
}

train() {
    timeout 60 mpiexec -n 2 "$FORECOST_BUILD/trainer/trainer" --no-progress --quick --suite point-to-point --max-bytes 64 -o it.yaml "$@" 2>err
}

# said SYSTEM: the budget, seconds, that the trainer says that system leaves.
said() {
    sed -En "s/^trainer: $1 ends this job in [0-9]+ s: the budget is ([0-9]+) s, not 60 s$/\1/p" err
}

@test "a job's end that Slurm tells in the environment ends the calibration before it" {
    SLURM_JOB_END_TIME=$(($(date +%s) + 60)) train
    [ "$(said Slurm)" -le 52 ]
    estimator check it.yaml
    # what asked for less time has it
    SLURM_JOB_END_TIME=$(($(date +%s) + 600)) train --replace --budget 20
    ! grep -q 'ends this job' err || false
}

@test "squeue, qstat and bjobs are asked where the environment tells the job alone" {
    answers squeue 'date -d "+60 seconds" +%Y-%m-%dT%H:%M:%S'
    SLURM_JOB_ID=17_3 train
    [ "$(said Slurm)" -le 52 ]
    [ "$(cat asked)" = "-h -o %e -j 17_3" ]
    answers qstat 'printf "Job Id: 5.host\n    Resource_List.walltime = 00:01:00\n    stime = %s\n" "$(LC_ALL=C date "+%a %b %d %H:%M:%S %Y")"'
    PBS_JOBID=5.host train --replace
    [ "$(said PBS)" -le 52 ]
    answers qstat 'echo "    Walltime.Remaining = 60"'
    PBS_JOBID=5.host train --replace
    [ "$(said PBS)" -le 52 ]
    answers bjobs 'echo "0:1 L"'
    LSB_JOBID=9 train --replace
    [ "$(said LSF)" -le 52 ]
}

@test "no end, no such command and a job's name that a shell would obey change nothing" {
    answers squeue 'echo N/A'
    SLURM_JOB_ID=17 train
    ! grep -q 'ends this job' err || false
    PBS_JOBID='5; touch obeyed' train --replace
    [ ! -e obeyed ]
    ! grep -q 'ends this job' err || false
}
