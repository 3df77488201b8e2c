#!/usr/bin/env python3
"""What a visitor sees of the house: circles of folders, full folders, long functions, names of
patterns that stand outside their catalogue, references to lists that nobody has, lines.

house.py [--check]: prints one line each; with --check the status is 1 where a limit is exceeded.
"""
import collections
import os
import re
import subprocess
import sys

PRODUCT = ("model", "forecast", "libforecost", "describer", "estimator", "trainer", "broadcast", "shim", "recorder", "recording")
FOLDER_FILES_MOST = 45
CATALOGUE = "model/cost/patterns.h"
PATTERN_FILES_MOST = 9
FUNCTION_LINES_MOST = 60


def tracked(*patterns):
    return [f for f in subprocess.check_output(["git", "ls-files", *patterns], text=True).split()
            if os.path.exists(f)]


def text_of(path):
    with open(path, errors="replace") as file:
        return file.read()


def includes(sources):
    """Folder -> folders that its files include."""
    graph = collections.defaultdict(set)
    for path, text in sources.items():
        own = os.path.dirname(path)
        for target in re.findall(r'^ *# *include "([^"]+)"', text, re.M):
            if target in sources and os.path.dirname(target) != own:
                graph[own].add(os.path.dirname(target))
    return graph


def reaches(graph, start):
    seen, todo = set(), list(graph[start])
    while todo:
        folder = todo.pop()
        if folder not in seen:
            seen.add(folder)
            todo += graph[folder]
    return seen


def circles(graph):
    """Sets of folders that depend on one another, each once."""
    far = {folder: reaches(graph, folder) for folder in list(graph)}
    found = {frozenset(other for other in far[folder] if folder in far.get(other, ()))
             for folder in far if folder in far[folder]}
    return sorted(sorted(circle) for circle in found)


def long_functions(sources):
    """Functions begin and end with a brace in the first column, as clang-format leaves them."""
    for path, text in sources.items():
        begin = None
        for number, line in enumerate(text.splitlines(), 1):
            if line == "{":
                begin = number
            elif line == "}" and begin is not None:
                if number - begin + 1 > FUNCTION_LINES_MOST:
                    yield f"{path}:{begin}: {number - begin + 1} lines"
                begin = None


def pattern_names():
    """The utilities that the catalogue has a row of."""
    return re.findall(r'^(?:MEASURED|PATTERN)\(\w+, "([\w-]+)"', text_of(CATALOGUE), re.M)


def pattern_files(sources):
    """Files outside the catalogue and the patterns' own in which a pattern's name is a literal."""
    quoted = re.compile('"(' + "|".join(map(re.escape, pattern_names())) + ')"')
    return sorted(path for path, text in sources.items()
                  if not path.startswith(("trainer/utilities/", CATALOGUE)) and quoted.search(text))


def absent_references():
    """References to numbered lists of requirements, rules or lines that are not in the project."""
    absent = re.compile(r"\bR\d{3}\b|\b00\d:\d|\b00[0-4] (?:section|chapter)|\(00[0-4]\)"
                        r"|\brules? D\d{1,2}\b|(?<!\$)\(D\d{1,2}\)|\b[XY]\d{1,2}\b|\bmeasuring\.md")
    files = [f for f in tracked() if re.search(r"(\.(c|h|md|in|sh|am|ac|m4|bats)|README)$", f)]
    files += [f for f in tracked("samples/*.yaml")]
    for path in files:
        for number, line in enumerate(text_of(path).splitlines(), 1):
            if absent.search(line):
                yield f"{path}:{number}: {line.strip()[:80]}"


def main():
    sources = {f: text_of(f) for f in tracked("*.c", "*.h") if f.startswith(PRODUCT)}
    fullest = collections.Counter(
        os.path.dirname(f) for f in tracked("*.c", "*.h")).most_common(1)[0]
    found = {
        "circles of folders": [" ".join(circle) for circle in circles(includes(sources))],
        f"functions over {FUNCTION_LINES_MOST} lines": list(long_functions(sources)),
        "references to absent lists": list(absent_references()),
    }
    patterns = pattern_files(sources)
    if "-v" in sys.argv:
        for places in [*found.values(), patterns]:
            print(*places, sep="\n")
    for what, places in found.items():
        print(f"{what}: {len(places)}")
    print(f"fullest folder: {fullest[0]}, {fullest[1]} files (at most {FOLDER_FILES_MOST})")
    print(f"files with names of patterns as literals: {len(patterns)} (at most {PATTERN_FILES_MOST})")
    print(f"lines of C: {sum(text.count(chr(10)) for text in sources.values())}")
    exceeded = (any(found.values()) or fullest[1] > FOLDER_FILES_MOST
                or len(patterns) > PATTERN_FILES_MOST)
    return 1 if "--check" in sys.argv and exceeded else 0


sys.exit(main())
