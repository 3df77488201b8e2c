"""What a run recorded (recorder.h), replayed on p processors by the rule that the owner of what is assigned computes: how
often each statement runs, on which processor, what each processor needs of the others, and how long the chains are."""

import array
import re
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


def indices_of(elements):
    """Of each element the loop indices in each of its subscripts."""
    return [[set(re.findall(r"\b[ijk]\b", s)) for s in e.subscripts if isinstance(s, str)] for e in elements]


def sum_places(statement):
    """Where an accumulation runs: the first of these that lies on one processor. The number of a read, or "stored": where its
    result is stored."""
    reads = statement.reads()[statement.own():]
    if statement.home:
        return [[r.text({}) for r in reads].index(statement.home.text({}))]
    to = [statement.stored.target] if statement.stored else [statement.target] if statement.own() else []
    named = indices_of(reads)
    moving = set().union(*(s for e in named + indices_of(to) for s in e))
    own = [k for k, subscripts in enumerate(named)
           if set().union(*subscripts) == moving and sum(map(bool, subscripts)) >= len(moving)]
    return own + (["stored"] if statement.stored else [0])


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
    results = stored_in(program, everything)
    truth.layouts = {}
    for name, layout in program.layouts.items():
        for p in processor_counts:
            truth.layouts[name, p] = replay_owned(program, everything, results, kinds, weights,
                                                          owners(program, layout, p), p)
    return truth


def stored_in(program, everything):
    """Of each instance of an accumulation whose result is stored, the element that this is, by the instance's number."""
    stores = {s.stored.line: s.target.name for s in program.statements.values() if getattr(s, "stored", None)}
    result, now = {}, {}
    for k in range(len(everything) - 1, -1, -1):
        if isinstance(everything[k], int):
            continue
        line, _, _, written, scalar = everything[k]
        if line in stores:
            now[stores[line]] = written
        elif scalar is not None and getattr(program.statements[line], "stored", None):
            result[k] = now[program.statements[line].target.name]
    return result


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
        if is_reduction and written is not None:
            begin = 0.0
            for element in reads:
                begin = max(begin, done.get(element, 0.0) if element != written else 0.0)
        for s in scalars:
            if not (is_reduction and s == scalar):
                begin = max(begin, done_scalar.get(s, 0.0))
        end = begin + weight
        best = max(best, end)
        if written is not None:
            done[written] = max(end, done.get(written, 0.0)) if is_reduction else end
        if scalar is not None:
            done_scalar[scalar] = max(end, done_scalar.get(scalar, 0.0)) if is_reduction else end
    longest[nest] += best
    return longest, all_of


class Owned:
    """busiest: line -> the most executions of a processor. work: nest -> what the busiest processor has to do; apart: where
    that of each line is another one, and each waits for the one before. needs: line -> {(to, from, array, element)}. volume: the most
    elements that a processor has to get at least, each version once; volume_most: where each line of each execution of a
    nest gets its own; volume_all: of all processors together. rounds: nest -> executions that need something that no earlier messages can have brought. results_least, results_most: results of reductions
    over several processors, where sums in elements are finished when somebody wants them, or at the end of each nest."""


def replay_owned(program, everything, results, kinds, weights, owner, p):
    owned = Owned()
    places = {line: sum_places(s) for line, s in program.statements.items() if kinds[line] == "reduce"}
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
    # Elements that are added to: by which processors, since somebody wanted the sum, and in the execution of the nest under way.
    sums, sums_here = defaultdict(set), defaultdict(set)
    owned.results_least = owned.results_most = 0
    owned.results = defaultdict(int)  # line -> finished reductions of several processors
    nest, had_need, now, unplaced, here = 0, False, set(), 0.0, None
    # Executions of nests so far; of versions the one that wrote them. What a nest needs may have come with the messages of
    # an earlier one, if it was there then.
    execution, written_in, sent_in = 0, {}, -1

    def of(element):
        table = owner[element >> 20]
        return None if table is None else table[element & 0xFFFFF]

    def finish(scalar):
        for line in list(contributors):
            if line[0] == scalar:
                if len(contributors[line]) > 1:
                    owned.results[line[1]] += 1
                del contributors[line]

    for number, instance in enumerate(everything):
        if isinstance(instance, int):
            owned.results_most += sum(len(each) > 1 for each in sums_here.values())
            sums_here.clear()
            owned.work[nest] += max(nest_work[nest])
            nest_work[nest] = [0.0] * p
            owned.apart[nest] += sum(max(each) for each in line_work.values())
            line_work.clear()
            owned.rounds[nest] += had_need
            sent_in = execution if had_need else sent_in
            execution += 1
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
        own = kind == "reduce" and written is not None
        needed = [(e, version[e]) for e in reads[own:]]
        for e in [] if own else reads:  # somebody wants the sum
            owned.results_least += len(sums.pop(e, ())) > 1
            owned.results_most += len(sums_here.pop(e, ())) > 1
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
                at = (of(results[number] if k == "stored" else needed[k][0]) for k in places[line] if needed)
                q = next((q for q in at if q is not None), None if needed else here)
                for contributing in (sums[written], sums_here[written]) if own else (contributors[scalar, line],):
                    contributing.add(q)
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
                        had_need |= written_in.get((e, v), -1) >= sent_in
                    if (line, key) not in now:
                        now.add((line, key))
                        now_count[line][q] += 1
        unplaced = 0.0
        if written is not None:
            version[written] += 1
            written_in[written, version[written]] = execution
        if scalar is not None:
            behind[scalar] = ()
    for scalar in {key[0] for key in contributors}:
        finish(scalar)
    owned.results_least += sum(len(each) > 1 for each in sums.values()) + sum(owned.results.values())
    owned.results_most += sum(len(each) > 1 for each in sums_here.values()) + sum(owned.results.values())
    owned.work[nest] += max(nest_work[nest])
    owned.apart[nest] += sum(max(each) for each in line_work.values())
    owned.volume, owned.volume_most = max(got_count), most
    owned.volume_most += sum(max(c) for c in now_count.values())
    owned.volume_all = in_all + sum(sum(c) for c in now_count.values())
    owned.busiest = {line: max(each) for line, each in runs.items()}
    owned.runs = runs
    owned.all_runs = {line: sum(each) for line, each in runs.items()}
    return owned


def read_tokens(path):
    tokens = array.array("i")
    with open(path, "rb") as stream:
        tokens.frombytes(stream.read())
    return tokens
