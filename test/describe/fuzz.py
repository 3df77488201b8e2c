#!/usr/bin/env python3
"""fuzz.py DESCRIBER SECONDS SEED FILE.c...: describes the files with seeded changes, one after the
other. What is not C the compiler refuses; all else is described, or refused with one line and exit
status 2, in 10 seconds. The input that was answered otherwise is left behind as failed-*.c."""
import os
import random
import re
import subprocess
import sys
import tempfile
import time

WORDS = ["0", "1", "-1", "2147483647", "1e300", "n", "i", "j", "x", "u", "N", "+", "-", "*", "/", "%",
         "<", "<=", ">", ">=", "==", "!=", "&&", "||", "!", "?", ":", "=", "+=", "*=", "++", "--",
         "(", ")", "[", "]", "{", "}", ";", ",", "&", "<<", ">>", "if", "else", "for", "while",
         "return", "break", "int", "double", "(int)", "i * j", "x[i]", "x[i - 1]", "x[x[0]]",
         "#pragma forecost segment s\n", "#pragma forecost probability(0.5)\n",
         "#pragma forecost reduction(+: x)\n", "#pragma forecost gather(x: reach(n))\n",
         "#pragma forecost ignore\n", "#pragma scop\n", "#pragma endscop\n",
         "for (int q = 0; q < 7; q++)", "if (i > 3)", "if (i == j)", "n - 1", "n / 2", "i % 2"]
TOKEN = re.compile(r"#pragma[^\n]*\n|\w+|[^\w\s]|\s+")


def changed(text, draw):
    tokens = TOKEN.findall(text)
    for _ in range(draw.randint(1, 4)):
        at = draw.randrange(len(tokens)) if tokens else 0
        way = draw.randrange(6)
        if way == 0:
            tokens[at:at + draw.randint(1, 5)] = []
        elif way == 1:
            tokens.insert(at, draw.choice(WORDS))
        elif way == 2 and tokens:
            tokens[at] = draw.choice(WORDS)
        elif way == 3 and tokens:
            other = draw.randrange(len(tokens))
            tokens[at], tokens[other] = tokens[other], tokens[at]
        elif way == 4:
            tokens[at:at] = tokens[at:at + draw.randint(1, 30)]
        elif tokens:
            line = tokens[at]
            cut = draw.randrange(len(line) + 1)
            tokens[at] = line[:cut] + draw.choice(["", "(", ")", "[", "*", "9", " "]) + line[cut:]
    return "".join(tokens)


def complaint(describer, path):
    """What is wrong with the answer; None: nothing."""
    try:
        run = subprocess.run([describer, path], capture_output=True, timeout=10, check=False)
    except subprocess.TimeoutExpired:
        return "no answer in 10 s"
    if run.returncode not in (0, 2):
        return "exit status %d: %s" % (run.returncode, run.stderr.decode(errors="replace")[-2000:])
    if run.returncode == 2 and (run.stdout or run.stderr.count(b"\n") != 1):
        return "not one line: %s" % run.stderr.decode(errors="replace")[:500]
    if run.returncode == 0 and (run.stderr or b"nan" in run.stdout or b"inf" in run.stdout):
        return "described with nan, or with a message: %s" % run.stderr.decode(errors="replace")[:500]
    return None


def main():
    describer, seconds, seed = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
    texts = [open(name, encoding="utf-8").read() for name in sys.argv[4:]]
    draw = random.Random(seed)
    end, count, failed = time.monotonic() + seconds, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "changed.c")
        while time.monotonic() < end and failed < 5:
            text = changed(draw.choice(texts), draw)
            with open(path, "w", encoding="utf-8") as file:
                file.write("#pragma forecost parameters(n = 100, N = 100, steps = 5)\n" + text)
            wrong = complaint(describer, path)
            count += 1
            if wrong:
                failed += 1
                name = "failed-%d-%d.c" % (seed, count)
                with open(name, "w", encoding="utf-8") as file:
                    file.write(text)
                print("%s: %s" % (name, wrong))
    print("%d inputs, %d answered wrongly" % (count, failed))
    return 1 if failed else 0


sys.exit(main())
