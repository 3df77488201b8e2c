#!/usr/bin/env python3
"""Random MPI programs whose processes compute in turn: by a loop's index, by remainders and quotients of it, by stretches of
it, with and without something between that lets the others wait. Each is gone through here, process by process, for what
they compute one after the other, and that is compared with the prediction; one that is flagged by a remark may differ.

turns.py ESTIMATOR MACHINE [--count N] [--seed N] [--wrong-most N] [--refused-most SHARE] [--keep FOLDER]"""

import argparse
import csv
import io
import os
import random
import subprocess
import sys
import tempfile

HEAD = """#include <mpi.h>
#define WORLD MPI_COMM_WORLD
static double a[100000], b[100000];
static void work(void) { for (int i = 0; i < 1000; i++) a[i] = a[i] * 3; }
int main(int argc, char **argv)
{
    int rank, p;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &p);
"""

LITTLE = 0.12  # what a prediction may be off without a remark

# Whose turn iteration k of n is: the condition, and the same in Python.
CONDITIONS = {
    "index": ("k == rank", lambda k, r, p, n: k == r),
    "remainder": ("k % p == rank", lambda k, r, p, n: k % p == r),
    "turned": ("rank == k % p", lambda k, r, p, n: k % p == r),
    "next": ("(k + 1) % p == rank", lambda k, r, p, n: (k + 1) % p == r),
    "distance": ("(k - rank + p) % p == 0", lambda k, r, p, n: (k - r) % p == 0),
    "block": ("k / part == rank", lambda k, r, p, n: k // (n // p) == r),
    "stretch": ("k >= first && k < behind", lambda k, r, p, n: r * (n // p) <= k < (r + 1) * (n // p)),
    "others": ("k % p != rank", lambda k, r, p, n: k % p != r),
}

# What stands behind the turn: the call, and who waits for whom (all, for the root, the root for all).
CALLS = {
    "nothing": ("", None),
    "reduction": ("MPI_Allreduce(a, b, 1, MPI_DOUBLE, MPI_SUM, WORLD);", ("all", None)),
    "broadcast": ("MPI_Bcast(b, 8, MPI_DOUBLE, 0, WORLD);", ("root", lambda k, p: 0)),
    "broadcasts": ("MPI_Bcast(b, 8, MPI_DOUBLE, k % p, WORLD);", ("root", lambda k, p: k % p)),
    "gather": ("MPI_Gather(a, 1, MPI_DOUBLE, b, 1, MPI_DOUBLE, 0, WORLD);", ("to", lambda k, p: 0)),
}


class Phase:
    def __init__(self, choose):
        self.condition = choose.choice(sorted(CONDITIONS))
        self.call = choose.choice(sorted(CALLS))
        self.is_before = choose.random() < 0.4
        self.n = choose.choice([16, 32, 64, 96])
        self.form = choose.choice(["if", "else", "continue", "variable"])
        if self.form == "continue" and self.call != "nothing":
            self.form = "if"

    def text(self):
        condition, _ = CONDITIONS[self.condition]
        call, _ = CALLS[self.call]
        turn = {"if": f"if ({condition}) work();",
                "else": f"if (!({condition})) {{ }} else {{ work(); }}",
                "continue": f"if (!({condition})) continue; work();",
                "variable": f"const int owner = k % p; if ({condition.replace('k % p', 'owner')}) work();"}[self.form]
        parts = [call, turn] if self.is_before else [turn, call]
        return (f"    {{ const int n = {self.n}, part = n / p, first = rank * part, behind = first + part;\n"
                f"    for (int k = 0; k < n; k++) {{ {' '.join(parts)} }} }}\n"
                "    MPI_Allreduce(a, b, 1, MPI_DOUBLE, MPI_SUM, WORLD);\n")

    def meet(self, k, p, clocks):
        waits = CALLS[self.call][1]
        if not waits:
            return
        kind, root_of = waits
        if kind == "all":
            clocks[:] = [max(clocks)] * p
        elif kind == "root":
            clocks[:] = [max(clock, clocks[root_of(k, p)]) for clock in clocks]
        else:
            clocks[root_of(k, p)] = max(clocks)

    def time(self, p):
        holds = CONDITIONS[self.condition][1]
        clocks = [0] * p
        for k in range(self.n):
            if self.is_before:
                self.meet(k, p, clocks)
            for r in range(p):
                clocks[r] += holds(k, r, p, self.n)
            if not self.is_before:
                self.meet(k, p, clocks)
        return max(clocks)


def predicted(estimator, machine, path, p):
    run = subprocess.run([estimator, "predict", machine, path, "-p", str(p), "--format", "csv"],
                         capture_output=True, text=True)
    if run.returncode:
        return None, run.stderr
    rows = [row for row in csv.DictReader(io.StringIO(run.stdout)) if row["segment"] == "all"]
    return float(rows[0]["compute_us"]), run.stderr


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("estimator")
    parser.add_argument("machine")
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--wrong-most", type=int, default=0)
    parser.add_argument("--refused-most", type=float, default=0.1)
    parser.add_argument("--keep")
    options = parser.parse_args()
    wrong = refused = flagged = 0
    folder = options.keep or tempfile.mkdtemp()
    for seed in range(options.seed, options.seed + options.count):
        choose = random.Random(seed)
        phases = [Phase(choose) for _ in range(choose.choice([1, 1, 2]))]
        path = os.path.join(folder, f"turns-{seed}.c")
        with open(path, "w") as file:
            file.write(HEAD + "".join(phase.text() for phase in phases) + "    MPI_Finalize();\n    return 0;\n}\n")
        for p in (1, 2, 4, 8):
            expected = sum(phase.time(p) for phase in phases)
            found, said = predicted(options.estimator, options.machine, path, p)
            if found is None:
                refused += 1
                print(f"seed {seed}, p = {p}: refused: {said.strip()[-160:]}")
            elif abs(found - expected) > LITTLE * max(expected, 1) and "remark" in said:
                flagged += 1
            elif abs(found - expected) > LITTLE * max(expected, 1):
                wrong += 1
                print(f"seed {seed}, p = {p}: {found} us, {expected} us expected: " +
                      "; ".join(f"{x.condition} {x.call} {x.form} {x.n}{' before' if x.is_before else ''}" for x in phases))
    total = 4 * options.count
    print(f"{total} predictions: {wrong} wrong, {flagged} flagged, {refused} refused")
    return wrong > options.wrong_most or refused > options.refused_most * total


if __name__ == "__main__":
    sys.exit(main())
