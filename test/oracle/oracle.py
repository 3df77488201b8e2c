"""The oracle of the C reader: random C programs are run, and what the reader says of them is compared with what they did.

    oracle.py ESTIMATOR [--seed FIRST] [--count N] [--keep FOLDER] [--smaller] [--processors 2,3,4]
    oracle.py --constructs [--seed FIRST] [--count N]
    oracle.py ESTIMATOR --spoil [--seed FIRST] [--count N]

A program is right; refused, with its place; flagged, by a remark with a place; or WRONG. Prints the wrong ones and a line a
construct; ends with 1 where a program is answered wrongly, or too many are refused. With --constructs: whether each
construct is in enough of the programs. With --spoil: whether the oracle notices mistakes that are made in descriptions
that are right."""

import sys

sys.dont_write_bytecode = True  # the source tree may be read-only

import argparse
import csv
import io
import math
import os
import random
import re
import subprocess
import tempfile
from collections import defaultdict

from described import Described
from generate import CONSTRUCTS, Maker
from tree import Scalar
from replay import read_tokens, replay

HERE = os.path.dirname(os.path.abspath(__file__))
# What descriptions of programs that are described rightly have of the operations executed: 0.67 where a maximum of absolute
# values is one operation and not two, 1.03 where a branch is taken as often as its probability says in the long run.
LEAST_OPERATIONS, MOST_OPERATIONS = 0.6, 1.06
# Mistakes in descriptions that are noticed: 75 of 100. The others are in one of two rows that stand for each other (calls with
# exchanged arrays), beside the cost of a library function, or in reads that are not the only ones of a chain.
LEAST_NOTICED = 0.65
LEAST_SHARE = 0.05  # of all programs, that a construct is in
REFUSED_MOST, REFUSED_MOST_OF_A_CONSTRUCT = 0.30, 0.50

# Each pattern by its own name, so that no pattern is composed of others.
TABLE = """forecost: 4
machine: {name: oracle}
communication:
  - {utility: point-to-point, regions: [{t0_us: 2, rinf_mb_per_s: 1000}]}
  - {utility: exchange, regions: [{t0_us: 3, rinf_mb_per_s: 1000}]}
""" + "".join(f"  - {{utility: {u}, regions: [{{setup_us: {{p: 1}}, per_byte_us: {{p: 0.001}}}}]}}\n" for u in (
    "broadcast", "one-to-many", "many-to-one", "many-to-many", "all-gather", "combine", "reduce", "reduce-scatter")) + \
    "node: {rate_mflops: 1000}\n"


def compile_and_run(programs, folder):
    """All programs in one; each leaves its tokens in a file."""
    parts = ['#include <stdlib.h>', '#include "recorder.h"']
    for program in programs:
        names = "|".join(map(re.escape, program.function_names + ["AT", "N", "M", "STEPS", "LOCAL", "grid"]))
        text = re.sub(rf"\b({names})\b", lambda m: f"{m[1]}_{program.seed}_", program.run)
        parts += [f"#undef LOCAL", text]
    starts = "".join(f"    start_{p.seed}_();\n" for p in programs)
    parts.append(f"int main(void)\n{{\n{starts}    return 0;\n}}")
    source = os.path.join(folder, "all.c")
    with open(source, "w") as stream:
        stream.write("\n".join(parts) + "\n")
    subprocess.run(["gcc", "-std=gnu17", "-O0", "-w", "-fmax-errors=3", "-I", HERE, source, "-o", os.path.join(folder, "all"), "-lm"], check=True)
    subprocess.run([os.path.join(folder, "all")], cwd=folder, check=True)


class Verdict:
    def __init__(self, word, why="", detail=""):
        self.word, self.why, self.detail = word, why, detail


def rows_of(estimator, folder, candidate, p):
    """Rows of the breakdown, or the failed run."""
    run = subprocess.run([estimator, "predict", os.path.join(folder, "table.yaml"), "described.yaml", "-c", candidate, "-p", str(p),
                          "--breakdown", "--format", "csv"], cwd=folder, capture_output=True, text=True)
    if run.returncode:
        return run
    return list(csv.DictReader(io.StringIO(run.stdout)))


