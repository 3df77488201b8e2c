"""Random C programs by seed, as trees (tree.py), of the constructs that programs are made of."""

import random

from tree import (Array, Assign, Block, Branch, Call, Element, Function, Index, Loop, Number, Operation, Own, Raw, Scalar,
                  Writer, add, call, fill, elements_of, minus, scaled, times, walk, within)

CONSTRUCTS = ("prefix filter states running-max compensated previous private reduction row-dot "
              "index-assigned end-assigned break main-loop swap branch-index branch-data red-black gather step down triangle "
              "choice-index short-loop called-twice struct initialiser argv flat macro libm declaration setup helper "
              "own-row own-few own-sums private-chain hoisted "
              "stored-sum factor-order pointer-sum told-reduction told-home "
              "tiled relative-tile skip-one by-hand read-twice other-layout").split()


class Program:
    """What a seed made: both texts, and what the comparison needs to know."""


class Maker:
    def __init__(self, seed, simpler=frozenset()):
        self.random = random.Random(seed)
        self.seed = seed
        self.simpler = simpler
        self.used = set()
        self.scalar_count = 0
        self.helpers = []
        self.shared = []  # scalars outside all functions
        self.needs_pattern = self.needs_index = False

    # -- choices --

    def may(self, share, construct=None):
        """Whether something is chosen. What stands in `simpler` is not, with all else as it was drawn."""
        chosen = self.random.random() < share and construct not in self.simpler
        if chosen and construct:
            self.used.add(construct)
        return chosen

    def pick(self, *of):
        return self.random.choice(of)

    def scalar(self, stem):
        self.scalar_count += 1
        return f"{stem}{self.scalar_count}"

    def constant(self):
        return self.pick("0.25", "0.5", "0.3", "1.7", "0.9")

    # -- sizes, arrays --

    def choose(self):
        r = self.random
        self.shape = "whole" if self.may(0.4) else "kernel"
        sizes = ["parameter", "macro", "struct"] if self.shape == "kernel" else ["macro", "struct", "argv"]
        self.sizes = r.choice(sizes)
        if "kernel" in self.simpler:
            self.shape, self.sizes = "kernel", "parameter"
        if self.sizes == "struct":
            self.used.add("struct")
            if self.shape == "whole":
                self.used.add("initialiser")
        if self.sizes == "argv":
            self.used.add("argv")
        self.style = "array"
        if self.may(0.3, "flat"):
            self.style = "flat"
            # A macro names a member of the structure in one way, main and functions in two.
            if self.may(0.5, "macro") and not (self.shape == "whole" and self.sizes == "struct"):
                self.style = "macro"
            else:
                self.used.discard("macro")
        self.rank = 1 if self.may(0.35) else 2
        self.is_square = self.may(0.5)
        self.values = {"n": r.randrange(18, 27), "steps": r.randrange(2, 5)}
        self.values["m"] = self.values["n"] if self.is_square else r.randrange(18, 27)
        columns = "{n}" if self.is_square else "{m}"
        self.columns = columns
        self.two = [Array(name, ["{n}", columns], self.style) for name in ("u", "v", "w")]
        self.one = [Array(name, ["{n}"]) for name in ("x", "y", "z")]
        self.coefficient = Array("c", [columns])
        self.pattern = Array("mark", ["{n}"]) if self.rank == 1 else Array("mark", ["{n}", columns], self.style)
        self.index = Array("near", ["{n}"], element="int")
        self.has_time = self.may(0.5)
        self.touched = []

    def array2(self, *but):
        return self.touch(self.pick(*[a for a in self.two if a not in but]))

    def array1(self, *but):
        return self.touch(self.pick(*[a for a in self.one if a not in but]))

    def touch(self, array):
        if array not in self.touched:
            self.touched.append(array)
        return array

    # -- expressions --

    def stencil(self, array, i="i", j="j", reach=1):
        """Some neighbours of an element, itself perhaps among them."""
        around = [(-reach, 0), (reach, 0), (0, -1), (0, 1), (0, 0)]
        chosen = self.random.sample(around, self.random.randrange(2, 6))
        shift = lambda index, d: index if d == 0 else f"{index} {'+' if d > 0 else '-'} {abs(d)}"
        terms = [Element(array, shift(i, a), shift(j, b)) for a, b in chosen]
        return scaled(self.constant(), add(*terms))

    def value2(self, target, i="i", j="j"):
        """Of the same element of other arrays, of coefficients, of libm."""
        a = self.array2(target)
        value = Element(a, i, j)
        if self.may(0.3, "libm"):
            name = self.pick("sqrt", "exp", "sin", "fabs", "log", "cos")
            inner = add(Number("1.0"), times(value, value)) if name in ("sqrt", "log") else value
            value = call(name, inner, flops=int(name != "fabs"))  # which is free
        if self.may(0.3):
            value = add(scaled(self.constant(), value), Element(target, i, j))
        if self.may(0.2):
            value = add(value, Element(self.touch(self.coefficient), j))
        if self.may(0.25, "helper"):
            value = call(self.helper(), value, Element(a, i, j), flops=2)
        return value

    def helper(self):
        if not self.helpers:
            self.helpers.append(Function("static double mixed(double a, double b)", [], ["return 0.5 * (a + b);"]))
        return "mixed"

    # -- loops --

    def loop(self, index, first, last, body, **more):
        """Up from first to last, or down; in steps perhaps where `more` does not say otherwise."""
        directives = more.pop("directives", ())
        is_nest = more.pop("is_nest", False)
        step = 1
        if not more.pop("plain", False):
            if self.may(0.12, "step"):
                step = self.pick(2, 3)
            if self.may(0.12, "down"):
                decrement = f"{index}--" if step == 1 else f"{index} -= {step}"
                return Loop(index, f"int {index} = {last}", f"{index} >= {first}", decrement, body, is_nest, directives)
        condition = self.pick(f"{index} <= {last}", f"{index} < {self.behind(last)}")
        increment = self.pick(f"{index}++", f"++{index}", f"{index} += 1") if step == 1 else f"{index} += {step}"
        return Loop(index, f"int {index} = {first}", condition, increment, body, is_nest, directives)

    def behind(self, last):
        """last + 1."""
        if last.endswith(" - 1"):
            return last[:-4]
        if last.endswith(" - 2"):
            return last[:-4] + " - 1"
        return last + " + 1"

    def nest2(self, body, edge=0, turned=None, **more):
        rows = (str(edge), "{n} - %d" % (1 + edge))
        columns = (str(edge), self.columns + " - %d" % (1 + edge))
        if turned is None:
            turned = self.may(0.2)
        if turned:
            return self.loop("j", *columns, [self.loop("i", *rows, body, **more)], is_nest=True, **more)
        return self.loop("i", *rows, [self.loop("j", *columns, body, **more)], is_nest=True, **more)

    # -- nests of two dimensions --

    def relaxation(self):
        u = self.array2()
        v = u if self.may(0.2) else self.array2(u)
        body = [Assign(Element(v, "i", "j"), "=", self.stencil(u))]
        return [self.nest2(body, 1)]

    def pointwise(self):
        v = self.array2()
        body = [Assign(Element(v, "i", "j"), self.pick("=", "+="), self.value2(v))]
        if self.may(0.35, "branch-index"):
            condition = self.pick("i > 2", "j >= i", "i == 0 || i == {n} - 1", "i < {n} / 2", "j > 0 && j < 5", "i != 3",
                                  "i + j < {n}", "i >= 4 && j != 2")
            other = [Assign(Element(v, "i", "j"), "=", Number("0.0"))] if self.may(0.3) else None
            body = [Branch(Number(condition), body, other)]
        elif self.may(0.45, "branch-data"):
            self.needs_pattern = True
            mark = self.touch(self.pattern)
            share = self.pick("0.25", "0.5", "0.75")
            body = [Branch(Operation("{} < " + share, Element(mark, "i", "j")), body, directives=[f"probability({share})"])]
        return [self.nest2(body)]

    def private(self):
        self.used.add("private")
        u = self.array2()
        v = self.array2(u)
        t = self.scalar("t")
        body = [Assign(Scalar(t), "=", self.stencil(u), "private", "double "),
                Assign(Element(v, "i", "j"), "=", add(times(Scalar(t), Scalar(t)), Element(v, "i", "j")))]
        return [self.nest2(body, 1)]

    def row_sum(self):
        self.used.update(("private", "row-dot"))
        u = self.array2()
        s = self.scalar("s")
        outer, inner = ("i", "j") if self.may(0.7) else ("j", "i")
        ends = {"i": "{n} - 1", "j": self.columns + " - 1"}
        factor = Element(u, "i", "j") if self.may(0.5) else Element(self.touch(self.coefficient), "j")
        body = [Assign(Scalar(s), "=", Number("0.0"), "private", "double "),
                self.loop(inner, "0", ends[inner],
                          [Assign(Scalar(s), "+=", self.ordered(Element(u, "i", "j"), factor), "reduce")])]
        if self.may(0.5) and outer == "i":
            self.store(body, Element(self.array1(), "i"), s)
        else:
            v = self.array2() if self.may(0.5) else u
            body.append(self.loop(inner, "0", ends[inner], [Assign(
                Element(v, "i", "j"), "=", Operation("{} / {}", Element(u, "i", "j"), Operation("(1.0 + {})", Scalar(s))))]))
        return [self.loop(outer, "0", ends[outer], body, is_nest=True)]

    def ordered(self, *factors):
        """Their product, in any order."""
        if self.may(0.6, "factor-order"):
            factors = self.random.sample(factors, len(factors))
        product = factors[0]
        for factor in factors[1:]:
            product = times(product, factor)
        return product

    def store(self, body, target, scalar):
        """Puts a sum into an element, behind the loop that computes it."""
        body.append(Assign(target, "=", Scalar(scalar)))
        for s in within(body[:-1]):
            if isinstance(s, Assign) and s.kind == "reduce" and isinstance(s.target, Scalar) and s.target.name == scalar:
                s.stored = body[-1]

    def product_sum(self):
        """A sum of several factors of which one has an element for each iteration, stored in an element."""
        self.used.update(("stored-sum", "row-dot"))
        u, s = self.array2(), self.scalar("s")
        outer, inner = ("i", "j") if self.may(0.7) or not self.is_square else ("j", "i")
        ends = {"i": "{n} - 1", "j": self.columns + " - 1"}
        others = [Element(self.array1(), outer)]
        if self.is_square:
            others.append(Element(self.array1(), inner))
        if inner == "j":
            others.append(Element(self.touch(self.coefficient), "j"))
        terms = [Element(u, "i", "j")] + self.random.sample(others, self.random.randrange(1, len(others) + 1))
        update = Assign(Scalar(s), self.pick("+=", "-="), self.ordered(*terms), "reduce")
        if self.may(0.45, "told-home"):
            update.home = terms[0]
            update.directives = [f"home({u.name}[i][j])"]
        inside = [update]
        if self.may(0.25, "branch-data"):
            self.needs_pattern = True
            share = self.pick("0.25", "0.5", "0.75")
            inside = [Branch(Operation("{} < " + share, Element(self.touch(self.pattern), "i", "j")), inside,
                             directives=[f"probability({share})"])]
        body = [Assign(Scalar(s), "=", Number("0.0"), "private", "double "), self.loop(inner, "0", ends[inner], inside)]
        self.store(body, Element(self.array1(*[e.array for e in terms[1:]]), outer), s)
        return [self.loop(outer, "0", ends[outer], body, is_nest=True)]

    def pair_sum(self):
        """A sum over pairs of elements, or of a filter: it runs where the element lies that it is stored in."""
        self.used.add("stored-sum")
        x, s = self.array1(), self.scalar("s")
        z = self.array1(x) if self.may(0.5) else x
        y = self.array1(x, z)
        terms = [Element(x, "i"), Element(z, "j")] + ([Element(self.touch(self.coefficient), "j")] if self.is_square and self.may(0.4) else [])
        first, last = "0", "{n} - 1"
        if self.may(0.3):
            last = "i"
            terms = [Element(x, "i - j"), Element(z, "j")]
        if self.may(0.3):
            value = call("fmax", Scalar(s), self.ordered(*terms))
            update = Assign(Scalar(s), "=", value, "reduce")
        else:
            update = Assign(Scalar(s), self.pick("+=", "-="), self.ordered(*terms), "reduce")
        if last != "i" and self.may(0.48, "told-home"):
            update.home = self.pick(*terms[:2])
            update.directives = [f"home({update.home.text({})})"]
        body = [Assign(Scalar(s), "=", Number("0.0"), "private", "double "), self.loop("j", first, last, [update], plain=last == "i")]
        self.store(body, Element(y, "i"), s)
        return [self.loop("i", "0", "{n} - 1", body, is_nest=True, plain=last == "i")]

    def told_sum(self):
        """Sums into elements that the innermost loop moves along, or does not: a directive makes them a reduction."""
        self.used.add("told-reduction")
        u = self.array2()
        y = self.array1()
        index = "i" if self.may(0.4) or not self.is_square else "j"
        others = [Element(self.touch(self.coefficient), "j")] if self.may(0.5) else []
        if self.may(0.5):
            others.append(Element(self.array1(y), "i"))
        update = Assign(Element(y, index), "+=", self.ordered(Element(u, "i", "j"), *others), "reduce",
                        directives=[f"reduction(+: {y.name})"])
        return [self.nest2([update])]

    def by_pointer(self, statements):
        """Gives some sums, and what else loops carry, another name: a pointer's."""
        for s in list(statements):
            for body in (getattr(s, "body", None), getattr(s, "then", None)):
                if body:
                    self.by_pointer(body)
        declared = [s for s in statements if isinstance(s, Assign) and s.declares and isinstance(s.target, Scalar)]
        behind = [b for b in within(statements) if isinstance(b, Assign) and b.kind in ("reduce", "carried") and isinstance(b.target, Scalar)]
        for s in declared:
            name = s.target.name
            if not any(b.target.name == name and b is not s for b in behind) or not self.may(0.25, "pointer-sum"):
                continue
            pointer = self.scalar("at")
            form = self.pick("*" + pointer, "(*" + pointer + ")", pointer + "[0]")
            for b in within(statements[statements.index(s) + 1:]):
                parts = [b.target, b.value] if isinstance(b, Assign) else [b.condition] if isinstance(b, Branch) else []
                for e in (e for part in parts for e in walk(part)):
                    if isinstance(e, Scalar) and e.name == name:
                        e.alias = form if self.may(0.8) else None
            statements.insert(statements.index(s) + 1, Raw(f"double *{pointer} = &{name};"))

    def total(self):
        self.used.add("reduction")
        u = self.array2()
        s = self.scalar("sum")
        if self.may(0.3):
            value = Assign(Scalar(s), "=", call("fmax", Scalar(s), call("fabs", Element(u, "i", "j"), flops=0)), "reduce")
        else:
            value = Assign(Scalar(s), "+=", self.ordered(Element(u, "i", "j"), *self.random.sample(
                [Element(self.array2(), "i", "j"), Element(self.touch(self.coefficient), "j")], self.pick(1, 2))), "reduce")
        result = [Assign(Scalar(s), "=", Number("0.0"), "private", "double "), self.nest2([value])]
        if self.may(0.6):
            v = self.array2()
            result.append(self.nest2([Assign(Element(v, "i", "j"), "=", scaled(self.constant(), times(Scalar(s), Element(u, "i", "j"))))]))
        else:
            result.append(Assign(Element(self.array1(), "0"), "=", Scalar(s)))
        return result

    def row_state(self):
        """A scalar carried along rows, or through all elements."""
        u = self.array2()
        v = u if self.may(0.2) else self.array2(u)
        outer, inner = ("i", "j") if self.may(0.6) else ("j", "i")
        ends = {"i": "{n} - 1", "j": self.columns + " - 1"}
        start, update, after = self.carried(Element(u, "i", "j"), Element(v, "i", "j"))
        through = self.may(0.3)
        inner_loop = self.loop(inner, "0", ends[inner], update, plain=True)
        if through:
            return start + [self.loop(outer, "0", ends[outer], [inner_loop], is_nest=True, plain=True)]
        return [self.loop(outer, "0", ends[outer], start + [inner_loop], is_nest=True)]

    def own(self, stem, extents):
        """An array that is declared before a loop, or in its body: its name, and the one or the other."""
        name = self.scalar(stem)
        declaration = Raw(f"double {name}[{extents}];")
        is_within = self.may(0.5)
        return name, ([] if is_within else [declaration]), ([declaration] if is_within else [])

    def own_row(self):
        """A row of values that each iteration computes before it uses them."""
        self.used.add("own-row")
        u = self.array2()
        v = self.array2(u)
        columns = self.columns
        row, before, first = self.own("row", columns)
        make = self.loop("j", "0", columns + " - 1", [Assign(Own(row, "j"), "=", scaled(self.constant(), Element(u, "i", "j")), "private")],
                         plain=True)
        if self.may(0.5):
            value = add(Own(row, "j - 1"), Own(row, "j + 1"))
        else:
            value = minus(Own(row, "j"), Own(row, "j - 1"))
        if self.may(0.3):
            value = add(scaled(self.constant(), value), Element(v, "i", "j"))
        use = self.loop("j", "1", columns + " - 2", [Assign(Element(v, "i", "j"), "=", value)])
        if self.may(0.3):  # a chain along the row
            first.append(Assign(Own(row, "0"), "=", Number("0.0"), "private"))
            make = self.loop("j", "1", columns + " - 1", [Assign(Own(row, "j"), "=", add(
                scaled(self.constant(), Own(row, "j - 1")), Element(u, "i", "j")), "carried")], plain=True)
        return before + [self.loop("i", "0", "{n} - 1", first + [make, use], is_nest=True)]

    def own_few(self):
        """A few values, by loops of constant ends."""
        self.used.add("own-few")
        line = self.rank == 1
        u = self.array1() if line else self.array2()
        v = self.array1(u) if line else self.array2(u)
        few, before, first = self.own("few", "3")
        turned = not line and self.may(0.5)
        source = Element(u, "i + k - 1") if line else Element(u, "i + k - 1", "j") if turned else Element(u, "i", "j + k - 1")
        target = Element(v, "i") if line else Element(v, "i", "j")
        make = Assign(Own(few, "k"), "=", scaled(self.constant(), source), "private")
        make.unrolled = 3
        use = Assign(target, "=", add(Own(few, "0"), times(Own(few, "1"), Own(few, "2"))))
        body = first + [Loop("k", "int k = 0", "k < 3", "k++", [make]), use]
        if line:
            return before + [self.loop("i", "1", "{n} - 2", body, is_nest=True)]
        return before + [self.nest2(body, 1)]

    def own_sums(self):
        """Sums of a row in a small array."""
        self.used.add("own-sums")
        u = self.array2()
        sums, before, first = self.own("sums", "2")
        zero = [Assign(Own(sums, str(k)), "=", Number("0.0"), "private") for k in (0, 1)]
        body = [Assign(Own(sums, "0"), "+=", Element(u, "i", "j"), "reduce"),
                Assign(Own(sums, "1"), "+=", times(Element(u, "i", "j"), Element(u, "i", "j")), "reduce")]
        value = minus(Own(sums, "1"), times(Own(sums, "0"), Own(sums, "0")))
        if self.may(0.5):
            after = [Assign(Element(self.array1(), "i"), "=", value)]
        else:
            after = [self.loop("j", "0", self.columns + " - 1", [Assign(Element(self.array2(), "i", "j"), "=", times(
                Own(sums, "0"), Own(sums, "1")))])]
        return before + [self.loop("i", "0", "{n} - 1", first + zero + [self.loop("j", "0", self.columns + " - 1", body, plain=True)] + after,
                                   is_nest=True)]

    def private_chain(self):
        """A scalar that each iteration computes in a loop of its own: Horner's rule, Newton's method."""
        self.used.add("private-chain")
        line = self.rank == 1 or self.may(0.3)
        u = self.array1() if line else self.array2()
        v = self.array1() if line else self.array2()
        source, target = (Element(u, "i"), Element(v, "i")) if line else (Element(u, "i", "j"), Element(v, "i", "j"))
        r = self.scalar("r")
        if self.may(0.5):
            start, value = Number("0.5"), add(times(Scalar(r), source), Element(self.touch(self.coefficient), "k"))
            loop = self.pick(("int k = 0", "k < " + self.columns, "k++"), ("int k = %s - 1" % self.columns, "k >= 0", "k--"))
        else:
            start, value = source, scaled("0.5", add(Scalar(r), Operation("{} / {}", source, Scalar(r))))
            loop = "int k = 0", "k < 20", "k++"
        body = [Assign(Scalar(r), "=", start, "private", "double "),
                Loop("k", *loop, [Assign(Scalar(r), "=", value, "private")]), Assign(target, "=", Scalar(r))]
        return [self.loop("i", "0", "{n} - 1", body, is_nest=True)] if line else [self.nest2(body)]

    def hoisted(self):
        """A sum that begins anew in each row, in a variable outside all functions."""
        self.used.add("hoisted")
        u = self.array2()
        v = self.array2() if self.may(0.5) else u
        s = self.scalar("shared")
        self.shared.append(s)
        rows, columns = "{n} - 1", self.columns + " - 1"
        body = [Assign(Scalar(s), "=", Number("0.0"), "private"),
                self.loop("j", "0", columns, [Assign(Scalar(s), "+=", Element(u, "i", "j"), "reduce")], plain=True),
                self.loop("j", "0", columns, [Assign(Element(v, "i", "j"), "=", Operation("{} / {}", Element(u, "i", "j"), Operation(
                    "(1.0 + {})", Scalar(s))))])]
        return [self.loop("i", "0", rows, body, is_nest=True)]

    def red_black(self):
        self.used.add("red-black")
        u = self.array2()
        body = [Assign(Element(u, "i", "j"), "=", scaled("0.25", add(
            Element(u, "i - 1", "j"), Element(u, "i + 1", "j"), Element(u, "i", "j - 1"), Element(u, "i", "j + 1"))))]
        colour = self.pick("0", "1")
        rows, columns = "{n} - 2", self.columns + " - 2"
        if self.may(0.5):
            body = [Branch(Number(f"(i + j) % 2 == {colour}"), body, directives=["probability(0.5)"] if self.may(0.6) else ())]
            return [Loop("i", "int i = 1", "i <= " + rows, "i++",
                         [Loop("j", "int j = 1", "j <= " + columns, "j++", body)], True)]
        first = self.pick("1 + (i + %s) %% 2" % colour, "1 + i % 2", "2 - i % 2")
        return [Loop("i", "int i = 1", "i <= " + rows, "i++",
                     [Loop("j", "int j = " + first, "j <= " + columns, "j += 2", body)], True)]

    def triangle(self):
        self.used.add("triangle")
        u = self.array2()
        v = self.array2()
        first, condition = self.pick(("0", "j <= i"), ("0", "j < i"), ("i", "j < {n}"), ("i + 1", "j <= {n} - 1"))
        if not self.is_square:
            first, condition = self.pick(("0", "j <= i && j < {m}"), ("0", "j < (i < {m} ? i : {m})")) if self.may(0.6) \
                else ("0", "j <= i / 2")
        source = self.pick(Element(u, "i", "j"), Element(u, "j", "i")) if self.is_square else Element(u, "i", "j")
        value = add(scaled(self.constant(), source), Element(v, "i", "j"))
        if self.may(0.3) and self.is_square and u is not v:
            value = scaled(self.constant(), Element(u, "i", "j"))
        return [Loop("i", "int i = 0", "i < {n}", "i++", [Loop("j", "int j = " + first, condition, "j++", [
            Assign(Element(v, "i", "j"), "=", value)])], True)]

    def short(self):
        """An inner loop of a few iterations with constant ends."""
        self.used.add("short-loop")
        line = self.rank == 1
        a = self.array1() if line else self.array2()
        b = self.array1(a) if line else self.array2(a)
        first, last = self.pick((-1, 1), (0, 1), (-1, 0), (-2, 1))
        source = Element(b, "i + k") if line else self.pick(Element(b, "i + k", "j"), Element(b, "i", "j + k"))
        target = Element(a, "i") if line else Element(a, "i", "j")

        def loop(body):
            body[0].unrolled = last - first + 1
            return Loop("k", f"int k = {first}", f"k <= {last}", "k++", body)

        if self.may(0.5):
            body = [loop([Assign(target, "+=", scaled(self.constant(), source))])]
        else:
            s = self.scalar("s")
            body = [Assign(Scalar(s), "=", Number("0.0"), "private", "double "),
                    loop([Assign(Scalar(s), "+=", source, "private")]), Assign(target, "=", scaled(self.constant(), Scalar(s)))]
        if line:
            return [self.loop("i", "2", "{n} - 3", body, is_nest=True)]
        return [self.nest2(body, 2)]

    def product(self):
        self.used.add("row-dot")
        x, u = self.array1(), self.array2()
        c = self.touch(self.coefficient)
        inner = [Assign(Element(x, "i"), "+=", times(Element(u, "i", "j"), Element(c, "j")), "array")]
        body = [Assign(Element(x, "i"), "=", Number("0.0")), self.loop("j", "0", self.columns + " - 1", inner, plain=True)]
        return [self.loop("i", "0", "{n} - 1", body, is_nest=True)]

    # -- nests of one dimension --

    def carried(self, source, target):
        """Statements before, within and after a loop that carries scalars from iteration to iteration."""
        kind = self.pick("prefix", "filter", "states", "running-max", "previous", "compensated")
        self.used.add(kind)
        s, a, b = self.scalar("s"), self.constant(), self.constant()
        zero = lambda name: Assign(Scalar(name), "=", Number("0.0"), "private", "double ")
        store = Assign(target, "=", Scalar(s))
        if kind == "prefix":
            return [zero(s)], [Assign(Scalar(s), "+=", source, "carried"), store], []
        if kind == "filter":
            update = add(scaled(a, source), scaled(b, Scalar(s)))
            if self.may(0.3):
                return [zero(s)], [store, Assign(Scalar(s), "=", update, "carried")], []
            return [zero(s)], [Assign(Scalar(s), "=", update, "carried"), store], []
        if kind == "states":
            older, t = self.scalar("s"), self.scalar("t")
            return [zero(s), zero(older)], [
                Assign(Scalar(t), "=", add(scaled(a, source), scaled(b, Scalar(s)), scaled("0.1", Scalar(older))), "carried", "double "),
                Assign(Scalar(older), "=", Scalar(s), "carried"), Assign(Scalar(s), "=", Scalar(t), "carried"),
                Assign(target, "=", Scalar(t))], []
        if kind == "running-max":
            if self.may(0.5):
                update = [Branch(Operation("{} > {}", source, Scalar(s)), [Assign(Scalar(s), "=", source, "carried")])]
            else:
                update = [Assign(Scalar(s), "=", call("fmax", Scalar(s), source), "carried")]
            return [zero(s)], update + [store], []
        if kind == "previous":
            current = self.scalar("now")
            return [zero(s)], [Assign(Scalar(current), "=", source, "private", "double "),
                               Assign(target, "=", scaled(a, minus(Scalar(current), Scalar(s)))),
                               Assign(Scalar(s), "=", Scalar(current), "private")], []
        rest, y, t = self.scalar("rest"), self.scalar("y"), self.scalar("t")
        return [zero(s), zero(rest)], [
            Assign(Scalar(y), "=", minus(source, Scalar(rest)), "carried", "double "),
            Assign(Scalar(t), "=", add(Scalar(s), Scalar(y)), "carried", "double "),
            Assign(Scalar(rest), "=", minus(Operation("({} - {})", Scalar(t), Scalar(s)), Scalar(y)), "carried"),
            Assign(Scalar(s), "=", Scalar(t), "carried")] + ([store] if self.may(0.5) else []), [
            Assign(Element(self.array1(), "0"), "=", Scalar(s))] if self.may(0.5) else []

    def line_state(self):
        x = self.array1()
        y = x if self.may(0.2) else self.array1(x)
        start, update, after = self.carried(Element(x, "i"), Element(y, "i"))
        return start + [self.loop("i", "0", "{n} - 1", update, is_nest=True)] + after

    def line_total(self):
        self.used.add("reduction")
        x = self.array1()
        s = self.scalar("sum")
        start = Assign(Scalar(s), "=", Number("0.0"), "private", "double ")
        term = self.ordered(Element(x, "i"), Element(self.array1(), "i"))
        result = [start, self.loop("i", "0", "{n} - 1", [Assign(Scalar(s), "+=", term, "reduce")], is_nest=True)]
        y = self.array1()
        if self.may(0.6):
            result.append(self.loop("i", "0", "{n} - 1", [Assign(Element(y, "i"), "=", times(Scalar(s), Element(x, "i")))], is_nest=True))
        else:
            result.append(Assign(Element(y, "0"), "=", Scalar(s)))
        return result

    def line_stencil(self):
        x = self.array1()
        y = x if self.may(0.2) else self.array1(x)
        terms = self.random.sample(["i - 1", "i + 1", "i", "i - 2", "i + 2"], self.random.randrange(2, 5))
        return [self.loop("i", "2", "{n} - 3", [
            Assign(Element(y, "i"), "=", scaled(self.constant(), add(*[Element(x, t) for t in terms])))], is_nest=True)]

    def line_value(self, y):
        x = self.array1(y)
        value = Element(x, "i")
        if self.may(0.5, "choice-index"):
            value = Operation("(" + self.pick("i % 2", "i % 3 == 0", "i & 1", "(i + 1) % 2") + " ? {} : {})",
                              value, Element(self.array1(y), "i"), flops=0)
        if self.may(0.3, "libm"):
            name = self.pick("sin", "exp", "cos", "fabs")
            value = call(name, value, flops=int(name != "fabs"))
        if self.may(0.3, "helper"):
            value = call(self.helper(), value, Element(y, "i"), flops=2)
        return add(scaled(self.constant(), value), Number("0.1"))

    def line_pointwise(self):
        y = self.array1()
        body = [Assign(Element(y, "i"), self.pick("=", "+="), self.line_value(y))]
        if self.may(0.35, "branch-index"):
            body = [Branch(Number(self.pick("i > 2", "i == 0 || i == {n} - 1", "i < {n} / 2", "i % 2 == 0", "i != 4")), body)]
        elif self.may(0.55, "branch-data") and self.rank == 1:
            self.needs_pattern = True
            share = self.pick("0.25", "0.5", "0.75")
            other = [Assign(Element(y, "i"), "=", Number("0.0"))] if self.may(0.4) else None
            body = [Branch(Operation("{} < " + share, Element(self.touch(self.pattern), "i")), body, other, [f"probability({share})"])]
        return [self.loop("i", "0", "{n} - 1", body, is_nest=True)]

    def gather(self):
        self.used.add("gather")
        self.needs_index = True
        y = self.array1()
        x = self.array1(y)
        near = self.touch(self.index)
        value = scaled(self.constant(), Element(x, Element(near, "i")))
        if self.may(0.4):
            value = add(value, Element(y, "i"))
        return [Loop("i", "int i = 0", "i < {n}", "i++", [Assign(Element(y, "i"), "=", value)], True,
                     [f"gather({x.name}: reach({self.pick(2, 3)}) loads(1))"])]

    def moved(self):
        """A loop whose index, or whose end, its body changes."""
        y = self.array1()
        body = [Assign(Element(y, "i"), "=", self.line_value(y))]
        kind = self.random.randrange(6)
        if kind < 3:
            self.used.add("index-assigned")
            change = self.pick("i++;", "i += 2;", "i = i + 1;")
            if kind == 0:
                return [Loop("i", "int i = 0", "i < {n}", "", body + [Raw("i += %s;" % self.pick("1", "2", "3"))], True)]
            if kind == 1:
                return [Loop("i", "int i = 0", "i < {n}", "i++", body + [Branch(Number("i % 5 == 3"), [Raw(change)])], True)]
            return [Loop("i", "int i = 0", "i < {n}", "i++", body + [Raw(change)], True)]
        self.used.add("end-assigned")
        end = self.scalar("end")
        return [Raw("int %s = {n};" % end),
                Loop("i", "int i = 0", f"i < {end}", "i++", body + [Raw(self.pick(f"{end}--;", f"{end} = {end} - 1;", f"{end} -= 2;"))], True)]

    # -- loops in pieces --

    def tile(self, index, first, end, body):
        """The loop over `index` from first to before end in tiles, and how its values are spelled in the body."""
        tiles, size = index * 2, self.pick(3, 4, 5)
        is_relative = self.may(0.5, "relative-tile")
        if is_relative:
            least = self.pick(f"({size} < {end} - {tiles} ? {size} : {end} - {tiles})", f"({end} - {tiles} > {size} ? {size} : {end} - {tiles})")
            head = Loop(index, f"int {index} = 0", f"{index} < {least}", f"{index}++", body(f"{tiles} + {index}"))
        else:
            self.used.add("tiled")
            least = self.pick(f"({tiles} + {size} < {end} ? {tiles} + {size} : {end})", f"({end} < {tiles} + {size} ? {end} : {tiles} + {size})")
            head = Loop(index, f"int {index} = {tiles}", f"{index} < {least}", f"{index}++", body(index))
        return lambda inner: Loop(tiles, f"int {tiles} = {first}", f"{tiles} < {end}", f"{tiles} += {size}", inner), head

    def tiles(self):
        if self.rank == 1:
            x = self.array1()
            y = self.array1(x)
            edge = self.pick(0, 1)
            shown = lambda i: [Assign(Element(y, i), "=", scaled(self.constant(), add(*[
                Element(x, t) for t in ([f"{i} - 1", f"{i} + 1"] if edge else [i])] + [Number("0.5")])))]
            outer, inner = self.tile("i", str(edge), "{n}" if not edge else "({n} - 1)", shown)
            nest = outer([inner])
            nest.is_nest = True
            return [nest]
        u = self.array2()
        v = self.array2(u)
        if self.is_square and self.may(0.4):
            value = lambda i, j: [Assign(Element(v, j, i), "=", scaled(self.constant(), Element(u, i, j)))]
            edge = 0
        else:
            edge = 1
            value = lambda i, j: [Assign(Element(v, i, j), "=", self.stencil(u, i, j))]
        last = lambda e: f"({e} - {edge})" if edge else e
        if self.may(0.5):
            outer, inner = self.tile("i", str(edge), last("{n}"), lambda i: [Loop("j", f"int j = {edge}", f"j < {last(self.columns)}", "j++", value(i, "j"))])
            nest = outer([inner])
        else:
            kept = {}
            def rows(i):
                kept["outer"], inner = self.tile("j", str(edge), last(self.columns), lambda j: value(i, j))
                return [inner]
            outer, inner = self.tile("i", str(edge), last("{n}"), rows)
            nest = outer([kept["outer"]([inner])])
        nest.is_nest = True
        return [nest]

    def skip_one(self):
        """Sums over all but one, in one loop or in the loops before and behind it."""
        self.used.add("skip-one")
        s = self.scalar("s")
        x = self.array1()
        factors = [Element(x, "j")]
        if self.rank == 2 and self.is_square:
            factors.append(Element(self.array2(), "i", "j"))
        elif self.may(0.5):
            factors.append(Element(self.array1(), "i"))
        update = lambda: Assign(Scalar(s), "+=", times(*factors) if len(factors) > 1 else factors[0], "reduce")
        all_of = lambda body: Loop("j", "int j = 0", "j < {n}", "j++", body)
        form = self.random.randrange(3)
        if form == 0:
            inside = [all_of([Branch(Number(self.pick("j != i", "!(i == j)")), [update()])])]
        elif form == 1:
            inside = [all_of([Branch(Number("i == j"), [Raw("continue;")]), update()])]
        else:
            inside = [Loop("j", "int j = 0", "j < i", "j++", [update()]), Loop("j", "int j = i + 1", "j < {n}", "j++", [update()])]
        body = [Assign(Scalar(s), "=", Number("0.0"), "private", "double ")] + inside
        self.store(body, Element(self.array1(x), "i"), s)
        return [Loop("i", "int i = 0", "i < {n}", "i++", body, True)]

    def skip_row(self):
        """A row, or column, that all others take."""
        self.used.add("skip-one")
        u = self.array2()
        v = self.array2(u)
        k = str(self.random.randrange(2, 9))
        read = self.pick(Element(u, k, "j"), Element(u, "i", k))
        body = [Assign(Element(v, "i", "j"), "+=", read)]
        columns = Loop("j", "int j = 0", f"j < {self.columns}", "j++", body)
        form = self.random.randrange(3)
        if form == 0:
            return [Loop("i", "int i = 0", "i < {n}", "i++", [Branch(Number(f"i != {k}"), [columns])], True)]
        if form == 1:
            return [Loop("i", "int i = 0", "i < {n}", "i++", [Branch(Number(f"i == {k}"), [Raw("continue;")]), columns], True)]
        again = Loop("j", "int j = 0", f"j < {self.columns}", "j++", [Assign(Element(v, "i", "j"), "+=", read)])
        return [Loop("i", "int i = 0", f"i < {k}", "i++", [columns], True), Loop("i", f"int i = {k} + 1", "i < {n}", "i++", [again], True)]

    def by_hand(self):
        """Two or three iterations in the body of one."""
        self.used.add("by-hand")
        times_ = self.pick(2, 3)
        at = lambda i, k: i if k == 0 else f"{i} + {k}"
        c = self.constant()
        if self.rank == 1:
            x = self.array1()
            y = self.array1(x)
            near = self.may(0.5)
            body = [Assign(Element(y, at("i", k)), "=", scaled(c, add(Element(x, at("i", k - 1) if k != 1 else "i"), Element(x, at("i", k + 1))) if near and k
                                                              else Element(x, at("i", k)))) for k in range(times_)]
            self.together(body)
            return [Loop("i", "int i = 1", f"i + {times_} < {{n}}", f"i += {times_}", body, True)]
        u = self.array2()
        v = self.array2(u)
        if self.may(0.5):
            body = [Assign(Element(v, "i", at("j", k)), "=", self.stencil(u, "i", at("j", k))) for k in range(times_)]
            loops = [("i", "int i = 1", "i < {n} - 1", "i++"), ("j", "int j = 1", f"j + {times_} < {self.columns}", f"j += {times_}")]
        else:
            body = [Assign(Element(v, at("i", k), "j"), "=", self.stencil(u, at("i", k), "j")) for k in range(times_)]
            loops = [("i", "int i = 1", f"i + {times_} < {{n}}", f"i += {times_}"), ("j", "int j = 1", f"j < {self.columns} - 1", "j++")]
        self.together(body)
        return [Loop(*loops[0], [Loop(*loops[1], body)], True)]

    def together(self, body):
        """The reader tells the operations of straight-line code with the first of its statements."""
        for statement in body:
            statement.together = body

    def read_twice(self):
        """A column, or a row, that two loops read one behind the other."""
        self.used.add("read-twice")
        u = self.array2()
        s = self.scalar("s")
        by_row = self.may(0.5) or not self.is_square
        mine = lambda a, line: Element(a, line, "j") if by_row else Element(a, "j", line)
        length = self.columns if by_row else "{n}"
        inner = lambda body: Loop("j", "int j = 0", f"j < {length}", "j++", body)
        update = Assign(Scalar(s), "+=", times(mine(u, "i"), mine(u, "k")), "reduce")
        zero = Assign(Scalar(s), "=", Number("0.0"), "private", "double ")
        form = self.random.randrange(3)
        if form == 0:
            less = Assign(mine(u, "i"), "-=", times(scaled("0.01", Scalar(s)), mine(u, "k")))
            loops = [Loop("i", "int i = k + 1", "i < {n}", "i++", [zero, inner([update]), inner([less])])]
        else:
            z, v = self.array1(), self.array2(u)
            body = [zero, inner([update])]
            self.store(body, Element(z, "i"), s)
            use = Assign(mine(v, "i"), "+=", times(Element(z, "i"), mine(u, "k")))
            loops = [Loop("i", "int i = 0", "i < {n}", "i++", body), Loop("i", "int i = 0", "i < {n}", "i++", [inner([use])])]
        return [Loop("k", "int k = 0", "k < {n} - 1", "k++", loops, True)]

    # -- programs --

    def one_nest(self):
        two = [(self.relaxation, 3, ()), (self.pointwise, 3, ()), (self.private, 1.5, ("private",)),
               (self.row_sum, 2, ("private", "row-dot")), (self.total, 1.5, ("reduction",)),
               (self.row_state, 5.6, ("prefix", "filter", "states", "running-max", "previous", "compensated")),
               (self.red_black, 2.1, ("red-black",)), (self.triangle, 3, ("triangle",)), (self.product, 1, ("row-dot",)),
               (self.short, 1.3, ("short-loop",)), (self.product_sum, 2.2, ("stored-sum", "row-dot")),
               (self.told_sum, 2.2, ("told-reduction",)), (self.own_row, 2.4, ("own-row",)), (self.own_few, 1, ("own-few",)),
               (self.tiles, 2.4, ("tiled", "relative-tile")), (self.skip_one, 1, ("skip-one",)), (self.skip_row, 1, ("skip-one",)),
               (self.by_hand, 1.2, ("by-hand",)), (self.read_twice, 2.4, ("read-twice",)),
               (self.own_sums, 2.6, ("own-sums",)), (self.private_chain, 1, ("private-chain",)), (self.hoisted, 2.4, ("hoisted",))]
        one = [(self.line_state, 4.6, ("prefix", "filter", "states", "running-max", "previous", "compensated")),
               (self.line_total, 1, ("reduction",)), (self.line_stencil, 1, ()), (self.line_pointwise, 1.5, ()),
               (self.tiles, 1.2, ("tiled", "relative-tile")), (self.skip_one, 0.8, ("skip-one",)), (self.by_hand, 0.8, ("by-hand",)),
               (self.short, 1, ("short-loop",)), (self.own_few, 1, ("own-few",)),
               (self.private_chain, 1, ("private-chain",)), (self.pair_sum, 2, ("stored-sum",)), (self.gather, 1.2, ("gather",)), (self.moved, 2.6, ("index-assigned", "end-assigned"))]
        kinds = one if self.rank == 1 else two + [(make, weight / 3, of) for make, weight, of in one]
        return self.random.choices([k[0] for k in kinds], [k[1] for k in kinds])[0]()

    def make(self):
        self.choose()
        groups = [self.one_nest() for _ in range(self.random.choice((1, 2, 3, 3)))]
        self.group_count = len(groups)
        groups = [g for k, g in enumerate(groups) if f"without-{k}" not in self.simpler] or groups[:1]
        for group in groups:
            self.by_pointer(group)
        is_whole = self.shape == "whole"
        uses_calls = self.may(0.6, "calls") and is_whole
        self.used.discard("calls")
        if "time" in self.simpler:
            self.has_time = False
        has_time = self.has_time or uses_calls
        swapped = None
        if has_time and (self.style != "array" or self.sizes == "parameter" or self.rank == 1 or is_whole):
            pool = [a for a in self.touched if a in (self.two if self.rank == 2 else self.one)]
            if len(pool) >= 2 and self.may(0.35, "swap"):
                swapped = self.random.sample(pool, 2)
        if uses_calls:
            self.used.add("main-loop")
        breaks = None
        if has_time and self.may(0.2, "break"):
            breaks = self.scalar("change")
        return assemble(self, groups, uses_calls, has_time, swapped, breaks)


