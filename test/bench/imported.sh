#!/bin/bash
# How far imported tables are from the trainer's on one machine: the OSU micro-benchmarks, IMB-MPI1
# and the trainer by turns, two processes each, utility by utility in short launches; what others
# printed goes through estimator import. The machine changes its state from one second to the next, where
# all take three or four times as long: what was measured in one round is compared, and the median over rounds
# counts at each size. For people; no test depends on it.
#
#   imported.sh BENCHMARKS [BUILD [ROUNDS [UTILITY...]]]
#
# BENCHMARKS: a folder in or below which lie osu_latency, osu_bcast, osu_allreduce, osu_allgather,
# osu_alltoall and osu_barrier, or IMB-MPI1, or both, built by the mpicc that the trainer was built with
# (mvapich.cse.ohio-state.edu/benchmarks; github.com/intel/mpi-benchmarks, src_c: make TARGET=MPI1
# CC=mpicc). BUILD: the folder of the project's programs (default: this source tree). UTILITY: by default
# those of the suite patterns that one of them has. Needs two free cores and MPICH's mpiexec (or MPIEXEC);
# the default takes one to two minutes.
#
# Prints for each utility and program the median over sizes of |imported / trained - 1|, the worst, and at
# how many sizes the imported time is above.
set -euo pipefail
[ $# -ge 1 ] || { sed -n '/^#   imported.sh/s/^# *//p' "$0" >&2; exit 2; }
benchmarks=$(realpath "$1")
build=$(realpath "${2:-$(dirname "$0")/../..}")
rounds=${3:-4}
wanted=("${@:4}")
[ ${#wanted[@]} -gt 0 ] ||
    wanted=(point-to-point exchange broadcast combine all-gather many-to-many synchronization)
least=8 most=65536
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
PATH=$build/estimator:$build/trainer:$PATH

program() { find "$benchmarks" -type f -perm -u+x -name "$1" -print -quit; }
launch() { "${MPIEXEC:-mpiexec}" -bind-to core -n 2 "$@" 2>/dev/null; }

# The programs that measure a utility: OSU's, IMB's test; - : none.
peers_of() {
    case $1 in
    point-to-point) echo latency PingPong ;;
    exchange) echo - PingPing ;;
    broadcast) echo bcast Bcast ;;
    combine) echo allreduce Allreduce ;;
    all-gather) echo allgather Allgather ;;
    many-to-many) echo alltoall Alltoall ;;
    synchronization) echo barrier Barrier ;;
    reduce) echo reduce Reduce ;;
    gather) echo gather Gather ;;
    scatter) echo scatter Scatter ;;
    reduce-scatter) echo reduce_scatter Reduce_scatter_block ;;
    shift) echo - Sendrecv ;;
    *) echo - - ;;
    esac
}

# Versions of osu_latency without -m go on to 4 MiB: fewer repetitions keep them short. Where the type can be
# chosen, the largest is nearest to the trainer's doubles.
run_osu() { # PROGRAM
    case $1 in
    */osu_latency)
        if "$1" -h 2>&1 | grep -q -e ' -m'; then launch "$1" -m "$least:$most" -i 1000; else launch "$1" -i 300; fi
        ;;
    */osu_barrier) launch "$1" -f -i 1000 ;;
    *)
        if "$1" -h 2>&1 | grep -q -e ' -T'; then
            launch "$1" -f -m "$least:$most" -i 500 -T mpi_float
        else
            launch "$1" -f -m "$least:$most" -i 500
        fi
        ;;
    esac
}

# As by default, with a barrier before each repetition; or alike the trainer's: one behind the other,
# from changing roots, of doubles.
run_imb() { # TEST default|alike
    local options=()
    [ "$2" = default ] || options=(-sync off -root_shift on -red_data_type double)
    launch "$imb" "$1" -npmin 2 -msglog 3:16 -iter 500 -time 0.05 "${options[@]}"
}

# bytes us, by a table; a barrier has no size.
costs() { # TABLE UTILITY
    local sizes=0
    [ "$2" = synchronization ] || sizes=$(for ((n = least; n <= most; n *= 2)); do echo "$n"; done | paste -sd,)
    estimator cost "$1" "$2" -n "$sizes" -p 2 --format csv | awk -F, 'NR > 1 { print $2, $4 }'
}

# Adds round who utility bytes us to all that is measured.
keep() { # WHO UTILITY TABLE
    costs "$3" "$2" | awk -v of="$round $1 $2" '{ print of, $0 }' >>measured
}

import_output() { # WHO UTILITY
    rm -f other.yaml other.points.csv
    estimator import -p 2 other.txt -o other.yaml 2>/dev/null
    keep "$1" "$2" other.yaml
}

train() { # UTILITY SEED
    launch trainer --suite "$1" --quick --min-bytes "$least" --max-bytes "$most" --no-progress \
        --replace --seed "$2" -o ours.yaml
    keep ours "$1" ours.yaml
}

measure_with_osu() { # UTILITY NAME
    local osu
    osu=$(program "osu_$2")
    [ -n "$osu" ] || return 0
    run_osu "$osu" >other.txt
    import_output osu "$1"
}

measure_with_imb() { # UTILITY TEST
    local how
    [ -n "$imb" ] && [ "$2" != - ] || return 0
    for how in default alike; do
        run_imb "$2" "$how" >other.txt
        import_output "imb-$how" "$1"
    done
}

imb=$(program IMB-MPI1)
[ -n "$imb$(program 'osu_*')" ] || { echo "imported.sh: $benchmarks: no osu_... and no IMB-MPI1 there" >&2; exit 2; }
for ((round = 1; round <= rounds; round++)); do
    for utility in "${wanted[@]}"; do
        read -r osu test < <(peers_of "$utility")
        measure_with_osu "$utility" "$osu"
        train "$utility" "$round"
        measure_with_imb "$utility" "$test"
    done
done

# utility who bytes |error| error: the median over rounds of what a round has of both.
awk '$2 == "ours" { ours[$1, $3, $4] = $5; next } ($1, $3, $4) in ours { print $3, $2, $4, $5 / ours[$1, $3, $4] - 1 }' \
    <(grep ' ours ' measured) <(grep -v ' ours ' measured) | sort -k1,3 -k4,4g |
    awk '
        function flush() {
            if (n)
                error = (e[int((n + 1) / 2)] + e[int(n / 2 + 1)]) / 2
            if (n)
                print at, error < 0 ? -error : error, error
        }
        $1 " " $2 " " $3 != at { flush(); at = $1 " " $2 " " $3; n = 0 }
        { e[++n] = $4 }
        END { flush() }' | sort -k1,2 -k4,4g >errors
printf '%-16s %-11s %5s %8s %8s %6s\n' utility imported sizes median worst above
awk '
    function flush() {
        if (n)
            printf "%-16s %-11s %5d %7.1f%% %7.1f%% %6d\n", utility, who, n,
                50 * (e[int((n + 1) / 2)] + e[int(n / 2 + 1)]), 100 * e[n], above
    }
    $1 != utility || $2 != who { flush(); utility = $1; who = $2; n = above = 0 }
    { e[++n] = $4; above += $5 > 0 }
    END { flush() }' errors
