#!/usr/bin/env python3
"""unmeasured.py ROWS FOLDER TABLE [FLAGS...]: how near the model's price is of loops that nobody measured:
of the rows that loops.sh printed for the PolyBench/C that lies in FOLDER (KERNEL,DATASET,LOOP,... as in its
rows.csv), what TABLE, trained with the same compiler and FLAGS, says of each loop alone and warm. Prints a row
a loop and size, then the median error, the share inside the interval, and the median of high over low.
DESCRIBER and ESTIMATOR name the programs. Needs PyYAML."""
import csv
import io
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile

import yaml

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DESCRIBER = os.environ.get("DESCRIBER", ROOT + "/describer/describer")
ESTIMATOR = os.environ.get("ESTIMATOR", ROOT + "/estimator/estimator")


class Plain(yaml.SafeDumper):
    """The estimator reads no anchors."""

    def ignore_aliases(self, data):
        return True


def innermost(body, around=()):
    """The loops around each run of statements that no other loop stands beside, and the statements."""
    statements = [step for step in body if "statement" in step]
    loops = [step for step in body if "loop" in step]
    if around and statements and not loops:
        yield around, statements
    for loop in loops:
        yield from innermost(loop["body"], around + (loop["loop"],))


def alone(description, flags):
    """The description with a segment for each innermost loop, repeated so often that caches are warm."""
    segments = []
    for segment in description["program"]:
        for around, statements in innermost(segment["body"]):
            body = statements
            for loop in reversed(around):
                body = [{"loop": loop, "body": body}]
            segments.append({"segment": "L" + re.search(r"\d+", statements[0]["statement"]).group(),
                             "repeat": 10000, "body": body})
    return {**description, "compiled_flags": " ".join(flags), "program": segments}


def priced(source, dataset, folder, table, flags):
    """By the line of the loop's first statement: an iteration's time, its least and its most, in ns."""
    includes = ["-I" + folder + "/utilities", "-I" + os.path.dirname(source), "-DPOLYBENCH_USE_C99_PROTO"]
    text = subprocess.run([DESCRIBER, source, "--", *includes, f"-D{dataset}_DATASET", *flags],
                          check=True, capture_output=True, text=True).stdout
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        yaml.dump(alone(yaml.safe_load(text), flags), file, Dumper=Plain, sort_keys=False)
        file.flush()
        answer = subprocess.run([ESTIMATOR, "predict", table, file.name, "-p", "1", "--breakdown", "--format", "csv"],
                                check=True, capture_output=True, text=True).stdout
    times = {}
    for item in csv.DictReader(io.StringIO(answer)):
        if item["kind"] == "compute":
            each = times.setdefault(int(item["segment"][1:]), [0.0, 0.0, 0.0, float(item["times"])])
            for i, column in enumerate(("time_us", "low_us", "high_us")):
                each[i] += float(item[column])
    return {line: [1e3 * us / count for us in sums] for line, (*sums, count) in times.items()}


def main():
    rows, folder, table, *flags = sys.argv[1:]
    with open(folder + "/utilities/benchmark_list") as file:
        sources = {os.path.basename(line.strip())[:-2]: os.path.join(folder, line.strip()) for line in file}
    known, ratios, widths, inside = {}, [], [], 0
    print("dataset,loop,row,measured_ns,predicted_ns,low_ns,high_ns,ratio")
    with open(rows) as file:
        for dataset, loop, row, _, _, measured, *_ in csv.reader(file):
            name, line = re.fullmatch(r"(.*)\.c:(\d+)", loop).groups()
            if (name, dataset) not in known:
                known[name, dataset] = priced(sources[name], dataset, folder, table, flags)
            time, low, high = known[name, dataset][min(at for at in known[name, dataset] if at >= int(line))]
            measured = float(measured)
            print(f"{dataset},{loop},{row},{measured:.5g},{time:.5g},{low:.5g},{high:.5g},{time / measured:.4f}")
            ratios.append(time / measured)
            widths.append(high / low)
            inside += low <= measured <= high
    print(f"{len(ratios)} loops and sizes: median error {100 * statistics.median(abs(r - 1) for r in ratios):.1f} %, "
          f"inside the interval {100 * inside / len(ratios):.0f} %, high over low {statistics.median(widths):.2f}, "
          f"spread {math.sqrt(statistics.mean(math.log(r) ** 2 for r in ratios)):.2f}")


main()
