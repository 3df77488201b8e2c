"""A description (doc/segment-description.md), gone through iteration by iteration: which elements each statement touches, and
what of them lies on other processors than the one that runs it."""

import math
import re
from collections import defaultdict

import yaml

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
FUNCTIONS = {
    "floor": math.floor, "ceil": math.ceil, "min": min, "max": max, "log2": math.log2, "sqrt": math.sqrt,
    "mod": lambda a, b: a % b, "cdiv": lambda a, b: -(-a // b), "ilog2": lambda a: int(math.log2(a)),
    "if_": lambda c, a, b: a if c else b, "whole_": lambda x: round(x), "__builtins__": {}}


def python(expression):
    return re.sub(r"\bif\(", "if_(", str(expression)).replace("^", "**").replace("- -", "+ ")


def within(extents, subscripts):
    """The flat number of an element, or None outside the array."""
    number = 0
    for extent, subscript in zip(extents, subscripts):
        if not 0 <= subscript < extent:
            return None
        number = number * extent + subscript
    return number


FUNCTIONS["within_"] = within


class Sum:
    """A reduction whose home is its result: which of these subscripts tell where it runs."""

    def __init__(self, indices, result, reads):
        of = lambda reference: [[i for i in indices if re.search(rf"\b{i}\b", s)] for s in re.findall(r"\[(.*?)\]", reference)]
        self.result, self.reads, self.indices = of(result), [of(read) for read in reads], indices

    def runs_at(self, names, touched, tables, dimensions):
        """0: where the result is, else the number of a read, from 1 on. dimensions: of each array, the one that is distributed."""
        flat = lambda subscripts: {i for s in subscripts for i in s}
        moving = flat(self.result).union(*map(flat, self.reads))
        innermost = next((i for i in reversed(self.indices) if i in flat(self.result)), None)
        of = tables[names[0]]
        best = (), 0
        for k, subscripts in enumerate(self.reads, 1):
            table, d = tables[names[k]], dimensions[names[k]]
            if table is None or d is None or len(subscripts[d]) != 1:
                continue
            has_all = flat(subscripts) == moving and sum(map(bool, subscripts)) >= len(moving)
            agrees = of is None or all(of[e[0]] == table[e[k]] for e in touched if e[0] is not None and e[k] is not None)
            if has_all or agrees:
                best = max(best, ((has_all, agrees, len(flat(subscripts)), innermost in flat(subscripts), -k), k))
        return best[1]


class Described:
    """statements: [(line, array of the home, arrays read, arrays gathered, {(number of the home, of each read ...)}, its Sum or
    None)]."""

    def __init__(self, text):
        self.tree = yaml.load(text, LOADER)
        self.names = {str(k): v for k, v in (self.tree.get("parameters") or {}).items()}
        for name, value in (self.tree.get("let") or {}).items():
            try:
                self.names[name] = self.value(value)
            except NameError:
                pass  # of p, which only grids use
        self.arrays = {name: [round(self.value(e)) for e in a["extent"]] for name, a in self.tree.get("arrays", {}).items()}
        self.statements = []
        # What a scalar begins with is handed on where the loop begins: no line runs there.
        self.handed_on = {s["statement"] for s in self.all_statements(self.tree["program"])
                          if "writes" not in s and self.tree["arrays"][s["home"].split("[")[0]].get("scalar")}
        for segment in self.tree["program"]:
            self.go_through(segment["body"])

    def all_statements(self, items):
        for item in items:
            if "statement" in item:
                yield item
            for body in [item.get("body", ())] + [way["body"] for way in item.get("branch", ())]:
                yield from self.all_statements(body)

    def value(self, expression, **more):
        return eval(python(expression), FUNCTIONS, {**self.names, **more})

    def flat(self, reference):
        """The array, and the number of the element as an expression of Python."""
        name, subscripts = re.match(r"(\w+)((?:\[.*\])?)$", reference).groups()
        subscripts = subscripts[1:-1].split("][") if subscripts else []
        if self.tree["arrays"][name].get("scalar"):
            # Read before its first element it has the value that it begins with.
            return name, f"within_({self.arrays[name]}, ({', '.join('whole_(' + python(s) + ')' for s in subscripts)},))"
        number = "0"
        for extent, subscript in zip(self.arrays[name], subscripts):
            number = f"({number}) * {extent} + whole_({python(subscript)})"
        return name, number

    def go_through(self, body):
        """Makes a function of Python of the loops, and calls it."""
        lines, sets, statements, around = [], [], [], []

        def write(items, depth):
            pad = "    " * depth
            for item in items:
                if "loop" in item:
                    (index, (first, last)), = item["loop"].items()
                    lines.append(f"{pad}for {index} in range(whole_({python(first)}), whole_({python(last)}) + 1):")
                    lines.append(f"{pad}    pass")
                    around.append(index)
                    write(item["body"], depth + 1)
                    around.pop()
                elif "branch" in item:
                    for way in item["branch"]:
                        write(way["body"], depth)
                elif "statement" in item:
                    reads = [self.flat(r) for r in item.get("reads", [])]
                    home = item.get("home") or (item["reads"][0] if "reduce" in item and reads else item.get("writes"))
                    home = self.flat(home) if home else None
                    numbers = [home[1] if home else "0"] + [number for _, number in reads]
                    lines.append(f"{pad}add_{len(sets)}(({', '.join(numbers)},))")
                    place = re.search(r":(\d+)$", item.get("at", ""))
                    is_sum = "reduce" in item and item.get("home") == item.get("writes")
                    sum_ = Sum(list(around), item["home"], item.get("reads", [])) if is_sum else None
                    sets.append(set())
                    statements.append((int(place[1]) if place else 0, home and home[0], [name for name, _ in reads],
                                       [g["array"] for g in item.get("gathers", [])], sets[-1], sum_))
        write(body, 1)
        if not statements:
            return
        names = {f"add_{k}": s.add for k, s in enumerate(sets)}
        space = {**FUNCTIONS, "range": range, **self.names, **names}
        exec("def run_():\n" + "\n".join(lines), space)
        space["run_"]()
        self.statements += statements

    def reads(self):
        """line -> {(array, element)} that are read, or where the statement runs."""
        result = defaultdict(set)
        for line, home, reads, _, touched, _ in self.statements:
            for k, name in enumerate([home] + reads):
                if name:
                    result[line].update((name, elements[k]) for elements in touched)
        return result

    def made_of(self):
        """Elements of scalars that are an array of the description -> the elements read that they are made of, where they are
        not made of one another."""
        scalars = {name for name, a in self.tree.get("arrays", {}).items() if a.get("scalar")}
        result = {}
        for _, home, reads, _, touched, _ in self.statements:
            if home in scalars and not scalars.intersection(reads):
                for elements in touched:
                    result[home, elements[0]] = list(zip(reads, elements[1:]))
        return result

    def owner(self, candidate, name, p):
        """A function from the flat number of an element to its owner, or None."""
        layout = self.tree["candidates"][candidate]["distribute"]
        extents = self.arrays[name]
        if name not in layout:
            align = self.tree["arrays"][name].get("align")
            if not align:
                return None
            to, ours, offset = align, list(range(len(extents))), [0] * len(extents)
            if not isinstance(align, str):
                to, ours, offset = align["to"], align.get("map", ours), align.get("offset", offset)
            beside, shape = self.owner(candidate, to, p), self.arrays[to]
            offset = [round(self.value(o)) for o in offset]

            def place_beside(e):
                place = [0] * len(shape)
                for mine, theirs in enumerate(ours):
                    if theirs != "*":
                        place[theirs] = unflatten(e, extents)[mine] + offset[mine]
                return beside(flatten(place, shape))
            # Where nothing lies beside a distributed dimension, the array is on all along it.
            spread = [d for d, h in enumerate(self.distribution(candidate, to)) if h != "*" and d not in ours]
            return place_beside if beside and not spread else None
        distributed = [d for d, h in enumerate(layout[name]) if h != "*"]
        if not distributed:
            return None
        d, = distributed
        kind = re.match(r"(BLOCK|CYCLIC)(?:\((.*)\))?", str(layout[name][d]))
        n = extents[d]
        block = round(self.value(kind[2], p=p)) if kind[2] else -(-n // p) if kind[1] == "BLOCK" else 1
        return lambda e: unflatten(e, extents)[d] // block % p

    def distributed_dimension(self, candidate, name):
        """Which of the array's own dimensions is; None: none of them."""
        layout, ours = self.tree["candidates"][candidate]["distribute"], None
        while name not in layout and self.tree["arrays"][name].get("align"):
            align = self.tree["arrays"][name]["align"]
            to = align if isinstance(align, str) else align["to"]
            mine = list(range(len(self.arrays[name]))) if isinstance(align, str) or "map" not in align else align["map"]
            ours = mine if ours is None else [d if d == "*" else mine[d] for d in ours]
            name = to
        distributed = [d for d, h in enumerate(layout.get(name, ())) if h != "*"]
        if not distributed or ours is None:
            return distributed[0] if distributed else None
        return next((k for k, d in enumerate(ours) if d == distributed[0]), None)

    def distribution(self, candidate, name):
        """Of each dimension of an array, or of the one beside which it lies in the end."""
        layout = self.tree["candidates"][candidate]["distribute"]
        while name not in layout and self.tree["arrays"][name].get("align"):
            align = self.tree["arrays"][name]["align"]
            name = align if isinstance(align, str) else align["to"]
        return list(layout.get(name, ["*"]))

    def needs(self, candidate, p, arrays):
        """line -> {(to, array, element)}, and line -> gathered arrays. Of these arrays alone: scalars that a loop carries are
        arrays of the description, and read before their first element."""
        result, gathered = defaultdict(set), defaultdict(set)
        tables, dimensions, made_of = {}, {}, self.made_of()
        for name in self.arrays:
            owner = self.owner(candidate, name, p)
            size = math.prod(self.arrays[name])
            tables[name] = [owner(e) for e in range(size)] if owner else None
            dimensions[name] = self.distributed_dimension(candidate, name)
        for line, home, reads, gathers, touched, sum_ in self.statements:
            gathered[line].update(gathers)
            at = sum_.runs_at([home] + reads, touched, tables, dimensions) if sum_ else 0
            of = tables[([home] + reads)[at]] if home else None
            for elements in touched:
                if elements[0] is None or elements[at] is None:
                    continue
                runs = (of[elements[at]],) if of else range(p)
                for name, element in zip(reads, elements[1:]):
                    table = tables[name]
                    for q in runs if table and element is not None else ():
                        if name in arrays and table[element] != q:
                            result[line].add((q, name, element))
                        # Who gets the value of a scalar gets what the scalar is made of.
                        elif (name, element) in made_of and table[element] != q:
                            result[line].update((q, a, e) for a, e in made_of[name, element] if a in arrays)
        return result, gathered


def flatten(place, extents):
    number = 0
    for extent, at in zip(extents, place):
        number = number * extent + at
    return number


def unflatten(e, extents):
    place = []
    for extent in reversed(extents):
        place.insert(0, e % extent)
        e //= extent
    return place
