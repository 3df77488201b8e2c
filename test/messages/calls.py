#!/usr/bin/env python3
"""Random MPI programs whose functions send as much as their callers say, and are called several times: directly, in loops,
in branches, from one another, through pointers. Each is run beside the counter (count.c), and what all processes send is
compared with what the description says: messages, and bytes of them.

calls.py DESCRIBER COUNTER [--count N] [--seed N] [-p N] [--refused-most SHARE] [--keep FOLDER]"""

import argparse
import glob
import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))
import yaml  # noqa: E402

from described import FUNCTIONS, LOADER, python  # noqa: E402

HEAD = """#include <mpi.h>
#define WORLD MPI_COMM_WORLD
#define ANY MPI_STATUS_IGNORE
static double a[100000], b[100000];
static int rank, p, size = 30;
typedef void (*sender)(int);
struct plan { sender send; int n; };
"""

# In each of them either every process sends one message as the others do, or few messages are sent, one after the other: the
# description has those as exchange or shift, and these as point-to-point.
SENDERS = {
    "ring": "MPI_Sendrecv(a, n, MPI_DOUBLE, (rank + 1) % p, 0, b, n, MPI_DOUBLE, (rank + p - 1) % p, 0, WORLD, ANY);",
    "back": "MPI_Request r[2]; MPI_Irecv(b, n, MPI_INT, (rank + 1) % p, 1, WORLD, r);"
            " MPI_Isend(a, n, MPI_INT, (rank + p - 1) % p, 1, WORLD, r + 1); MPI_Waitall(2, r, MPI_STATUSES_IGNORE);",
    "gather": "if (rank == 0) for (int i = 1; i < p; i++) MPI_Recv(b, n, MPI_DOUBLE, i, 2, WORLD, ANY);"
              " else MPI_Send(a, n, MPI_DOUBLE, 0, 2, WORLD);",
    "scatter": "if (rank == 0) for (int i = 1; i < p; i++) MPI_Send(a, n, MPI_FLOAT, i, 3, WORLD);"
               " else MPI_Recv(b, n, MPI_FLOAT, 0, 3, WORLD, ANY);",
    "ball": "if (rank == 0) { MPI_Send(a, n, MPI_DOUBLE, 1, 5, WORLD); MPI_Recv(b, n, MPI_DOUBLE, 1, 5, WORLD, ANY); }"
            " else if (rank == 1) { MPI_Recv(b, n, MPI_DOUBLE, 0, 5, WORLD, ANY); MPI_Send(a, n, MPI_DOUBLE, 0, 5, WORLD); }",
}


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.names = self.random.sample(sorted(SENDERS), 2)
        self.kinds = set()
        self.number = 0

    def one_of(self, *kinds):
        kind = self.random.choice(kinds)
        self.kinds.add(kind)
        return kind

    def some(self):
        return str(self.random.choice([1, 7, 10, 25, 100, 300, 1000]))

    def count(self):
        return str(self.random.choice([2, 3, 5, 20, 40]))

    def fresh(self, name):
        self.number += 1
        return f"{name}{self.number}"

    def call(self):
        name = self.random.choice(self.names)
        kind = self.one_of("plain", "loop", "loops", "nested", "global", "grows", "first", "few", "either", "pointer", "table",
                           "member", "handed", "initial", "variable")
        n = self.some()
        if kind == "loop":
            return f"for (int t = 0; t < {self.count()}; t++) {name}({n});"
        if kind == "loops":
            return f"for (int t = 0; t < {self.count()}; t++) {{ {name}({n}); {self.random.choice(self.names)}({self.some()}); }}"
        if kind == "nested":
            return f"both({n});"
        if kind == "global":
            return f"size = {n}; of_size(); size = {self.some()};" + self.random.choice(["", " of_size();"])
        if kind == "grows":
            return self.random.choice([f"for (int k = 1; k <= {self.random.choice([3, 5])}; k++) {name}(10 * k);",
                                       f"for (int m = 64; m > {self.random.choice([4, 10])}; m /= 2) {name}(m);"])
        if kind == "first":
            return f"for (int t = 0; t < {self.count()}; t++) {{ if (t == 0) {name}({n}); {name}({self.some()}); }}"
        if kind == "few":
            return f"if (p > 1) {name}({n});"
        if kind == "either":
            return f"if (rank == 0) ball({n}); else if (rank == 1) ball({n});" if "ball" in self.names else f"{name}({n});"
        if kind == "pointer":
            pointer = self.fresh("f")
            return f"sender {pointer} = {self.random.choice(['', '&'])}{name}; {pointer}({n});" + \
                self.random.choice(["", f" {pointer} = {self.random.choice(self.names)}; (*{pointer})({self.some()});",
                                    f" for (int t = 0; t < {self.count()}; t++) {pointer}({self.some()});"])
        if kind == "table":
            return self.random.choice([f"table[1]({n});", f"for (int k = 0; k < 2; k++) table[k]({n});",
                                       f"for (int t = 0; t < {self.count()}; t++) for (int k = 0; k < 2; k++) table[k]({n});"])
        if kind == "member":
            plan = self.fresh("plan")
            return self.random.choice([f"struct plan {plan} = {{ {name}, {n} }};",
                                       f"struct plan {plan} = {{ .n = {n}, .send = {name} }};",
                                       f"struct plan {plan}; {plan}.send = {name}; {plan}.n = {n};"]) + \
                self.random.choice([f" {plan}.send({plan}.n);", f" planned(&{plan});",
                                    f" for (int t = 0; t < {plan}.n && t < 4; t++) {plan}.send({self.some()});"])
        if kind == "handed":
            return f"often({name}, {self.count()}, {n});"
        if kind == "initial":
            return f"int {self.fresh('got')} = valued({n});"
        if kind == "variable":
            m = self.fresh("m")
            return f"int {m} = {n}; {name}({m}); {m} *= 2; {name}({m});"
        return f"{name}({n});"

    def text(self):
        one, other = self.names
        lines = [HEAD]
        lines += [f"static void {name}(int n) {{ {SENDERS[name]} }}" for name in self.names]
        lines += [f"static void both(int n) {{ {one}(n); {other}(2 * n); }}",
                  f"static void of_size(void) {{ {one}(size); }}",
                  f"static int valued(int n) {{ {other}(n); return n; }}",
                  "static void often(sender send, int times, int n) { for (int t = 0; t < times; t++) send(n); }",
                  "static void planned(const struct plan *plan) { plan->send(plan->n); }",
                  f"static sender table[2] = {{ {one}, {other} }};",
                  "int main(int argc, char **argv)\n{", "    MPI_Init(&argc, &argv);",
                  "    MPI_Comm_rank(WORLD, &rank);", "    MPI_Comm_size(WORLD, &p);"]
        lines += ["    " + self.call() for _ in range(self.random.choice([1, 2, 2, 3]))]
        return "\n".join(lines + ["    MPI_Finalize();", "    return 0;", "}", ""])


