#!/usr/bin/env python3
"""compiled_counts.py DESCRIBER [POLYBENCH-FOLDER]: the operations of innermost loops that the
describer counts in the Livermore kernels, and in PolyBench/C if its folder is given, beside the
instructions that gcc -O2 -mfma makes of them. One row a file that differs, then how many innermost
loops are equal, and in how many of these the describer counts more loads than there are. With -O3
gcc may turn loops round, which the bound of the program as it is written does not allow for."""
import collections
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COMPILE = ["gcc", "-O2", "-mavx2", "-mfma", "-fno-tree-vectorize", "-fno-unroll-loops", "-fno-predictive-commoning",
           "-fno-split-loops", "-fno-math-errno", "-S", "-o", "-"]
WHOLE = ["-fno-inline", "-fno-ipa-cp", "-fno-ipa-sra", "-fno-ipa-icf"]  # a function of its own, under its name
KINDS = ("add", "mul", "madd", "div", "sqrt")
LIVERMORE = ("hydrodynamics cholesky_gradient inner_product banded_equations tridiagonal linear_recurrence "
             "state_equation implicit_integration predict predict_differences first_sum first_difference").split()


def kind_of(words):
    """What an instruction counts as; None: nothing of floating point."""
    name = words[0]
    if re.match(r"vfn?m(add|sub)\d*s[sd]", name):
        return "madd"
    for pattern, kind in ((r"v(add|sub|max|min)s[sd]|vcomis[sd]|vucomis[sd]", "add"), (r"vmuls[sd]", "mul"),
                          (r"vdivs[sd]", "div"), (r"vsqrts[sd]", "sqrt")):
        if re.match(pattern, name):
            return kind
    return None


def compiled(assembly, function):
    """The counts of each innermost loop of a function."""
    found = re.search(r"^%s[.\w]*:\n(.*?)^\s*\.size\s+%s[.\w]*," % (function, function), assembly, re.S | re.M)
    if not found:
        return []
    lines = found.group(1).split("\n")
    labels = {line[:-1]: i for i, line in enumerate(lines) if re.match(r"\.L\w+:$", line)}
    loops = []
    for i, line in enumerate(lines):
        jump = re.match(r"\s+j\w+\s+(\.L\w+)", line)
        if jump and labels.get(jump.group(1), i) < i:
            loops.append((labels[jump.group(1)], i))
    inner = [a for a in loops if not any(b != a and b[0] >= a[0] and b[1] <= a[1] for b in loops)]
    result = []
    for begin, end in sorted(inner):
        counts = collections.Counter()
        for line in lines[begin:end]:
            words = line.split()
            if not words or not words[0].startswith("v"):
                continue
            kind = kind_of(words)
            if kind:
                counts[kind] += 1
            if "(" in line:
                is_store = re.match(r"vmovs[sd]$", words[0]) and re.search(r"%xmm\d+, .*\(", line)
                counts["store" if is_store else "load"] += 1
        result.append(counts)
    return result


def described(text):
    """The counts of each innermost loop, by segment."""
    segments, stack, loops = {}, [], []
    name = None
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip())
        while stack and indent <= stack[-1]["indent"]:
            stack.pop()
        segment = re.match(r"  - segment: (\S+)", line)
        if segment:
            name = segment.group(1)
        if re.match(r"\s+- loop:", line):
            if stack:
                stack[-1]["inner"] = False
            loop = {"indent": indent, "inner": True, "counts": collections.Counter(), "segment": name}
            stack.append(loop)
            loops.append(loop)
        for kind, count in re.findall(r"(\w+): ([\d.]+)", (re.search(r"operations: \{([^}]*)\}", line) or [0, ""])[1]):
            if stack:
                stack[-1]["counts"][kind] += float(count)
    for loop in loops:
        if loop["inner"]:
            segments.setdefault(loop["segment"], []).append(loop["counts"])
    return segments


def key(counts):
    return tuple(int(counts[kind]) for kind in KINDS)


def compare(name, ours, theirs, totals):
    ours = [c for c in ours if any(key(c))]
    theirs = [c for c in theirs if any(key(c))]
    if not theirs:
        print("%s: integers" % name)
        return
    left, right = collections.Counter(map(key, ours)), collections.Counter(map(key, theirs))
    equal = sum((left & right).values())
    totals["loops"] += len(ours)
    totals["equal"] += equal
    if left != right:
        print("%s: described %s, compiled %s" % (name, sorted((left - right).elements()), sorted((right - left).elements())))
    elif sum(c["load"] for c in ours) > sum(c["load"] for c in theirs):
        totals["more loads"] += 1
        print("%s: more loads described than compiled" % name)


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        print(done.stderr.strip())
    return done.stdout


def main():
    describer, totals = sys.argv[1], collections.Counter()
    kernels = ROOT + "/samples/livermore/kernels.c"
    assembly = run(COMPILE + ["-I" + ROOT, kernels])
    ours = described(run([describer, "--side", ROOT + "/samples/livermore/kernels.forecost", kernels, "--", "-I" + ROOT]))
    for i, function in enumerate(LIVERMORE):
        compare("lfk%02d" % (i + 1), ours["lfk%02d" % (i + 1)], compiled(assembly, function), totals)
    folder = sys.argv[2] if len(sys.argv) > 2 else None
    for line in open(folder + "/utilities/benchmark_list") if folder else []:
        source = os.path.join(folder, line.strip())
        name = os.path.basename(source)[:-2]
        flags = ["-I" + folder + "/utilities", "-I" + os.path.dirname(source), "-DPOLYBENCH_USE_C99_PROTO", "-DLARGE_DATASET"]
        segments = described(run([describer, source, "--"] + flags))
        function = "kernel_" + name.replace("-", "_")
        theirs = compiled(run(COMPILE + WHOLE + flags + [source]), function)
        compare(name, [c for loops in segments.values() for c in loops], theirs, totals)
    print("%(loops)d innermost loops with operations, %(equal)d as compiled; %(more loads)d files with more loads" %
          {k: totals[k] for k in ("loops", "equal", "more loads")})


main()
