"""What a run recorded (recorder.h), replayed on p processors by the rule that the owner of what is assigned computes: how
often each statement runs, on which processor, what each processor needs of the others, and how long the chains are."""

import array
from collections import defaultdict

STATEMENT, READ, WRITE, READ_SCALAR, WRITE_SCALAR, NEST = range(6)
MASK = (1 << 28) - 1


def instances(tokens, program):
    """Tuples (line, reads, scalars read, element written or None, scalar written or None), and an int for a nest."""
    line, reads, scalars, written, scalar = 0, [], [], None, None
    for token in tokens:
        kind, value = token >> 28, token & MASK
        if kind == READ:
            reads.append(value)
        elif kind == READ_SCALAR:
            scalars.append(value)
        elif kind == WRITE:
            written = value
        elif kind == WRITE_SCALAR:
            scalar = value
        else:
            if line:
                yield line, reads, scalars, written, scalar
            line, reads, scalars, written, scalar = 0, [], [], None, None
            if kind == STATEMENT:
                line = value
            else:
                yield value
    if line:
        yield line, reads, scalars, written, scalar


def owners(program, layout, p):
    """For each array by its number: the owner of each element, or None where it lies on all processors."""
    result = {}
    for number, (name, extents) in enumerate(program.arrays):
        table = None
        for d, how in enumerate(layout.get(name, ())):
            if how == "*":
                continue
            n = extents[d]
            stride = 1
            for e in extents[d + 1:]:
                stride *= e
            size = n * stride if d == 0 else extents[0] * n * stride
            block = -(-n // p) if how == "BLOCK" else 1 if how == "CYCLIC" else int(how[7:-1])
            table = [(e // stride % n) // block % p for e in range(size)]
        result[number] = table
    return result


class Truth:
    """counts: how often each line runs. work: of nests, what they take where all that can go at once does, by processor
    count (0: as many as there are iterations; 1: in turn)."""


def replay(program, tokens, processor_counts):
    everything = list(instances(tokens, program))
    truth = Truth()
    truth.counts = defaultdict(int)
    truth.executions = defaultdict(int)  # nest -> how often
    truth.reads, truth.writes = defaultdict(set), defaultdict(set)  # nest -> elements
    nest = 0
    for instance in everything:
        if isinstance(instance, int):
            nest = instance
            truth.executions[nest] += 1
        else:
            truth.counts[instance[0]] += 1
            truth.reads[nest].update(instance[1])
            if instance[3] is not None:
                truth.writes[nest].add(instance[3])
    weights = {line: s.flops() if hasattr(s, "flops") else 1 for line, s in program.statements.items()}
    kinds = {line: getattr(s, "kind", "condition") for line, s in program.statements.items()}
    truth.chain, truth.serial = chains(everything, kinds, weights)
    truth.layouts = {}
    for name, layout in program.layouts.items():
        for p in processor_counts:
            truth.layouts[name, p] = replay_owned(program, everything, kinds, weights, owners(program, layout, p), p)
    return truth


def chains(everything, kinds, weights):
    """By nest: the sum over its executions of the longest chain of flops that wait for one another; and of all flops.
    A reduction waits for nothing: its order is free."""
    longest, all_of = defaultdict(float), defaultdict(float)
    nest, best = 0, 0.0
    done, done_scalar = {}, {}
    for instance in everything:
        if isinstance(instance, int):
            longest[nest] += best
            nest, best, done, done_scalar = instance, 0.0, {}, {}
            continue
        line, reads, scalars, written, scalar = instance
        weight = weights[line]
        all_of[nest] += weight
        begin = 0.0
        for element in reads:
            begin = max(begin, done.get(element, 0.0))
        is_reduction = kinds[line] == "reduce"
        for s in scalars:
            if not (is_reduction and s == scalar):
                begin = max(begin, done_scalar.get(s, 0.0))
        end = begin + weight
        best = max(best, end)
        if written is not None:
            done[written] = end
        if scalar is not None:
            done_scalar[scalar] = max(end, done_scalar.get(scalar, 0.0)) if is_reduction else end
    longest[nest] += best
    return longest, all_of


class Owned:
    """busiest: line -> the most executions of a processor. work: nest -> what the busiest processor has to do; apart: where
    that of each line is another one, and each waits for the one before. needs: line -> {(to, from, array, element)}. volume: the most
    elements that a processor has to get at least, each version once; volume_most: where each line of each execution of a
    nest gets its own; volume_all: of all processors together. rounds: nest -> executions that need something. results: reductions over several processors."""


def replay_owned(program, everything, kinds, weights, owner, p):
    owned = Owned()
    runs = defaultdict(lambda: [0] * p)
    nest_work = defaultdict(lambda: [0.0] * p)
    line_work = defaultdict(lambda: [0.0] * p)  # of the nest under way
    owned.needs = defaultdict(set)
    owned.work, owned.rounds = defaultdict(float), defaultdict(int)
    owned.apart = defaultdict(float)
    got, got_count = set(), [0] * p
    now_count = defaultdict(lambda: [0] * p)
    most = in_all = 0
    version = defaultdict(int)
    behind = {}  # scalar -> elements, with their versions, that its value is made of
    contributors = defaultdict(set)
    owned.results = defaultdict(int)  # line -> finished reductions of several processors
    nest, had_need, now, unplaced, here = 0, False, set(), 0.0, None

    def of(element):
        table = owner[element >> 20]
        return None if table is None else table[element & 0xFFFFF]

    def finish(scalar):
        for line in list(contributors):
            if line[0] == scalar:
                if len(contributors[line]) > 1:
                    owned.results[line[1]] += 1
                del contributors[line]

    for instance in everything:
        if isinstance(instance, int):
            owned.work[nest] += max(nest_work[nest])
            nest_work[nest] = [0.0] * p
            owned.apart[nest] += sum(max(each) for each in line_work.values())
            line_work.clear()
            owned.rounds[nest] += had_need
            for counts in now_count.values():
                most += max(counts)
                in_all += sum(counts)
            now_count.clear()
            nest, had_need, now = instance, False, set()
            continue
        line, reads, scalars, written, scalar = instance
        kind = kinds[line]
        if kind == "setup":
            if written is not None:
                version[written] += 1
            continue
        needed = [(e, version[e]) for e in reads]
        for s in scalars:
            if not (kind in ("reduce", "carried") and s == scalar):
                needed += behind.get(s, ())
        if kind in ("private", "condition"):
            if scalar is not None:
                finish(scalar)
                behind[scalar] = tuple(dict.fromkeys(needed))[:64]
            unplaced += weights[line]  # it is computed where what uses it is
            continue
        if kind == "array":
            q = of(written)
        else:
            q = of(needed[0][0]) if needed else here
            if kind == "reduce":
                contributors[scalar, line].add(q)
        here = q
        if q is None:
            run_on = range(p)
        else:
            run_on = (q,)
        for q in run_on:
            runs[line][q] += 1
            nest_work[nest][q] += weights[line] + unplaced
            line_work[line][q] += weights[line] + unplaced
            for e, v in needed:
                r = of(e)
                if r is not None and r != q:
                    key = (q, e, v)
                    owned.needs[line].add((q, r, e))
                    if key not in got:
                        got.add(key)
                        got_count[q] += 1
                        had_need = True
                    if (line, key) not in now:
                        now.add((line, key))
                        now_count[line][q] += 1
        unplaced = 0.0
        if written is not None:
            version[written] += 1
        if scalar is not None:
            behind[scalar] = ()
    for scalar in {key[0] for key in contributors}:
        finish(scalar)
    owned.work[nest] += max(nest_work[nest])
    owned.apart[nest] += sum(max(each) for each in line_work.values())
    owned.volume, owned.volume_most = max(got_count), most
    owned.volume_most += sum(max(c) for c in now_count.values())
    owned.volume_all = in_all + sum(sum(c) for c in now_count.values())
    owned.busiest = {line: max(each) for line, each in runs.items()}
    owned.all_runs = {line: sum(each) for line, each in runs.items()}
    return owned


def read_tokens(path):
    tokens = array.array("i")
    with open(path, "rb") as stream:
        tokens.frombytes(stream.read())
    return tokens
