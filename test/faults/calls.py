#!/usr/bin/env python3
"""calls.py BUILD SOURCE COUNT [SEED]: system calls that fail, in the current folder; needs strace.

Of each command the k-th call of a kind that concerns its files fails once (as on a disk that is full there, a file that cannot
be read there, a folder that takes no name), or the process is killed in it: for COUNT k drawn by the seed, or for each k where
COUNT is 0. Whoever did not end with 0 leaves the older files as they are, and says why in one line; whoever ended with 0 has
written all that is written without a fault. What the trainer had measured is in its points, old or new, and the files of a
killed one are of the same run after the next. What does not hold is printed, and the status is 1 then."""
import os
import random
import re
import subprocess
import sys

SECONDS = 600
OLDER = b"an older file\n"
KILLED = -9
# Which call, what becomes of it.
FAULTS = [("write", "error=ENOSPC"), ("write", "error=EIO"), ("write", "signal=KILL"), ("openat", "error=EACCES"),
          ("read", "error=EIO"), ("fsync", "error=EIO"), ("fsync", "error=ENOSPC"), ("rename", "error=ENOSPC"),
          ("rename", "signal=KILL"), ("unlink", "error=EACCES"), ("close", "error=EIO"), ("close", "signal=KILL")]
CALLS = sorted({call for call, _ in FAULTS})


