#!/bin/bash
# Whether the trainer finds the two states of a machine that is known to have them: MPICH on two cores of
# this one, whose messages states_inject.c makes longer in a known share of spells. Tables of only quick
# and of only slow spells are the truth. For people; no test depends on it.
#
#   FORECOST_SOURCE=SOURCE FORECOST_BUILD=BUILD test/bench/states.sh [SHARE [SUITE]]
#
# SHARE of the spells that are slow (0.35 0.7), SUITE of the trainer (patterns). Prints for each share the
# states with their shares, and how far the times of both are from the truth: of those of the table, and
# of those with the factors of the other state. Takes two minutes; the machine has to be quiet.
set -euo pipefail
shares=${1:-0.35 0.7} suite=${2:-point-to-point,exchange,combine,broadcast}
source=$(realpath "$FORECOST_SOURCE") build=$(realpath "$FORECOST_BUILD")
work=${KEEP:-$(mktemp -d)}
[ -n "${KEEP-}" ] || trap 'rm -rf "$work"' EXIT
cd "$work"
mpicc -O2 -shared -fPIC "$source/test/bench/states_inject.c" -o inject.so

train() { # SHARE TABLE
    mpiexec -n 2 -genv LD_PRELOAD "$work/inject.so" -genv STATES_SHARE "$1" "$build/trainer/trainer" \
        --suite "$suite" --max-bytes 64k --no-progress --replace -o "$2" 2>>said || { tail -3 said; exit 1; }
}

# The share of slow spells while a table was made cannot be chosen: the gauge's states are beside it.
train 0 quick.yaml
train 1 slow.yaml
for share in $shares; do
    train "$share" mixed.yaml
    echo "share of slow spells $share:"
    python3 - "$build/estimator/estimator" <<'END'
import csv, io, statistics, subprocess, sys
estimator = sys.argv[1]

def ask(*arguments):
    out = subprocess.run([estimator, *arguments, '--format', 'csv'], capture_output=True, text=True, check=True)
    return list(csv.DictReader(io.StringIO(out.stdout)))

states = [s for s in ask('show', 'mixed.yaml', '--section', 'states') if s['share']]
for state in states:
    print('  state', state['state'], 'share', state['share'], 'gauge', state['gauge_us'], 'us')
sizes = '8,64,512,2048,8192,16384,32768,65536'
quick_is_first = len(states) < 2 or float(states[0]['gauge_us']) < float(states[1]['gauge_us'])
first, other = ('quick', 'slow') if quick_is_first else ('slow', 'quick')
factors = [f for f in ask('show', 'mixed.yaml', '--section', 'states') if f['factor']]
for utility in 'point-to-point', 'exchange', 'combine', 'broadcast':
    def times(table):
        return {row['bytes']: float(row['time_us']) for row in ask('cost', table + '.yaml', utility, '-n', sizes, '-p', '2')}
    mixed, of_first, of_other = times('mixed'), times(first), times(other)
    off = [abs(mixed[n] / of_first[n] - 1) for n in mixed]
    line = '  %-16s state 1 off by %.1f %% (median), %.1f %% at most' % (utility, 100 * statistics.median(off), 100 * max(off))
    mine = [f for f in factors if f['utility'] == utility]
    def in_other(n):
        fits = [f for f in mine if f['bytes_upto'] in ('', 'inf') or float(n) <= float(f['bytes_upto'])]
        f = (fits or mine[-1:])[0]
        return float(f['add_us']) + float(f['factor']) * mixed[n]
    mine = [f for f in mine if f['state'] == '2']
    if mine:
        off = [abs(in_other(n) / of_other[n] - 1) for n in mixed]
        line += '; state 2 off by %.1f %%, %.1f %%' % (100 * statistics.median(off), 100 * max(off))
    print(line)
END
done