def told(text, p):
    """Messages of all processes, and their bytes, as a description says."""
    tree = yaml.load(text, LOADER)
    names = {str(k): v for k, v in (tree.get("parameters") or {}).items()} | {"p": p}

    def value(expression, more):
        return eval(python(expression), FUNCTIONS, {**names, **more})

    for name, expression in (tree.get("let") or {}).items():
        try:
            names[name] = value(expression, {})
        except NameError:
            pass
    total = [0, 0]

    def walk(items, times, more):
        for item in items:
            if "call" in item and item["call"]["utility"] in ("point-to-point", "exchange", "shift"):
                senders = 1 if item["call"]["utility"] == "point-to-point" else p
                total[0] += times * senders
                total[1] += times * senders * value(item["call"]["bytes"], more)
            elif "loop" in item:
                (index, (first, last)), = item["loop"].items()
                for i in range(round(value(first, more)), round(value(last, more)) + 1):
                    walk(item["body"], times, {**more, index: i})
    for segment in tree["program"]:
        walk(segment["body"], value(segment.get("repeat", 1), {}), {})
    return total


def counted(program, p, counter):
    for old in glob.glob("counts.*"):
        os.remove(old)
    subprocess.run(["mpiexec", "-n", str(p), program], check=True, timeout=60, stdout=subprocess.DEVNULL,
                   env={**os.environ, "LD_PRELOAD": counter, "FORECOST_COUNT": os.path.abspath("counts")})
    total = [0, 0]
    for name in glob.glob("counts.*"):
        fields = open(name).read().split(",")
        total[0] += int(fields[1])
        total[1] += int(fields[2])
    return total


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("describer")
    parser.add_argument("counter")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-p", type=int, default=4)
    parser.add_argument("--refused-most", type=float, default=1)
    parser.add_argument("--keep")
    it = parser.parse_args()
    describer, counter = os.path.abspath(it.describer), os.path.abspath(it.counter)
    wrong = refused = 0
    by_kind = {}
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(it.keep or folder)
        for seed in range(it.seed, it.seed + it.count):
            program = Program(seed)
            name = f"calls{seed}"
            text = program.text()
            with open(name + ".c", "w") as out:
                out.write(text)
            said = subprocess.run([describer, name + ".c"], capture_output=True, text=True)
            for kind in program.kinds:
                by_kind.setdefault(kind, [0, 0])[said.returncode != 0] += 1
            if said.returncode:
                refused += 1
                if it.keep:
                    print(f"{name}: refused: {said.stderr.strip()[:300]}")
                if said.returncode != 2 or not said.stderr.startswith(name + ".c:"):
                    wrong += 1
                    print(f"{name}: no refusal with a place: {said.returncode} {said.stderr.strip()}")
                continue
            subprocess.run(["mpicc", "-w", "-o", name, name + ".c"], check=True)
            right, its = counted("./" + name, it.p, counter), told(said.stdout, it.p)
            if right != [round(x) for x in its]:
                wrong += 1
                print(f"{name}: {right} messages and bytes are sent, {its} are described: {said.stderr.strip()[:200]}")
                print(text[len(HEAD):])
    print(f"{it.count} programs, {refused} refused, {wrong} wrong")
    print("described and refused:", ", ".join(f"{k} {v[0]} {v[1]}" for k, v in sorted(by_kind.items())))
    return wrong > 0 or refused > it.refused_most * it.count


sys.exit(main())
