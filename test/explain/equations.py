#!/usr/bin/env python3
"""equations.py: reads what `estimator predict --explain` printed, evaluates both sides of every
equation that is made of numbers, folded or not, and ends with status 1 where two sides differ by more than 0.2 %.
Prints how many equations it evaluated."""
import math
import re
import sys


def value(side):
    """The side as a number; None where it is in words or letters."""
    side = re.sub(r" (us|MHz)\b", "", side.strip()).replace(" x ", " * ")
    side = re.sub(r"^[\d.e+]+ at once: x ", "", side)
    side = re.sub(r"\) (?=[\d.])", ") * ", side)
    if re.sub(r"ceil|sqrt|max|e[+-]?\d+", "", side).strip("0123456789.,+-*/() "):
        return None
    return eval(side, {"ceil": math.ceil, "sqrt": math.sqrt, "max": max}) if side else None


def equations(lines):
    """The lines that begin with a time, each with those that it was folded into, which stand farther to the right."""
    whole, indent = None, 0
    for line in lines:
        begins, text = len(line) - len(line.lstrip()), line.strip()
        if whole and begins > indent and text and not text.startswith("T_"):
            whole += " " + text
            continue
        if whole:
            yield whole
        whole, indent = (text, begins) if begins and text.startswith("T_") else (None, 0)
    if whole:
        yield whole


def main():
    count = 0
    for line in equations(sys.stdin):
        for part in re.sub(r" \(x .*\)$", "", line.strip()).split("; "):
            if " at once: " in part:
                continue
            sides = [it for it in map(value, part.split(" = ")) if it is not None]
            count += len(sides) > 1
            if sides and max(sides) - min(sides) > 2e-3 * max(map(abs, sides)):
                sys.exit("false: " + line)
    print(count)


main()