PLACE = re.compile(r"\bprogram\.c:(\d+)")


def describe(estimator, program, folder, *more):
    run = subprocess.run([estimator, "describe", "--places", *more, "program.c"], cwd=folder, capture_output=True, text=True, timeout=60)
    program.said, program.description = run.stderr, run.stdout
    return run


def judge(estimator, program, truth, folder, processor_counts):
    with open(os.path.join(folder, "program.c"), "w") as stream:
        stream.write(program.plain)
    run = describe(estimator, program, folder)
    trips = re.search(r"-D (trips_(\d+)\w*)=", run.stderr)
    deciding = program.deciding_line or 0
    between = program.plain.split("\n")[int(trips[2]) - 1:deciding] if trips else []
    if between and not any(line.startswith("}") for line in between):
        # The reader asks how often a loop runs that data may end, in the same function: the run tells it.
        run = describe(estimator, program, folder, "-D", f"{trips[1]}={truth.counts[program.deciding_line]}")
    if run.returncode:
        if run.returncode == 2 and PLACE.search(run.stderr) and run.stderr.strip().count("\n") < 10:
            return Verdict("refused", run.stderr.strip())
        return Verdict("WRONG", "ended with %d" % run.returncode, run.stderr)
    return judge_description(estimator, program, truth, folder, processor_counts)


def is_flagged(program, wrong):
    """Whether a remark names the loop in which something is wrong. Some remarks are of all programs."""
    place = re.search(r"\bline (\d+)", wrong)
    lines = program.plain.split("\n")
    for remark in program.said.splitlines():
        at = PLACE.search(remark)
        if not at or re.search(r"set-up and output|library functions count", remark):
            continue
        around = [loop for loop in program.loops if loop[0] <= int(at[1]) <= loop[1]]
        # What a loop of main calls is of it.
        calls = around and any(re.search(r"\bphase\d+\(", text) for text in lines[around[0][0] - 1:around[0][1]])
        if place and around and (calls or around[0][0] <= int(place[1]) <= around[0][1]):
            return True
        # What has no line is of the whole program: a loop around all of it is.
        if not place and around and int(at[1]) == around[0][0] and all(
                around[0][0] <= line <= around[0][1] for line in program.nest_of if program.nest_of[line]):
            return True
    return False


def judge_description(estimator, program, truth, folder, processor_counts):
    with open(os.path.join(folder, "described.yaml"), "w") as stream:
        stream.write(program.description)
    wrong = []
    try:
        described = Described(program.description)
    except (NameError, SyntaxError, ValueError, KeyError, TypeError) as error:
        return Verdict("WRONG", f"the description cannot be gone through: {error}")
    wrong += compare_reads(program, truth, described)
    for candidate in program.layouts:
        at_one = None
        for p in [1] + processor_counts:
            rows = rows_of(estimator, folder, candidate, p)
            if isinstance(rows, list):
                rows = [row for row in rows if row["kind"] != "compute" or row["item"] not in described.handed_on]
            if not isinstance(rows, list):
                if rows.returncode == 2 and rows.stderr.count("\n") < 10:
                    return Verdict("refused", "predict: " + rows.stderr.strip())
                wrong.append(f"{candidate} p={p}: predict ended with {rows.returncode}: {rows.stderr}")
            elif p == 1:
                at_one = rows
                wrong += [f"{candidate}: {w}" for w in compare_counts(program, truth, rows)]
                wrong += [f"{candidate}: {w}" for w in compare_operations(program, truth, rows)]
            elif at_one is not None:
                wrong += [f"{candidate} p={p}: {w}" for w in compare_needs(
                    program, truth.layouts[candidate, p], described, candidate, p)]
                wrong += [f"{candidate} p={p}: {w}" for w in compare_owned(program, truth, truth.layouts[candidate, p], rows, at_one, p,
                                                                                 not described.handed_on)]
    if not wrong:
        return Verdict("right")
    unsaid = [w for w in wrong if not is_flagged(program, w)]
    if not unsaid:
        return Verdict("flagged", program.said.strip(), "\n".join(wrong))
    return Verdict("WRONG", unsaid[0], "\n".join(unsaid))