def assemble(maker, groups, uses_calls, has_time, swapped, breaks):
    values, is_whole = maker.values, maker.shape == "whole"
    nested = [e.array for g in groups for s in within(g) if isinstance(s, Loop) and s.is_nest for a in within([s])
              for e in ([x for x in a.reads() + [a.target] if isinstance(x, Element)] if isinstance(a, Assign)
                        else elements_of(a.condition) if isinstance(a, Branch) else [])]
    used = [e.array for g in groups for a in within(g) if isinstance(a, Assign) for e in [a.target] if isinstance(e, Element)]
    arrays = maker.touched = [a for a in maker.touched if a in nested + used]
    if breaks:
        kind = maker.two if maker.rank == 2 else maker.one
        judged = next((a for a in arrays if a in kind), kind[0])
        maker.touch(judged)
    if swapped and not all(a in arrays for a in swapped):
        swapped = None
        maker.used.discard("swap")
    if not any(len(a.extents) == 2 for a in arrays):
        maker.used -= {"flat", "macro"}
    has_macro = any(a.style == "macro" and len(a.extents) == 2 for a in arrays)
    has_columns = any("{m}" in e for a in arrays for e in a.extents)
    sizes = ["n"] + (["m"] if has_columns else []) + (["steps"] if has_time else [])
    is_static = is_whole and maker.sizes == "macro" and not swapped and maker.style == "array"
    names = {"parameter": {s: s for s in sizes}, "argv": {s: s for s in sizes},
             "macro": {"n": "N", "m": "M", "steps": "STEPS"},
             "struct": {s: ("g->" if not is_whole else "g.") + s for s in sizes}}[maker.sizes]
    called_names = names if maker.sizes != "struct" else {s: "g->" + s for s in sizes}
    plain_sizes = {s: names[s] if maker.sizes == "macro" else s for s in sizes}
    writer = Writer(names)

    # What stands before all functions.
    writer.line("#include <math.h>")
    if is_whole:
        writer.line("#include <stdlib.h>")
    if maker.sizes == "macro":
        for s in sizes:
            writer.line(f"#define {names[s]} {values[s]}")
    if has_macro:
        width = fill(maker.columns, called_names)
        writer.line(f"#define AT(a, i, j) a[(i) * {width} + (j)]")
    if maker.sizes == "struct":
        writer.line("struct grid {")
        writer.line(f"    int {', '.join(sizes)};")
        writer.line("    double width;")
        writer.line("};")
    told = {"parameter": "n = {0}", "macro": "{1}", "struct": "n = {0}", "argv": None}[maker.sizes]
    if told and not (is_whole and maker.sizes != "macro"):
        each = [f"{names[s]}" if maker.sizes == "macro" else f"{s} = {values[s]}" for s in sizes]
        writer.line(f"#pragma forecost parameters({', '.join(each)})")
    if not is_whole:
        # Of a pointer nothing but a directive says how far it reaches.
        for a in arrays:
            if is_pointer(maker, a, is_whole, swapped) and len(a.extents) <= 2:
                writer.line(f"#pragma forecost array {a.name}" + "".join(f"[{fill(e, plain_sizes)}]" for e in a.extents))
    two = [a for a in arrays if a in maker.two or (a is maker.pattern and maker.rank == 2)]
    one = [a for a in arrays if a in maker.one or a is maker.index or (a is maker.pattern and maker.rank == 1)]
    layouts = {}
    kind = maker.pick("BLOCK", "BLOCK", "CYCLIC", "CYCLIC(2)")
    layouts["rows"] = {a.name: [kind, "*"][:len(a.extents)] for a in two + one}
    if two:
        layouts["columns"] = {**{a.name: ["*", "BLOCK"] for a in two}, **{a.name: ["BLOCK"] for a in one}}
    elif kind != "CYCLIC":
        layouts["dealt"] = {a.name: ["CYCLIC"] for a in one}
    if breaks:
        nested.append(judged)
    for layout in layouts.values():
        for a in two + one:
            if a not in nested:
                del layout[a.name]
    two = [a for a in two if a in nested]
    # Where sums and other scalars are computed is the reader's choice, where arrays lie differently.
    has_scalars = any(isinstance(s, Assign) and s.kind not in ("array", "setup") for g in groups for s in within(g))
    if not has_scalars and maker.index not in arrays and maker.may(0.5, "other-layout"):
        for layout in layouts.values():
            if layout:
                name = maker.random.choice(sorted(layout))
                if len(layout[name]) == 2:
                    layout[name] = maker.pick(["*", "BLOCK"], ["BLOCK", "*"], ["*", "CYCLIC"])
                else:
                    layout[name] = [maker.pick("BLOCK", "CYCLIC")]
                if maker.may(0.4):
                    del layout[name]
    aligned = two[1:] if maker.may(0.4, "align") and len(two) > 1 and "other-layout" not in maker.used else []
    maker.used.discard("align")
    for a in aligned:
        writer.line(f"#pragma forecost align({a.name} with {two[0].name})")
    for name, layout in layouts.items():
        said = ", ".join(a + "".join(f"[{h}]" for h in how) for a, how in layout.items() if a not in [b.name for b in aligned])
        writer.line(f"#pragma forecost candidate {name} processors(p) distribute({said})")

    def declared(a, n, constant=False):
        extents = [fill(e, n) for e in a.extents]
        if a.style == "array" and len(extents) == 2:
            if swapped and a in swapped:
                return f"{a.element} (*{a.name})[{extents[1]}]"
            return f"{a.element} {a.name}[{extents[0]}][{extents[1]}]"
        if len(extents) == 1 and not is_pointer(maker, a, is_whole, swapped):
            return f"{a.element} {a.name}[{extents[0]}]"
        return f"{a.element} *{a.name}"

    if is_static:
        for a in arrays:
            writer.line(f"static {a.element} {a.name}" + "".join(f"[{fill(e, names)}]" for e in a.extents) + ";")
    for s in maker.shared:
        writer.line(f"static double {s};")
    writer.line("")
    for helper in maker.helpers:
        writer.function(helper)

    # The work: a segment each, or none.
    segmented = maker.may(0.35, "segments") and not uses_calls
    maker.used.discard("segments")
    work, functions, exchanged = [], [], {a.name for a in swapped or ()}
    for k, group in enumerate(groups):
        if breaks and k == len(groups) - 1:
            element = Element(judged, "i", "j") if maker.rank == 2 else Element(judged, "i")
            body = [Assign(Scalar(breaks), "+=", call("fabs", element, flops=0), "reduce")]
            check = [Assign(Scalar(breaks), "=", Number("0.0"), "private", "double "),
                     Loop("i", "int i = 0", "i < {n}", "i++", [Loop("j", "int j = 0", f"j < {maker.columns}", "j++", body)]
                          if maker.rank == 2 else body, True)]
        if uses_calls:
            functions.append((f"phase{k + 1}", group))
            sized = {"macro": [], "struct": ["const struct grid *g"]}.get(maker.sizes, [f"int {s}" for s in sizes if s != "steps"])
            passed = {"macro": [], "struct": ["&g"]}.get(maker.sizes, [s for s in sizes if s != "steps"])
            used = [] if is_static else arrays
            head = f"static void phase{k + 1}(" + (", ".join(sized + [declared(a, called_names) for a in used]) or "void") + ")"
            work.append(Call(f"phase{k + 1}", ", ".join(passed + [a.name for a in used])))
            pairs = [(a, b) for a in used for b in used if a is not b and a.extents == b.extents and a.element == b.element
                     and a is not maker.pattern and b is not maker.pattern and a is not maker.coefficient and b is not maker.coefficient]
            if pairs and maker.may(0.4, "called-twice"):
                a, b = maker.random.choice(pairs)
                exchanged.update((a.name, b.name))
                turned = [b.name if x is a else a.name if x is b else x.name for x in used]
                work.append(Call(f"phase{k + 1}", ", ".join(passed + turned)))
            functions[-1] = Function(head, local_declarations(maker, group) + group)
        elif segmented:
            work.append(Block(group, [f"segment part{k + 1}"]) if len(group) > 1 or not isinstance(group[0], Loop)
                        else with_directive(group[0], f"segment part{k + 1}"))
        else:
            work += group
    if breaks:
        if segmented:
            with_directive(check[1], "segment check")
        work += check + [Branch(Operation("{} < 10.0", Scalar(breaks)), [Raw("break;")])]
    if swapped:
        a, b = swapped
        kept = maker.scalar("kept")
        if a.style == "array" and len(a.extents) == 2:
            work.append(Raw(f"double (*{kept})[{maker.columns}] = {a.name};"))
        else:
            work.append(Raw(f"double *{kept} = {a.name};"))
        work += [Raw(f"{a.name} = {b.name};"), Raw(f"{b.name} = {kept};")]
    if has_time:
        work = [Loop("t", "int t = 0", "t < {steps}", "t++", work)]
    writer.names = called_names
    for function in functions:
        writer.function(function)
    writer.names = names
    memory = lambda a: " * ".join(fill(e, names) for e in a.extents)
    register = "".join(f"array_({a.name}, sizeof({a.element}) * {memory(a)}, sizeof({a.element})); " for a in arrays)
    filling = "".join(
        f"for (int q_ = 0; q_ < {memory(a)}; q_++) (({a.element} *){a.name})[q_] = {value_of(maker, a, names)}; " for a in arrays)
    if is_whole:
        body = whole_main(maker, writer, arrays, sizes, names, is_static, declared, work, swapped)
        writer.recording = register
        head = "int main(int argc, char **argv)" if maker.sizes == "argv" else "int main(void)"
        writer.line(head, head.replace("main", f"main_{maker.seed}_").replace("(void)", "(int argc, char **argv)"))
        writer.line("{")
        for s in body:
            if s == "register":
                writer.run[-1] += " " + register + filling
            else:
                writer.statement(s, 1)
        writer.line("    return 0;", f'    recorded_("{maker.seed}.trace"); return 0;')
        writer.line("}")
        start = f"static void start_{maker.seed}_(void) {{ main_{maker.seed}_(1, (char *[]){{\"program\", 0}}); }}"
    else:
        sized = {"macro": [], "struct": ["const struct grid *g"]}.get(maker.sizes, [f"int {s}" for s in sizes])
        writer.line("void kernel(" + ", ".join(sized + [declared(a, names) for a in arrays]) + ")")
        writer.line("{")
        writer.body(local_declarations(maker, work) + work, 1)
        writer.line("}")
        numbers = {s: str(values[s]) for s in ("n", "m", "steps")}
        statics = "".join(f"static {a.element} {a.name}" + "".join(f"[{fill(e, numbers)}]" for e in a.extents) + "; " for a in arrays)
        register = "".join(f"array_({a.name}, sizeof {a.name}, sizeof({a.element})); " for a in arrays)
        filling = "".join(f"for (int q_ = 0; q_ < (int)(sizeof {a.name} / sizeof({a.element})); q_++) "
                          f"(({a.element} *){a.name})[q_] = {value_of(maker, a, numbers)}; " for a in arrays)
        given = {"macro": [], "struct": ["&(struct grid){" + ", ".join(f".{s} = {values[s]}" for s in sizes) + "}"]}.get(
            maker.sizes, [str(values[s]) for s in sizes])
        passed = [f"(double *){a.name}" if a.style != "array" and len(a.extents) == 2 else a.name for a in arrays]
        start = (f"static void start_{maker.seed}_(void) {{ {statics}{register}{filling}"
                 f"kernel({', '.join(given + passed)}); recorded_(\"{maker.seed}.trace\"); }}")
    program = Program()
    program.seed, program.constructs = maker.seed, sorted(maker.used)
    program.plain = "\n".join(writer.plain) + "\n"
    program.run = "\n".join(writer.run) + "\n" + start + "\n"
    program.statements, program.nest_of = writer.statements, writer.nest_of
    program.arrays = [(a.name, [value_number(e, values) for e in a.extents]) for a in arrays]
    program.layouts, program.swapped = layouts, sorted(exchanged)
    program.function_names = ["kernel", "mixed"] + [f"phase{k + 1}" for k in range(len(groups))] + [a.name for a in arrays if is_static]
    program.values = values
    # How often the loop runs that a `break` may end: as often as what decides it is computed.
    program.loops, program.deciding_line = writer.loops, check[0].line if breaks else None
    return program