def contents(name):
    try:
        with open(name, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def put(name, text):
    with open(name, "wb") as file:
        file.write(text)


def beside(names):
    """What is there but those files and those of this test."""
    return sorted(set(os.listdir()) - set(names) - {"trace", "kept"})


class Command:
    """One of the estimator: its last word is the file that it writes, beside which it may write points."""

    def __init__(self, build, *words):
        self.words = [build + "/estimator/estimator", *words]
        self.older = {words[-1]: OLDER}
        if words[0] == "import":
            self.older["it.points.csv"] = b"utility,processors,bytes,older\n"
        self.read, self.name = [word for word in words if word.startswith("/")], " ".join(words)

    def under(self, strace):
        return [*strace, *self.words]

    def prepare(self):
        for name, text in self.older.items():
            put(name, text)

    def whole(self):
        return {name: contents(name) for name in self.older}

    def wrong(self, status, err, whole):
        now, others = self.whole(), beside(self.older)
        if status == 0:
            others = [name for name in others if contents(name) not in self.older.values()]
            return None if now == whole and not others else f"status 0, but another file, or {others}"
        kept = [contents(name) for name in others] if status == KILLED else []
        for name, text in self.older.items():
            if now[name] != text and text not in kept:
                return f"the older {name} is lost"
        if status == KILLED:
            return None
        lines = [line for line in err.splitlines() if "remark:" not in line]
        return f"left {others}" if others else f"status {status}" if status != 2 else f"{len(lines)} lines" if len(lines) != 1 else None

    def clean(self):
        for name in beside([]):
            os.remove(name)


class Training:
    """A calibration where a table of an earlier one lies."""
    names = ["it.yaml", "it.points.csv"]
    suites = ["--suite", "exchange,synchronization"]

    def __init__(self, build):
        self.trainer = [build + "/trainer/trainer", "--no-progress", "--quick", "--max-bytes", "8", "--budget", "1", "-o", "it.yaml"]
        self.estimator, self.name, self.read, self.older = build + "/estimator/estimator", "trainer", [], None

    def under(self, strace):
        """The one who writes is the first."""
        words = [*self.trainer, *self.suites, "--seed", "77"]
        return ["mpiexec", "-n", "1", *strace, *words, ":", "-n", "1", *words]

    def prepare(self):
        if not self.older:
            subprocess.run(["mpiexec", "-n", "2", *self.trainer, *self.suites, "--seed", "5"], check=True, capture_output=True)
            self.older = [contents(name) for name in self.names]
        for name, text in zip(self.names, self.older):
            put(name, text)

    def is_new(self):
        if b"seed: 77" not in contents("it.yaml") or contents("it.points.csv") == self.older[1]:
            return False
        return subprocess.run([self.estimator, "check", "it.yaml"], capture_output=True).returncode == 0

    def wrong(self, status, err, whole):
        if status == 0 and not self.is_new():
            return "status 0 without a new table"
        if status != 0 and not re.search("No space left|cannot be|it.yaml stays|expected another -o|KILLED", err):
            return f"status {status} without a reason"
        # A replacement that was cut off is brought to its end by the next run, whatever becomes of that.
        subprocess.run(["mpiexec", "-n", "2", *self.trainer, "--suite", "exchange"], capture_output=True)
        if not self.is_new() and [contents(name) for name in self.names] != self.older:
            return "table and points are not of one run"
        measured = "exchange         p = 2" in err
        if measured and not self.is_new() and "exchange,2," not in err + (contents("kept") or b"").decode():
            return "what was measured is lost"
        left = [name for name in beside(self.names) if not name.startswith("it.unfinished") and not name.endswith(".part")]
        return f"left {left}" if left else None

    def whole(self):
        return self.is_new() or sys.exit("no table without a fault")

    def clean(self):
        for name in beside([]):
            os.remove(name)


def run(command, call="", fate="", k=0):
    """The status and what was said; the trace has the calls, with what became of the one that failed."""
    fault = ["-e", f"trace={call}", "-e", f"inject={call}:{fate}:when={k}"] if k else ["-e", "trace=" + ",".join(CALLS)]
    command.clean()
    command.prepare()
    strace = ["strace", "-f", "-y", "-qqq", "--seccomp-bpf", "-o", "trace", *fault]
    ended = subprocess.run(command.under(strace), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS)
    put("kept", contents("it.unfinished.points.csv") or b"")
    return ended.returncode, ended.stderr


def is_ours(line, command):
    """Whether the call concerns a file of the command: one of this folder, or one that it reads."""
    return any(f"<{path}" in line or f'"{path}' in line for path in [os.getcwd() + "/", "it.", *command.read])


def calls_of(kind, command):
    """The k of the calls that concern the command's files."""
    count, ks = {}, set()
    for line in open("trace", errors="replace"):
        match = re.match(rf"(\d+)\s+{kind}\(", line)
        if match:
            count[match[1]] = count.get(match[1], 0) + 1
            if is_ours(line, command):
                ks.add(count[match[1]])
    return sorted(ks)


def met(call, k, command):
    """Whether what failed was a call for the command's files: which the k-th is differs a little where time decides."""
    lines = [line for line in open("trace", errors="replace") if re.match(rf"\d+\s+{call}\(", line)]
    failed = [line for line in lines if "INJECTED" in line]
    return bool(failed) and all(is_ours(line, command) for line in failed) or (not failed and len(lines) >= k and is_ours(lines[-1], command))


def main():
    build, source, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    machine, tests = source + "/machines/sp2-mpl.yaml", source + "/test/import/"
    draw, wrong, runs = random.Random(seed), 0, 0
    commands = [Command(build, "export", machine, "--to", "csv", "-o", "it.csv"),
                Command(build, "export", machine, "--to", "simgrid", "-o", "it.xml"),
                Command(build, "learn", machine, "-o", "it.yaml"), Command(build, "plot", "exchange", machine, "-o", "it.gp"),
                Command(build, "plot", "exchange", machine, "-o", "it.svg"), Command(build, "report", machine, "-o", "it.html"),
                Command(build, "import", tests + "imb-2021.11.txt", "-o", "it.yaml"),
                Command(build, "import", tests + "hwloc-2.9.0.xml", "-o", "it.yaml"), Training(build)]
    if len(sys.argv) > 5:
        commands = [c for c in commands if sys.argv[5] in c.name]
    for command in commands:
        status, err = run(command)
        if status != 0:
            sys.exit(f"{command.name}: without a fault: status {status}: {err}")
        every, whole = {call: calls_of(call, command) for call in CALLS}, command.whole()
        for call, fate in FAULTS:
            ks = every[call]
            for k in draw.sample(ks, min(count, len(ks))) if count else ks:
                status, err = run(command, call, fate, k)
                if not met(call, k, command):
                    continue
                what = command.wrong(status, err, whole)
                runs += 1
                if what:
                    wrong += 1
                    print(f"{what}: {call} {k} ({ks}), {fate}: {command.name}: {err[-300:]}", flush=True)
    print(f"{runs} runs, seed {seed}: {wrong} wrong")
    sys.exit(wrong > 0 or runs == 0)


main()