def spoiled(description, random):
    """A description with one mistake, and what it is; None where it has no place for that mistake."""
    lines = description.splitlines()
    def at(pattern):
        found = [k for k, text in enumerate(lines) if re.search(pattern, text)]
        return random.choice(found) if found else None
    kind = random.choice(("end", "read", "shifted", "operation", "repeat", "statement", "turned"))
    if kind == "end" and (k := at(r"loop: .*\]\}")) is not None:
        lines[k] = re.sub(r"\]\}", " - 1]}", lines[k], count=1)
    elif kind == "read" and (k := at(r'reads: \["[^"]*", "')) is not None:
        reads = re.search(r"reads: \[(.*?\")\]", lines[k])[1].split(", ")
        reads.remove(random.choice(reads))
        lines[k] = re.sub(r"reads: \[.*?\"\]", "reads: [" + ", ".join(reads) + "]", lines[k])
    elif kind == "shifted" and (k := at(r"\w+\[\w+-1\]")) is not None:
        lines[k] = re.sub(r"(\w+\[\w+)-1\]", r"\1]", lines[k], count=1)
    elif kind == "operation" and (k := at(r"operations: \{(add|mul|madd|div): \d+, ")) is not None:
        lines[k] = re.sub(r"operations: \{(add|mul|madd|div): \d+, ", "operations: {", lines[k])
    elif kind == "repeat" and (k := at(r"^ *repeat:")) is not None:
        del lines[k]
    elif kind == "statement" and (k := at(r"\{statement:.*operations")) is not None and description.count("{statement:") > 1:
        lines[k] = re.sub(r"operations: \{[^}]*\}", "operations: {load: 1}", lines[k])
    elif kind == "turned" and (k := at(r'writes: "\w+\[i\]\[j\]"')) is not None:
        lines[k] = re.sub(r'(writes: "\w+)\[i\]\[j\]"', r'\1[j][i]"', lines[k])
    else:
        return None
    return kind, "\n".join(lines) + "\n"


def by_line(rows, kind):
    lines = defaultdict(list)
    for row in rows:
        if row["kind"] == kind:
            lines[place_of(row)].append(row)
    return lines


def executions(program, truth, line):
    """How often a line runs; where a probability says it, that share of the executions of the condition."""
    likely = getattr(program.statements.get(line), "likely", None)
    if likely and likely[1] in truth.counts:
        return likely[0] * truth.counts[likely[1]]
    return truth.counts.get(line, 0)


def compare_counts(program, truth, rows):
    """Executions of each line on one processor."""
    lines = by_line(rows, "compute")
    for line, statement in program.statements.items():
        kind = getattr(statement, "kind", "condition")
        counted = executions(program, truth, line)
        if line not in lines:
            # A result that is only stored may be one with its reduction.
            is_copy = isinstance(getattr(statement, "value", None), Scalar)
            if kind in ("array", "reduce") and counted and program.nest_of[line] and not is_copy:
                yield f"line {line}: runs {counted} times, and is not described: {program.plain.splitlines()[line - 1].strip()}"
            continue
        # A sum is computed in a branch, or in pieces; behind each stands what is handed on, which takes nothing.
        is_sum = statement.likely or kind == "reduce"
        computing = [row for row in lines[line] if float(row["time_us"]) > 0 or not is_sum]
        said = sum(float(row["times"]) for row in computing or lines[line])
        if close(said * statement.unrolled, counted, 1e-6):
            continue  # a loop of a few iterations is straight-line code
        is_colour = statement.likely and statement.likely[1] not in truth.counts  # of which a half is told
        if not close(said, counted, 0.12 if is_colour else 1e-6):
            yield f"line {line}: runs {counted} times, described {said:g}: {program.plain.splitlines()[line - 1].strip()}"