def is_pointer(maker, a, is_whole, swapped):
    """Whether a function is told the array without its extents, or with the last one alone."""
    if swapped and a in swapped:
        return True
    if len(a.extents) == 2:
        return a.style != "array"
    return is_whole or maker.sizes == "struct"


def value_number(extent, values):
    return values[extent.strip("{}")]


def value_of(maker, array, names):
    if array is maker.pattern:
        return "(q_ * 2654435761u % 1024 * 7 % 8 + 0.5) / 8"
    if array is maker.index:
        last = fill("{n}", names)
        return f"(q_ * 5 % 4 - 1 + q_ < 0 ? 0 : q_ * 5 % 4 - 1 + q_ >= {last} ? {last} - 1 : q_ * 5 % 4 - 1 + q_)"
    return "0.1 + (q_ * 13 % 17) * 0.05"


def with_directive(loop, directive):
    loop.directives = [directive] + list(loop.directives)
    return loop


def local_declarations(maker, body):
    """Declarations within a function that compute nothing."""
    if not maker.may(0.15, "declaration"):
        return []
    return [Raw(text) for text in maker.random.sample(
        ["typedef double real;", "double norm(double);", "extern int verbose;", "enum { LOCAL = 3 };", "struct pair { int a, b; };"], 2)]


def whole_main(maker, writer, arrays, sizes, names, is_static, declared, work, swapped):
    """The statements of main around the work; "register": here the arrays exist."""
    body = local_declarations(maker, work)
    if maker.sizes == "argv":
        for k, s in enumerate(sizes):
            body.append(Raw(f"int {s} = argc > {k + 1} ? atoi(argv[{k + 1}]) : {maker.values[s]};"))
    if maker.sizes == "struct":
        body.append(Raw("struct grid g = {" + ", ".join(f".{s} = {maker.values[s]}" for s in sizes) + ", .width = 1.0};"))
    if not is_static:
        for a in arrays:
            count = " * ".join(fill(e, names) for e in a.extents)
            form = declared(a, names)
            if a.style == "array" and len(a.extents) == 2:
                form = f"{a.element} (*{a.name})[{fill(a.extents[1], names)}]"
            memory = maker.pick(f"malloc({count} * sizeof({a.element}))", f"calloc({count}, sizeof({a.element}))")
            body.append(Raw(f"{form} = {memory};"))
    else:
        body.append(Raw("(void)0;"))
    body.append("register")
    if maker.may(0.5, "setup"):
        for a in arrays[:2]:
            if a is maker.index or a is maker.pattern:
                continue
            value = Operation("sin({})", Index("0.1 * i")) if maker.may(0.5) else Index("i + 1")
            if len(a.extents) == 2:
                inner = Loop("j", "int j = 0", f"j < {maker.columns}", "j++", [Assign(Element(a, "i", "j"), "=", value, "setup")])
                body.append(Loop("i", "int i = 0", "i < {n}", "i++", [inner], True))
            else:
                body.append(Loop("i", "int i = 0", f"i < {a.extents[0]}", "i++", [Assign(Element(a, "i"), "=", value, "setup")], True))
    return body + work
