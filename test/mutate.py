#!/usr/bin/env python3
"""Mutations of the describer, and whether its tests notice them.

    test/mutate.py BUILD [--seed N] [--count 15] [--seconds 120] [--least 12]

BUILD is a source tree in which Forecost is built. It is copied; in the copy one place of describer/ after the other is changed
at random: an operator, a number by one, a condition, a statement that is left out. What does not compile is drawn again. Then
the describer's tests run: unit tests, bats files, 50 programs of the oracle, one after the other, until one fails.
Ends with 0 where at least so many mutations are noticed in time."""

import argparse
import glob
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

OPERATORS = [(" < ", " <= "), (" <= ", " < "), (" > ", " >= "), (" >= ", " > "), (" == ", " != "), (" != ", " == "),
             (" + ", " - "), (" - ", " + "), (" && ", " || "), (" || ", " && "), (" * ", " + "), ("++", "--")]


def mutations_of(line):
    """All lines that one mutation makes of a line of C within a function."""
    code = re.sub(r'"(\\.|[^"\\])*"', lambda m: "\0" * len(m[0]), line)
    for of, to in OPERATORS:
        for m in re.finditer(re.escape(of), code):
            yield "operator", line[:m.start()] + to + line[m.end():]
    for m in re.finditer(r"(?<![\w.])\d+(?![\w.])", code):
        yield "number", line[:m.start()] + str(int(m[0]) + 1) + line[m.end():]
    condition = re.match(r"(\s*(?:\} else )?if )(\(.*\))( \{)?$", code)
    if condition and condition[2].count("(") == condition[2].count(")"):
        begin, end = condition.span(2)
        yield "condition", line[:begin] + "(!" + line[begin:end] + ")" + line[end:]
    if re.match(r"    +(?!return|break|continue|goto|case|default|const|struct|static|enum|int|bool|char|double|size_t|else)\w[^{}]*;$", code):
        yield "statement", re.match(r"\s*", line)[0] + ";"


def draw(chance, folder):
    """A place and its mutation: (file, number of the line, kind, line before, line behind)."""
    files = sorted(glob.glob(os.path.join(folder, "describer", "**", "*.c"), recursive=True))
    lines = [(path, k, line) for path in files for k, line in enumerate(open(path).read().split("\n"))]
    while True:
        path, k, line = chance.choice(lines)
        if not line.startswith("    ") or line.lstrip().startswith(("/*", "*", "//")) or "/*" in line:
            continue
        kinds = {}
        for kind, text in mutations_of(line):
            kinds.setdefault(kind, []).append(text)
        if kinds:
            kind = chance.choice(sorted(kinds))
            return path, k, kind, line, chance.choice(kinds[kind])


def tests_of(folder):
    programs = ":".join(os.path.join(folder, name) for name in ("estimator", "trainer"))
    environment = {**os.environ, "FORECOST_SOURCE": folder, "FORECOST_BUILD": folder, "PATH": programs + ":" + os.environ["PATH"]}
    commands = {"unit tests": [os.path.join(folder, "test/unit-rows")]}
    for name in ("scalars", "written", "messages"):
        commands[name] = ["bats", os.path.join(folder, f"test/{name}.bats")]
    commands["oracle"] = [sys.executable, os.path.join(folder, "test/oracle/oracle.py"), os.path.join(folder, "estimator/estimator"),
                          "--count", "50"]
    for name in ("describe", "source"):
        commands[name] = ["bats", os.path.join(folder, f"test/{name}.bats")]
    commands["loops"] = ["bats", "-f", "on the way to a loop|members of records", os.path.join(folder, "test/loops.bats")]
    for name, command in commands.items():
        yield name, command, environment


def noticed_by(folder, deadline, known):
    """The first test that fails; None: all pass, or the time is over. known: name -> what a test prints that fails without any
    mutation."""
    for name, command, environment in tests_of(folder):
        left = deadline - time.monotonic()
        if left <= 0:
            return None
        try:
            run = subprocess.run(command, env=environment, cwd=folder, capture_output=True, timeout=left)
        except subprocess.TimeoutExpired:
            return None
        if run.returncode and known.get(name) != run.stdout:
            return name
    return None


def failures(folder):
    known = {}
    for name, command, environment in tests_of(folder):
        run = subprocess.run(command, env=environment, cwd=folder, capture_output=True)
        if run.returncode:
            print(f"without any mutation fails: {name}", flush=True)
            known[name] = run.stdout
    return known


def build(folder):
    return subprocess.run(["make", "-s", "describer/describer", "test/unit-rows"], cwd=folder, capture_output=True).returncode == 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=15)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--least", type=int, default=12)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    noticed = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = os.path.join(scratch, "tree")
        shutil.copytree(options.build, folder, symlinks=True, ignore=shutil.ignore_patterns(".git", "build", "*.log", "*.trs"))
        if not build(folder):
            sys.exit("the tree is not built, or cannot be built elsewhere")
        known = failures(folder)
        done = 0
        while done < options.count:
            path, k, kind, before, behind = draw(chance, folder)
            whole = open(path).read()
            lines = whole.split("\n")
            lines[k] = behind
            with open(path, "w") as stream:
                stream.write("\n".join(lines))
            if build(folder):
                begin = time.monotonic()
                by = noticed_by(folder, begin + options.seconds, known)
                done += 1
                noticed += by is not None
                place = f"{os.path.relpath(path, folder)}:{k + 1}"
                print(f"{done:3} {'noticed by ' + by if by else 'NOT noticed'} in {time.monotonic() - begin:.0f} s: {place}: {kind}:"
                      f"\n      - {before.strip()}\n      + {behind.strip()}", flush=True)
            with open(path, "w") as stream:
                stream.write(whole)
    print(f"{noticed} of {options.count} mutations are noticed within {options.seconds:.0f} s")
    return int(noticed < options.least)


if __name__ == "__main__":
    sys.exit(main())