def compare_operations(program, truth, rows):
    """Floating-point operations of the statements that are described. Those that a compiler takes out of loops, or needs not
    compute twice, are not counted in a description."""
    compute = by_line(rows, "compute")
    weights = {line: s.flops() for line, s in program.statements.items() if hasattr(s, "flops")}
    nests = {program.nest_of[line] for line in compute if line in program.nest_of} - {0}
    for nest in nests:
        lines = [line for line in program.nest_of if program.nest_of[line] == nest]
        if any(getattr(program.statements.get(line), "kind", "") == "setup" for line in lines):
            continue
        executed = sum(executions(program, truth, line) * weights.get(line, 1) for line in lines)
        said = sum(1000 * float(row["time_us"]) for line in lines for row in compute.get(line, ()))
        # The first addition to a scalar that is zero is none.
        least = LEAST_OPERATIONS * (0.75 if any(program.statements[line].unrolled > 1 for line in lines if line in program.statements) else 1)
        if said < least * executed or (said > MOST_OPERATIONS * executed and "libm" not in program.constructs):
            yield f"line {min(lines)}: a nest has {executed} floating-point operations, described {said:g}"


def close(a, b, tolerance):
    return abs(a - b) <= tolerance * max(abs(a), abs(b)) + 1e-9


def runs_of(program, owned, line):
    """How often each processor runs a line; of statements whose operations are told together, in the mean."""
    lines = [s.line for s in getattr(program.statements[line], "together", None) or [program.statements[line]]]
    return [sum(of) / len(lines) for of in zip(*(owned.runs[line] for line in lines))]


def compare_owned(program, truth, owned, rows, at_one, p, is_complete):
    compute, communicate = by_line(rows, "compute"), [r for r in rows if r["kind"] == "communicate"]
    # No processor has less to do than what it owns: in each line, or, where nobody waits between lines, in all together.
    priced = {line: sum(float(row["each_us"]) for row in of) / len(of) for line, of in compute.items() if line in owned.runs}
    mine = [sum(each * runs_of(program, owned, line)[q] / program.statements[line].unrolled for line, each in priced.items()
                if not program.statements[line].likely) for q in range(p)]
    total = sum(float(row["time_us"]) for line in priced for row in compute[line])
    for line, most in owned.busiest.items():
        is_told_alone = not getattr(program.statements[line], "together", None)
        if line in compute and not program.statements[line].likely and is_told_alone:
            said = sum(float(row["times"]) for row in compute[line]) * program.statements[line].unrolled
            if said < 0.87 * (most if total < 0.87 * max(mine) and is_complete and set(compute) <= set(owned.runs) else min(owned.runs[line])):
                yield f"line {line}: the busiest processor runs it {most} times, described {said:g}"
    # A nest takes as long as its longest chain, or as the busiest processor.
    nests = set(truth.serial) - {0}
    likely = {program.nest_of[line] for line, s in program.statements.items() if s.likely}
    carried = {program.nest_of[line] for line, s in program.statements.items() if getattr(s, "kind", "") == "carried"}
    is_chained = False
    for nest in nests:
        lines = [line for line in compute if program.nest_of.get(line) == nest]
        one, many = (sum(float(row["time_us"]) for line in lines for row in of[line])
                     for of in (by_line(at_one, "compute"), compute))
        serial, chain, work = truth.serial[nest], truth.chain[nest], owned.work[nest]
        if not serial or not one:
            continue
        waits = chain > 1.3 * work
        # What is described as one after the other has its messages one after the other.
        is_chained = is_chained or waits or many > 0.8 * one
        first = min(lines)
        # A loop that is split is as many statements, each with its own busiest processor.
        parts = max(len(compute[line]) for line in lines)
        if waits and many / one < 0.8 * max(chain, work) / serial:
            yield f"line {first}: a nest takes {many / one:.3g} of what it does on one processor, where its chain takes {chain / serial:.3g}"
        if not waits and nest not in likely and not carried and many / one > 1.3 * parts * max(work, owned.apart[nest]) / serial and not any(owned.needs.get(line) for line in lines):
            yield f"line {first}: a nest takes {many / one:.3g} of what it does on one processor, where it could take {work / serial:.3g}"
    # What is sent; a scalar that a loop carries may be handed on in each iteration.
    scalars = len({s.target.name for s in program.statements.values() if getattr(s, "kind", "") == "carried"})
    handed_on = scalars * sum(most_runs(truth, program, nest) * truth.executions[nest] for nest in carried & nests)
    low = high = rounds = 0.0
    results = results_most = 0.0
    for row in communicate:
        times, bytes_most = float(row["times"]), float(row["bytes"] or 0)
        bytes_least = float(row["bytes_least"] or bytes_most)
        if row["item"].startswith("reduction into"):
            results += times * bytes_most / 8
            # Each gets a part of the results.
            results_most += times * bytes_most / 8 * (p if row["resource"] == "reduce-scatter" else 1)
            continue
        utility = row["resource"]
        factor = p - 1 if utility in ("all-gather", "many-to-many") else 1
        spread = p - 1 if utility in ("many-to-one", "one-to-many") else factor
        # Of two partners in an exchange one may only get something; of all in a many-to-many half at least have messages.
        low += times * bytes_least * factor / 8 * {"exchange": 0.5, "many-to-many": p / 2 / (p - 1)}.get(utility, 1)
        high += times * bytes_most * spread / 8
        rounds += times
    gathers = "gather" in program.constructs
    # A probability scales no messages: how many of the elements that a sum may need it does need is by chance.
    may_need = any(s.likely and getattr(s, "kind", "") == "reduce" for s in program.statements.values())
    if high < 0.99 * owned.volume and not carried:
        yield f"a processor needs {owned.volume} elements, described {high:g}"
    slack = 2.5
    most = owned.volume_all if is_chained else owned.volume_most
    # What a condition on data reads is sent whole.
    is_likely = any(s.likely for s in program.statements.values())
    if low > slack * most + handed_on and not gathers and not is_likely:
        yield f"a processor needs {most} elements at most, described {low:g}"
    needed_rounds = sum(owned.rounds.values())
    if rounds < needed_rounds and not carried:
        yield f"messages in {needed_rounds} executions of loops, described {rounds:g}"
    if not carried and not ((may_need or 0.95 * results <= owned.results_most) and owned.results_least <= 1.05 * results_most):
        yield (f"{owned.results_least} to {owned.results_most} results of reductions over processors, described {results:g} to "
               f"{results_most:g}")


