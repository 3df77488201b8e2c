"""Programs as trees, and the two texts that are written of one tree: the C program that the reader is given, and the same
program with calls of recorder.h before each statement, which is run."""

import re

# ---- expressions ----


def fill(text, names):
    """Sizes in braces, such as {n}, as this function spells them; other braces are C's."""
    return re.sub(r"\{(\w+)\}", lambda m: names.get(m[1], m[0]), text)


class Number:
    def __init__(self, text):
        self.content = str(text)

    def text(self, names):
        return fill(self.content, names)

    def parts(self):
        return ()


class Scalar:
    """A double that is no array element; `name` may have sizes in braces. alias: another spelling of it, through a pointer."""

    alias = None

    def __init__(self, name):
        self.name = name

    def text(self, names):
        return self.alias or fill(self.name, names)

    def parts(self):
        return ()


class Own(Scalar):
    """An element of an array that each iteration has for itself: to the recorder, as many scalars."""

    def __init__(self, array, subscript):
        super().__init__(f"{array}[{subscript}]")
        self.array, self.subscript = array, subscript


class Index(Number):
    """A whole-number expression of indices and sizes, such as "i + {n}", used as a value."""

    def text(self, names):
        return f"(double)({fill(self.content, names)})"


class Element:
    """array: of class Array; subscripts are texts, or expressions where they are data."""

    def __init__(self, array, *subscripts):
        self.array, self.subscripts = array, subscripts

    def text(self, names):
        return self.array.spell([s.text(names) if hasattr(s, "text") else fill(s, names) for s in self.subscripts], names)

    def parts(self):
        return [s for s in self.subscripts if hasattr(s, "text")]


class Operation:
    """flops: what it counts as."""

    def __init__(self, form, *operands, flops=1):
        self.form, self.operands, self.flops = form, operands, flops

    def text(self, names):
        return self.form.format(*[o.text(names) for o in self.operands])

    def parts(self):
        return self.operands


def add(*terms):
    return Operation(" + ".join(["{}"] * len(terms)), *terms, flops=len(terms) - 1)


def minus(a, b):
    return Operation("{} - {}", a, b)


def times(a, b):
    return Operation("{} * {}", a, bracket(b))


def scaled(factor, a):
    return Operation(factor + " * {}", bracket(a))


def bracket(a):
    return Operation("({})", a, flops=0) if isinstance(a, Operation) and " " in a.form and a.form[0] != "(" else a


def call(name, *operands, flops=1):
    return Operation(name + "(" + ", ".join(["{}"] * len(operands)) + ")", *operands, flops=flops)


def walk(expression):
    yield expression
    for part in expression.parts():
        yield from walk(part)


def elements_of(expression):
    return [e for e in walk(expression) if isinstance(e, Element)]


def scalars_of(expression):
    return [e for e in walk(expression) if isinstance(e, Scalar)]


def flops_of(expression):
    """Subscripts are not counted."""
    total = expression.flops if isinstance(expression, Operation) else 0
    if isinstance(expression, Element):
        return 0
    return total + sum(flops_of(part) for part in expression.parts())


class Array:
    """extents: texts with sizes in braces. style: "array" u[i][j], "flat" u[i * m + j], or "macro" AT(u, i, j)."""

    def __init__(self, name, extents, style="array", element="double"):
        self.name, self.extents, self.style, self.element = name, extents, style, element
        self.prefix = ""

    def spell(self, subscripts, names):
        name = self.prefix + self.name
        if len(subscripts) == 1 or self.style == "array":
            return name + "".join(f"[{s}]" for s in subscripts)
        if self.style == "macro":
            return f"AT({name}, {', '.join(subscripts)})"
        first, second = subscripts
        first = f"({first})" if " " in first else first
        return f"{name}[{first} * {fill(self.extents[1], names)} + {second}]"


# ---- statements ----


class Statement:
    line = None
    unrolled = 1  # iterations of the loop with constant ends around it


class Assign(Statement):
    """kind: what the target is: "array"; "private", a scalar that stands for its value; "reduce"; "carried", a scalar with
    the value of the iteration before; "setup", an array element that no segment computes. declares: "double " or "". Of
    "reduce": stored, the Assign that puts the scalar into an element; home, the element where a directive says it runs.
    together: the statements whose operations are told with the first of them, or None."""

    stored = home = together = None

    def __init__(self, target, operator, value, kind="array", declares="", directives=()):
        self.target, self.operator, self.value, self.kind, self.declares = target, operator, value, kind, declares
        self.directives = directives

    def text(self, names):
        return f"{self.declares}{self.target.text(names)} {self.operator} {self.value.text(names)};"

    def flops(self):
        return flops_of(self.value) + (self.operator != "=")

    def reads(self):
        more = [self.target] if self.operator != "=" and isinstance(self.target, Element) else []
        return more + elements_of(self.value) + [e for s in self.target.parts() for e in elements_of(s)]

    def own(self):
        """How many of the reads are what it accumulates into."""
        return int(self.kind == "reduce" and isinstance(self.target, Element))

    def scalars(self):
        more = [self.target] if self.operator != "=" and isinstance(self.target, Scalar) else []
        return more + scalars_of(self.value)


class Loop(Statement):
    """for (int index = first; condition; increment). is_nest: its executions are told apart (an outermost loop of work)."""

    def __init__(self, index, first, condition, increment, body, is_nest=False, directives=()):
        self.index, self.first, self.condition, self.increment = index, first, condition, increment
        self.body, self.is_nest, self.directives = body, is_nest, directives


