#!/usr/bin/env python3
"""random.py ESTIMATOR SOURCE COUNT [SEED]: random command lines of the estimator, of commands, tables (those of
FORECOST_TABLES, between colons, among them), programs and options with extreme values, in the current folder.

Each ends with status 0, 1 or 2 (and a message where it is 2), within 5 s and 1 GiB, and prints no
nan, infinity or time below 0; every equation of --explain is true. What does not is printed, and the
status is 1 then."""
import csv
import glob
import io
import os
import random
import re
import resource
import shlex
import subprocess
import sys
import time

SECONDS, BYTES = 5.0, 1 << 30
NUMBERS = ["0", "1", "2", "3", "4", "7", "16", "64", "100", "1000", "1e6", "1000003", "2147483648", "9007199254740992",
           "1e15", "1e300", "1e-300", "0.5", "-1", "nan", "inf", "", "x", "1,2,4", "1:64:x2", "0,1:1M:x2", "1k", "4M", "16777216"]
NICE = ["1", "2", "3", "4", "5", "8", "16", "64", "1,2,4"]


def tables(source):
    bad = sorted(glob.glob(source + "/test/bad/*.yaml"))
    others = [table for table in os.environ.get("FORECOST_TABLES", "").split(":") if table]
    return sorted(glob.glob(source + "/machines/*.yaml")) * 4 + others * 10 + random.sample(bad, min(6, len(bad))) + ["absent.yaml", "-"]


def utilities():
    return ["point-to-point", "exchange", "shift", "broadcast", "combine", "reduce", "many-to-many", "all-gather",
            "gather", "scatter", "reduce-scatter", "synchronization", "one-to-many", "halo-1", "allreduce", "x", ""]


def pick(chance, *words):
    return list(words) if random.random() < chance else []


def value():
    return random.choice(NICE if random.random() < 0.75 else NUMBERS)


def command_line(source, all_tables, programs):
    table, program = random.choice(all_tables), random.choice(programs)
    common = pick(0.5, "-f", random.choice(["text", "csv", "csv", "json", "json", "text", "xml"]))
    processors = pick(0.8, "-p", value())
    parameters = pick(0.25, "-D", random.choice(["N", "n", "M", "sweeps", "steps", "x"]) + "=" + value())
    only = pick(0.5, "-M")
    return random.choice([
        lambda: ["cost", table, ",".join(random.sample(utilities(), random.choice([1, 1, 1, 2]))), "-n", value(),
                 *processors, *common, *pick(0.2, "--formula-p")],
        lambda: ["predict", table, program, *processors, *parameters, *common, *only, *pick(0.5, "--explain"),
                 *pick(0.3, "--breakdown"), *pick(0.2, "--overlap"), *pick(0.2, "-N", random.choice(all_tables)),
                 *pick(0.2, "-c", random.choice(["rows", "columns", "blocks", "x"]))],
        lambda: ["rank", table, *pick(0.2, random.choice(all_tables)), program, *processors, *parameters, *common,
                 *only, *pick(0.1, "--bands"), *pick(0.1, "--search", "-w", "1")],
        lambda: ["bound", table, program, *parameters, *common, *pick(0.2, "--strict"), *pick(0.2, "--unit-table")],
        lambda: ["describe", program, *parameters, *pick(0.3, "--messages", value()), *pick(0.3, "--places")],
        lambda: ["score", table, program, source + "/test/golden.csv", *common, *only, *pick(0.2, "--state", value())],
        lambda: ["best-broadcast", table, "-n", value(), *processors, *common],
        lambda: ["compare", table, random.choice(all_tables), *common],
        lambda: ["show", table, *pick(0.6, "-s", random.choice(
            ["machine", "communication", "utilities", "node", "memory", "swap", "overlap", "logp", "signature", "noise",
             "states", "in_situ", "start_up", "not_measured", *utilities()])), *common],
        lambda: ["export", table, "--to", random.choice(["csv", "loggp", "simgrid", "mpich", "x"]), *processors],
        lambda: ["learn", table, "-o", "learned.yaml"],
        lambda: ["check", table, program],
        lambda: ["plot", random.choice([*utilities(), "cpf", "distance", "livermore", "logp", "memory", "--list"]), table,
                 *processors, *pick(0.5, "-o", "picture.gp"), *pick(0.1, *common)],
        lambda: ["report", table, program, *processors, *parameters, "-o", "page.html"],
        lambda: ["import", random.choice(sorted(glob.glob(source + "/test/import/*.[tox]*"))), *processors, "-o", "imported.yaml"],
    ])()


def limits():
    resource.setrlimit(resource.RLIMIT_CPU, (20, 20))


def run(estimator, words):
    begin = time.monotonic()
    with open("out.txt", "wb") as out, open("err.txt", "wb") as err:
        process = subprocess.Popen([estimator, *words], stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                   preexec_fn=limits)
        _, status, usage = os.wait4(process.pid, 0)
    seconds = min(time.monotonic() - begin, usage.ru_utime + usage.ru_stime + 0.5)  # on a busy machine
    read = lambda name: open(name, "rb").read().decode("utf-8", "replace")
    return os.waitstatus_to_exitcode(status), read("out.txt"), read("err.txt"), seconds, usage.ru_maxrss * 1024


def below_0(text):
    """A time below 0 in a column of CSV that is one."""
    rows = csv.DictReader(io.StringIO(text))
    for row in rows:
        for column, cell in row.items():
            if column in ("time_us", "total_us", "low_us", "high_us", "compute_us", "communicate_us", "each_us"):
                if re.match(r"-[\d.]*[1-9]", cell or ""):
                    return f"{column} = {cell}"
    return None


def wrong_with(words, status, out, err, seconds, memory, equations):
    if status not in (0, 1, 2):
        return f"status {status}"
    if status == 2 and not err.strip():
        return "status 2 without a message"
    if seconds > SECONDS:
        return f"{seconds:.1f} s"
    if memory > BYTES:
        return f"{memory >> 20} MiB"
    said = re.search(r"(?<![\w'.-])-?(nan|inf(inity)?)(?![\w'.])", out, re.I)
    if said and words[0] not in ("report", "plot", "show", "export", "import"):
        return "prints " + said.group(0)
    if "csv" in words and below_0(out):
        return "prints " + below_0(out)
    if "--explain" in words and status == 0 and "T_" in out:
        judged = subprocess.run([sys.executable, equations], input=out, capture_output=True, text=True)
        if judged.returncode != 0:
            return judged.stderr.strip()
    return None


def main():
    estimator, source, count = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), int(sys.argv[3])
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    random.seed(seed)
    all_tables = tables(source)
    programs = sorted(glob.glob(source + "/samples/*/*.yaml")) * 2 + sorted(glob.glob(source + "/samples/*/*-serial.c")) + [
        "absent.yaml", source + "/machines/sp2-mpl.yaml"]
    equations = source + "/test/explain/equations.py"
    wrong, ends = 0, {}
    for _ in range(count):
        words = command_line(source, all_tables, programs)
        status, out, err, seconds, memory = run(estimator, words)
        ends[status] = ends.get(status, 0) + 1
        what = wrong_with(words, status, out, err, seconds, memory, equations)
        if what:
            wrong += 1
            print(f"{what}: estimator {shlex.join(words)}", flush=True)
    print(f"{count} command lines, seed {seed}: {wrong} wrong; status " +
          ", ".join(f"{k}: {v}" for k, v in sorted(ends.items())))
    sys.exit(wrong > 0)


main()