def merge_exchanged(program, names):
    """Arrays that pointers or arguments exchange are one another at times: those as large count as one."""
    first = {}
    for name in program.swapped:
        extents = tuple(program.arrays[names[name]][1])
        names[name] = first.setdefault(extents, names[name])


def compare_reads(program, truth, described):
    """Which elements each nest reads, that it has not written itself."""
    names = {name: k for k, (name, _) in enumerate(program.arrays)}
    merge_exchanged(program, names)
    same = lambda e: (names[program.arrays[e >> 20][0]], e & 0xFFFFF)
    said = described.reads()
    gathered = {line: {names[a] for a in s[3] if a in names} for s in described.statements for line in [s[0]]}
    for nest in set(program.nest_of.values()) - {0}:
        lines = [line for line in program.nest_of if program.nest_of[line] == nest]
        left_out = set().union(*(gathered.get(line, set()) for line in lines))
        if not any(line in said for line in lines):
            continue
        run = {same(e) for e in truth.reads[nest]} - {same(e) for e in truth.writes[nest]}
        described_ = {(names[a], e) for line in lines for a, e in said.get(line, ()) if a in names}
        lost = {e for e in run - described_ if e[0] not in left_out}
        if lost:
            a, e = min(lost)
            yield f"line {min(lines)}: {len(lost)} elements that are read are not described: number {e} of {program.arrays[a][0]}"


