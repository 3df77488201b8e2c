#!/usr/bin/env python3
"""memory.py ESTIMATOR SOURCE PRELOADED COUNT [SEED]: commands without memory, in the current folder.

The k-th allocation of a process fails, alone or with all behind it (PRELOADED, of test/commands/memory.c,
makes it so), for COUNT k of each command, drawn by the seed, or for every k where COUNT is 0. Each run ends
with status 2 and one line behind its remarks, and leaves the file that was there; or it does all that it
does with memory. What does not is printed, and the status is 1 then."""
import os
import random
import subprocess
import sys

SECONDS = 60
OLDER = b"an older file\n"


def commands(source):
    machines, tests = source + "/machines/", source + "/test/import/"
    jacobi, mpl = source + "/samples/jacobi/jacobi.yaml", machines + "sp2-mpl.yaml"
    return [
        ["check", machines + "sp2-pvme.yaml", jacobi],
        ["show", mpl],
        ["cost", mpl, "exchange", "-n", "8", "-f", "json"],
        ["predict", mpl, jacobi, "-p", "4", "--explain", "-M"],
        ["rank", mpl, machines + "sp2-pvme.yaml", jacobi, "-p", "4,16", "-M"],
        ["bound", machines + "power2-thin.yaml", jacobi],
        ["compare", mpl, machines + "sp2-pvme.yaml"],
        ["describe", source + "/samples/adi/adi-serial.c"],
        ["export", mpl, "--to", "csv", "-o", "it.csv"],
        ["export", machines + "meiko-cs2.yaml", "--to", "loggp", "-o", "it.txt"],
        ["export", mpl, "--to", "simgrid", "-o", "it.xml"],
        ["learn", mpl, "-o", "it.yaml"],
        ["plot", "exchange", mpl, "-o", "it.gp"],
        ["report", mpl, "-o", "it.html"],
        ["import", tests + "imb-2021.11.txt", "-o", "it.yaml"],
        ["import", "-p", "2", tests + "osu-7.4-bcast.txt", "-o", "it.yaml"],
        ["import", tests + "hwloc-2.9.0.xml", "-o", "it.yaml"],
        ["import", tests + "netpipe-3.7.2.txt", "-o", "it.yaml"],
    ]


def run(estimator, preloaded, words, k, once):
    """The status, what was printed, what was said, and the file of -o."""
    # The describer, where there is one, is the process whose k-th allocation it is.
    process = "describer/describer" if words[0] == "describe" else "estimator/estimator"
    told = {"LD_PRELOAD": preloaded, "FAIL_IN": process, "FAIL_AT": str(k), "FAIL_ONCE": str(int(once)), "FAIL_COUNT": "count"}
    path = words[-1] if "-o" in words else None
    if path:
        with open(path, "wb") as file:
            file.write(OLDER)
    try:
        ended = subprocess.run([estimator, *words], env=dict(os.environ, **told), stdin=subprocess.DEVNULL, capture_output=True,
                               timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return "no end", b"", b"", b""
    return ended.returncode, ended.stdout, ended.stderr, open(path, "rb").read() if path else b""


def wrong_with(status, out, err, file, whole):
    """What is wrong with a run; None: nothing."""
    if status == 2:
        lines = [line for line in err.splitlines() if b"remark:" not in line]
        if len(lines) != 1:
            return f"{len(lines)} lines"
        return None if file in (OLDER, b"") else "the older file is lost"
    if status != whole[0]:
        return f"status {status}"
    return None if (out, file) == (whole[1], whole[3]) else "another output"


def main():
    estimator, source, preloaded, count = sys.argv[1], sys.argv[2], os.path.abspath(sys.argv[3]), int(sys.argv[4])
    seed = int(sys.argv[5]) if len(sys.argv) > 5 else 1
    draw, wrong, runs = random.Random(seed), 0, 0
    for words in commands(source):
        whole = run(estimator, preloaded, words, 0, False)
        all_calls = int(open("count").read())
        ks = range(1, all_calls + 1)
        for k in draw.sample(ks, min(count, all_calls)) if count else ks:
            for once in (True, False):
                ended = run(estimator, preloaded, words, k, once)
                what = wrong_with(*ended, whole)
                runs += 1
                if what:
                    wrong += 1
                    print(f"{what}: allocation {k} of {all_calls}{'' if once else ' and all behind it'}: estimator "
                          f"{' '.join(words)}: {ended[2][-300:]}", flush=True)
    print(f"{runs} runs, seed {seed}: {wrong} wrong")
    sys.exit(wrong > 0)


main()