class Branch(Statement):
    """condition: an expression; reads of arrays in it are recorded with the statement of its line."""

    def __init__(self, condition, then, otherwise=None, directives=()):
        self.condition, self.then, self.otherwise, self.directives = condition, then, otherwise, directives


class Raw(Statement):
    """A line that computes nothing that is compared: an assignment to an index, a break, a declaration, a swap."""

    def __init__(self, content, directives=()):
        self.content, self.directives = content, directives


def within(statements):
    """All statements, also those of loops and branches."""
    for s in statements:
        yield s
        for body in (getattr(s, "body", ()), getattr(s, "then", ()), getattr(s, "otherwise", ()) or ()):
            yield from within(body)


class Block(Statement):
    def __init__(self, body, directives=(), is_nest=False):
        self.body, self.directives, self.is_nest = body, directives, is_nest


class Call(Statement):
    def __init__(self, function, arguments="", directives=()):
        self.function, self.arguments, self.directives = function, arguments, directives


class Function:
    def __init__(self, head, body, tail=()):
        self.head, self.body, self.tail = head, body, tail


# ---- texts ----


class Writer:
    """Writes both texts side by side. Each simple statement has a line of its own in the plain text, and its number is its
    name in the instrumented one."""

    def __init__(self, names):
        self.names = names
        self.plain, self.run = [], []
        self.statements = {}  # line -> Assign, or Branch
        self.nest_of = {}  # line -> nest
        self.scalar_numbers, self.own_numbers = {}, {}
        self.nests = 0
        self.nest = 0
        self.loops = []  # (first line, last line), the outer ones behind the inner ones
        self.likely = None  # within a branch of which only a probability is said: that, and the branch's line

    def line(self, text, run=None):
        self.plain.append(text)
        self.run.append(text if run is None else run)
        return len(self.plain)

    def number(self, scalar):
        """As the program computes it; elements of own arrays have numbers in a row."""
        if isinstance(scalar, Own):
            first = self.own_numbers.setdefault(scalar.array, (1 + len(self.own_numbers)) << 16)
            return f"{first} + ({fill(scalar.subscript, self.names)})"
        return self.scalar_numbers.setdefault(scalar.name, len(self.scalar_numbers))

    def record(self, line, reads, scalars, written=None, scalar=None):
        calls = [f"B_({line});"]
        calls += [f"R_(&{r.text(self.names)});" for r in reads]
        calls += [f"RS_({self.number(s)});" for s in scalars]
        if written is not None:
            calls.append(f"W_(&{written.text(self.names)});")
        if scalar is not None:
            calls.append(f"WS_({self.number(scalar)});")
        return " ".join(calls)

    def function(self, function):
        self.line(fill(function.head, self.names))
        self.line("{")
        self.body(function.body, 1)
        for text in function.tail:
            self.line("    " + text)
        self.line("}")
        self.line("")

    def body(self, statements, depth):
        for statement in statements:
            self.statement(statement, depth)

    def statement(self, s, depth):
        pad = "    " * depth
        for directive in getattr(s, "directives", ()):
            self.line("#pragma forecost " + fill(directive, self.names), "")
        if isinstance(s, Assign):
            s.line = len(self.plain) + 1
            is_element = isinstance(s.target, Element)
            calls = self.record(s.line, s.reads(), s.scalars(), s.target if is_element else None,
                                None if is_element else s.target)
            self.line(pad + s.text(self.names), pad + calls + " " + s.text(self.names))
            s.likely = self.likely
            self.statements[s.line] = s
            self.nest_of[s.line] = self.nest
        elif isinstance(s, Loop):
            if s.is_nest:
                self.nests += 1
                self.nest = self.nests
            head = fill(f"{pad}for ({s.first}; {s.condition}; {s.increment}) ", self.names) + "{"
            first = self.line(head, (f"{pad}N_({self.nest}); " if s.is_nest else "") + head)
            self.body(s.body, depth + 1)
            self.loops.append((first, self.line(pad + "}")))
            if s.is_nest:
                self.run[-1] += " N_(0);"
                self.nest = 0
        elif isinstance(s, Branch):
            s.line = len(self.plain) + 1
            text = s.condition.text(self.names)
            reads = elements_of(s.condition)
            calls = self.record(s.line, reads, scalars_of(s.condition)) if reads or scalars_of(s.condition) else ""
            self.line(f"{pad}if ({text}) {{", f"{pad}{calls} if ({text}) {{")
            s.likely = self.likely
            self.statements[s.line] = s
            self.nest_of[s.line] = self.nest
            outside = self.likely
            told = [float(re.match(r"probability\((.*)\)", d)[1]) for d in s.directives]
            self.likely = outside or (told[0], s.line) if told else outside
            self.body(s.then, depth + 1)
            if s.otherwise:
                self.line(pad + "} else {")
                self.likely = outside or (1 - told[0], s.line) if told else outside
                self.body(s.otherwise, depth + 1)
            self.likely = outside
            self.line(pad + "}")
        elif isinstance(s, Block):
            if s.is_nest:
                self.nests += 1
                self.nest = self.nests
            self.line(pad + "{", pad + "{" + (f" N_({self.nest});" if s.is_nest else ""))
            self.body(s.body, depth + 1)
            self.line(pad + "}", pad + ("N_(0); " if s.is_nest else "") + "}")
            self.nest = 0 if s.is_nest else self.nest
        elif isinstance(s, Call):
            self.line(f"{pad}{s.function}({fill(s.arguments, self.names)});")
        else:
            self.line(pad + fill(s.content, self.names))