def compare_needs(program, owned, described, candidate, p):
    """Element by element: what each nest needs of other processors, in the run and in the description."""
    said, gathered = described.needs(candidate, p, {name for name, _ in program.arrays})
    names = {name: k for k, (name, _) in enumerate(program.arrays)}
    merge_exchanged(program, names)
    same = lambda k: names[program.arrays[k][0]]
    carried = {program.nest_of[line] for line, s in program.statements.items() if getattr(s, "kind", "") == "carried"}
    likely = {program.nest_of[line] for line, s in program.statements.items() if s.likely}
    for nest in set(program.nest_of.values()) - carried - {0}:
        lines = [line for line in program.nest_of if program.nest_of[line] == nest]
        if any(getattr(program.statements[line], "kind", "") == "setup" for line in lines):
            continue
        left_out = {names[a] for line in lines for a in gathered[line] if a in names}
        run = {(q, same(e >> 20), e & 0xFFFFF) for line in lines for q, _, e in owned.needs.get(line, ())}
        described_ = {(q, names[a], e) for line in lines for q, a, e in said.get(line, ()) if a in names}
        run = {n for n in run if n[1] not in left_out}
        described_ = {n for n in described_ if n[1] not in left_out}
        if run - described_:
            q, a, e = min(run - described_)
            yield (f"line {min(lines)}: {len(run - described_)} elements that are needed are not described: processor {q} "
                   f"needs number {e} of {program.arrays[a][0]}")
        elif described_ - run and nest not in likely:
            q, a, e = min(described_ - run)
            yield (f"line {min(lines)}: {len(described_ - run)} elements that nothing needs are described: processor {q} "
                   f"does not need number {e} of {program.arrays[a][0]}")


def place_of(row):
    place = PLACE.search(row["at"] or "")
    return int(place[1]) if place else 0


def most_runs(truth, program, nest):
    """Of the line that runs the most, in an execution of the nest."""
    return max(truth.counts[line] for line in truth.counts if program.nest_of[line] == nest) / truth.executions[nest]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("estimator", nargs="?")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--keep", help="folder for all programs that are not right")
    parser.add_argument("--smaller", action="store_true", help="keep wrong programs as small as they still are wrong")
    parser.add_argument("--processors", default="2,3,4")
    parser.add_argument("--wrong-most", type=int, default=0, help="programs that may be wrong")
    parser.add_argument("--refused-most", type=float, default=REFUSED_MOST_OF_A_CONSTRUCT, help="share of a construct's programs")
    parser.add_argument("--constructs", action="store_true")
    parser.add_argument("--spoil", action="store_true")
    options = parser.parse_args()
    seeds = range(options.seed, options.seed + options.count)
    if options.constructs:
        return count_constructs([Maker(seed).make() for seed in seeds])
    options.estimator = os.path.abspath(options.estimator)
    options.processors = [int(p) for p in options.processors.split(",")]
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "table.yaml"), "w") as stream:
            stream.write(TABLE)
        judged = ((program, truth, judge_in_time(options, program, truth, folder)) for program, truth in run_all(seeds, folder, options))
        if options.spoil:
            return spoil(options, judged, folder)
        verdicts, kinds = [], defaultdict(int)
        for program, truth, verdict in judged:
            verdicts.append((program, verdict))
            if verdict.word == "WRONG":
                print(f"{program.seed}: WRONG {' '.join(program.constructs)}: {verdict.why}", flush=True)
            if options.keep and verdict.word != "right":
                # The third of a kind tells nothing new.
                kinds[kind_of(verdict)] += verdict.word == "WRONG"
                if options.smaller and verdict.word == "WRONG" and kinds[kind_of(verdict)] < 3:
                    program, verdict = smaller(options, program, verdict, folder)
                keep(options.keep, program, verdict)
    return report(verdicts, options)


def run_all(seeds, folder, options):
    """Programs, and what their runs were; compiled so many at a time."""
    together = 50
    for first in range(0, len(seeds), together):
        programs = [Maker(seed).make() for seed in seeds[first:first + together]]
        compile_and_run(programs, folder)
        for program in programs:
            yield program, truth_of(program, folder, options)


def truth_of(program, folder, options):
    trace = os.path.join(folder, f"{program.seed}.trace")
    truth = replay(program, read_tokens(trace), options.processors)
    os.remove(trace)
    return truth


