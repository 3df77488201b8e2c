#!/usr/bin/env python3
"""Draws a ranking: ranking.py TABLE DESCRIPTION [NAME=VALUE...]

With matplotlib into ranking.png, without it as text. Python finds the module with
PYTHONPATH=PREFIX/share/forecost/python."""
import sys

import forecost


def draw(rows, title):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    totals = [row.whole.total_us for row in rows]
    spread = [[row.whole.total_us - row.whole.low_us for row in rows],
              [row.whole.high_us - row.whole.total_us for row in rows]]
    pyplot.barh([row.candidate for row in rows], totals, xerr=spread)
    pyplot.gca().invert_yaxis()
    pyplot.xlabel("microseconds")
    pyplot.title(title)
    pyplot.tight_layout()
    pyplot.savefig("ranking.png")
    print("ranking.png")


def write(rows, title):
    longest = max(row.whole.high_us for row in rows)
    print(title)
    for row in rows:
        bar = "#" * max(1, round(40 * row.whole.total_us / longest))
        print(f"{row.candidate:>16} {bar:<40} {row.whole.total_us:.5g} us")


def main(table, description, *definitions):
    machine, program = forecost.Machine(table), forecost.Program(description)
    parameters = dict(definition.split("=", 1) for definition in definitions)
    rows = forecost.rank(machine, program, processors=16, **parameters)
    title = f"{program.title} on {machine.name}, p = 16"
    try:
        draw(rows, title)
    except ImportError:
        write(rows, title)


if len(sys.argv) < 3:
    sys.exit(__doc__)
try:
    main(*sys.argv[1:])
except forecost.Error as error:
    sys.exit(str(error))