def judge_in_time(options, program, truth, folder):
    try:
        return judge(options.estimator, program, truth, folder, options.processors)
    except IndexError:
        return Verdict("WRONG", "the description has elements beyond the ends of an array", program.description)
    except subprocess.TimeoutExpired:
        return Verdict("WRONG", "does not end")


def count_constructs(programs):
    status = 0
    for construct in CONSTRUCTS:
        count = sum(construct in program.constructs for program in programs)
        print(f"{construct:16}{count / len(programs):7.1%}")
        status |= count < LEAST_SHARE * len(programs)
    several = sum(len(program.constructs) >= 3 for program in programs)
    print(f"{'three or more':16}{several / len(programs):7.1%}")
    return int(status or several < len(programs) / 2)


def spoil(options, judged, folder):
    made, noticed = defaultdict(int), defaultdict(int)
    for program, truth, verdict in judged:
        right = program.description
        for k in range(6 if verdict.word == "right" else 0):
            mistake = spoiled(right, random.Random(f"{program.seed} {k}"))
            if mistake:
                kind, program.description = mistake
                made[kind] += 1
                noticed[kind] += judge_description(options.estimator, program, truth, folder, options.processors).word != "right"
    for kind in sorted(made):
        print(f"{kind:12}{noticed[kind]:5} of {made[kind]}")
    return int(sum(noticed.values()) < LEAST_NOTICED * sum(made.values()) or len(made) < 5)


def kind_of(verdict):
    """What is wrong, without numbers and places."""
    return re.sub(r"^\w+( p=\d+)?: |line \d+: |[\d.]+", "", verdict.why)[:30]


def smaller(options, program, verdict, folder):
    """Without all that can be left out so that it is still wrong, in the same way."""
    simpler = set()
    for without in ["without-2", "without-1", "without-0", "kernel", "time", "calls", "setup", "declaration", "swap", "break", "flat",
                    "macro", "segments", "align", "libm", "helper", "step", "down", "branch-index", "branch-data"]:
        try:
            less = Maker(program.seed, frozenset(simpler | {without})).make()
            compile_and_run([less], folder)
            found = judge_in_time(options, less, truth_of(less, folder, options), folder)
        except (subprocess.SubprocessError, IndexError, ValueError, UnboundLocalError):
            continue
        if found.word == "WRONG" and kind_of(found) == kind_of(verdict):
            simpler.add(without)
            program, verdict = less, found
    return program, verdict


def keep(folder, program, verdict):
    place = os.path.join(folder, f"{verdict.word}-{program.seed}")
    os.makedirs(place, exist_ok=True)
    for name, text in (("program.c", program.plain), ("described.yaml", getattr(program, "description", "")),
                       ("said", getattr(program, "said", "")), ("constructs", " ".join(program.constructs)), ("why", verdict.why + "\n" + verdict.detail + "\n")):
        with open(os.path.join(place, name), "w") as stream:
            stream.write(text)


def report(verdicts, options):
    count = defaultdict(lambda: defaultdict(int))
    for program, verdict in verdicts:
        for construct in program.constructs + ["all"]:
            count[construct][verdict.word] += 1
            count[construct]["programs"] += 1
    several = sum(len(program.constructs) >= 3 for program, _ in verdicts)
    print(f"{'construct':16}{'programs':>9}{'right':>7}{'refused':>9}{'flagged':>9}{'WRONG':>7}")
    status = 0
    for construct in [*CONSTRUCTS, "all"]:
        c = count[construct]
        total = c["programs"]
        print(f"{construct:16}{total:9}{c['right']:7}{c['refused']:9}{c['flagged']:9}{c['WRONG']:7}")
        most = (REFUSED_MOST if construct == "all" else options.refused_most)
        # Of a construct in few programs the share is uncertain: by one standard deviation.
        if c["WRONG"] > options.wrong_most or c["refused"] > most * total + math.sqrt(most * (1 - most) * total):
            status = 1
    print(f"three constructs or more: {several} of {len(verdicts)}")
    return status


if __name__ == "__main__":
    sys.exit(main())
