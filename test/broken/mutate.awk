# Breaks a segment description in many ways: every file into mutants of its own, OUT-1.yaml,
# OUT-2.yaml ... in the folder TO, each with one mistake. The same in every run and every awk.
#   awk -v TO=FOLDER -v EVERY=COUNT -v RANDOM=COUNT -f mutate.awk FILE...
# A rule breaks every so many of the files that it can break; RANDOM changes are made of each file.
# Prints "MUTANT<TAB>WHAT" for each.

# rule NAME, PATTERN, REPLACEMENT: what a slip of the hand makes of a line; on the first and the last
# line of a file that has it.
function rule(name, pattern, replacement) {
    rules++
    names[rules] = name
    patterns[rules] = pattern
    replacements[rules] = replacement
}

BEGIN {
    rule("key misspelt", "distribute:", "distribut:")
    rule("key misspelt", "reads:", "read:")
    rule("key misspelt", "operations:", "operation:")
    rule("key misspelt", "repeat:", "repeats:")
    rule("key misspelt", "extent:", "extend:")
    rule("loop misspelt", "loop:", "lop:")
    rule("statement misspelt", "statement:", "statment:")
    rule("segment without a name", "segment: [a-z]+", "segment:")
    rule("unknown array written", "writes: \"[a-z_]+", "writes: \"nosuch")
    rule("unknown array read", "reads: \\[\"[a-z_]+", "reads: [\"nosuch")
    rule("unknown index", "\\[i\\]", "[ii]")
    rule("unknown index", "\\[j", "[jj")
    rule("another subscript", "\\[i\\]\\[j\\]", "[i]")
    rule("subscripts swapped", "\\[i\\]\\[j\\]", "[j][i]")
    rule("not affine", "\\[i\\]", "[i*i]")
    rule("not affine", "\\[j\\]", "[j*j]")
    rule("not affine", "\\[i", "[mod(i, 3)")
    rule("not whole", "\\[i\\]", "[i/2]")
    rule("beyond the array", "\\[i\\]", "[i+1]")
    rule("below the array", "\\[i\\]", "[i-1]")
    rule("BLOK", "BLOCK", "BLOK")
    rule("CYCLICAL", "CYCLIC", "CYCLICAL")
    rule("block in lower case", "BLOCK", "block")
    rule("BLOCK(", "BLOCK", "\"BLOCK(\"")
    rule("BLOCK(0)", "BLOCK", "BLOCK(0)")
    rule("BLOCK(-4)", "BLOCK", "BLOCK(-4)")
    rule("BLOCK(2.5)", "BLOCK", "BLOCK(2.5)")
    rule("BLOCK(nosuch)", "BLOCK", "BLOCK(nosuch)")
    rule("BLOCK(3)", "BLOCK", "BLOCK(3)")
    rule("BLOCK of the processors", "BLOCK", "BLOCK(8 / p)")
    rule("BLOCK@7", "BLOCK", "BLOCK@7")
    rule("all distributed", "\"\\*\"", "BLOCK")
    rule("none distributed", "BLOCK", "\"*\"")
    rule("grid of nothing", "grid: \\[[^]]*\\]", "grid: []")
    rule("grid of zero", "grid: \\[", "grid: [0, ")
    rule("grid of half", "grid: \\[", "grid: [0.5, ")
    rule("grid below zero", "grid: \\[", "grid: [-1, ")
    rule("grid of an unknown name", "grid: \\[[^]]*\\]", "grid: [q]")
    rule("grid of three", "grid: \\[[^]]*\\]", "grid: [3]")
    rule("grid of sixteen", "grid: \\[[^]]*\\]", "grid: [16]")
    rule("grid without a bracket", "grid: \\[[^]]*\\]", "grid: [p")
    rule("grid no list", "grid: \\[[^]]*\\]", "grid: p")
    rule("grid a map", "grid: \\[[^]]*\\]", "grid: {p: 1}")
    rule("distribution of no array", "distribute: \\{[a-z_]+", "distribute: {nosuch")
    rule("a dimension too many", "\\[BLOCK", "[BLOCK, BLOCK")
    rule("p a parameter", "parameters: \\{", "parameters: {p: 4, ")
    rule("p0 a parameter", "parameters: \\{", "parameters: {p0: 4, ")
    rule("p an array", "arrays:", "arrays:\n  p: {extent: [4]}")
    rule("p an index", "loop: \\{[a-z]+", "loop: {p")
    rule("parameter half", "N: [0-9]+", "N: 100.5")
    rule("parameter below zero", "N: [0-9]+", "N: -16")
    rule("parameter zero", "N: [0-9]+", "N: 0")
    rule("parameter of another", "N: [0-9]+", "N: M")
    rule("parameter a word", "N: [0-9]+", "N: many")
    rule("parameter a list", "N: [0-9]+", "N: [1, 2]")
    rule("parameter huge", "N: [0-9]+", "N: 1e300")
    rule("parameter not a number", "N: [0-9]+", "N: .nan")
    rule("parameter of the processors", "N: [0-9]+", "N: 48 / p")
    rule("range from above", "\\[0, ", "[100000, ")
    rule("range from half", "\\[0, ", "[0.5, ")
    rule("range from nan", "\\[0, ", "[0 / 0, ")
    rule("range from below", "\\[0, ", "[-5, ")
    rule("range to infinity", ", N - 1\\]", ", N / 0]")
    rule("range too far", ", N - 1\\]", ", N]")
    rule("range of the processors", ", N - 1\\]", ", N / p - 1]")
    rule("range of an unknown name", "N - ", "M - ")
    rule("range of one", "\\{i: \\[[^]]*\\]", "{i: [1]")
    rule("range of three", "\\{i: \\[[^]]*\\]", "{i: [1, 2, 3]")
    rule("range backwards", "\\{i: \\[[^]]*\\]", "{i: [7, 2]")
    rule("range huge", "\\{i: \\[[^]]*\\]", "{i: [0, 1e300]")
    rule("extent half", "extent: \\[", "extent: [0.5, ")
    rule("extent below zero", "extent: \\[[A-Za-z0-9]+", "extent: [-4")
    rule("extent zero", "extent: \\[[A-Za-z0-9]+", "extent: [0")
    rule("extent huge", "extent: \\[[A-Za-z0-9]+", "extent: [1e300")
    rule("extent of the processors", "extent: \\[[A-Za-z0-9]+", "extent: [48 / p")
    rule("element of nothing", "extent:", "element_bytes: 0, extent:")
    rule("element below zero", "extent:", "element_bytes: -8, extent:")
    rule("aligned to none", "align: [a-z]+", "align: nosuch")
    rule("order unknown", "order: [A-Za-z]+", "order: rows")
    rule("repeat below zero", "repeat: .*", "repeat: -1")
    rule("repeat half", "repeat: .*", "repeat: 0.5")
    rule("repeat huge", "repeat: .*", "repeat: 1e300")
    rule("repeat a word", "repeat: .*", "repeat: often")
    rule("repeat empty", "repeat: .*", "repeat:")
    rule("operation unknown", "add:", "plus:")
    rule("operation below zero", "load: ", "load: -")
    rule("operation a word", "load: [0-9]", "load: two")
    rule("operation huge", "load: [0-9]", "load: 1e300")
    rule("operations a list", "operations: \\{.*\\}", "operations: [1, 2]}")
    rule("kind of loop unknown", "kernel: [a-z]+", "kernel: stensil")
    rule("reduction unknown", "reduce: [a-z]+", "reduce: average")
    rule("reduction without result", "writes: \"[^\"]*\", ", "")
    rule("bytes below zero", "bytes: [^,}]+", "bytes: -8")
    rule("bytes huge", "bytes: [^,}]+", "bytes: 1e300")
    rule("bytes nan", "bytes: [^,}]+", "bytes: 0 / 0")
    rule("bytes of an unknown name", "bytes: [^,}]+", "bytes: M")
    rule("too many in a call", "bytes:", "processors: 100, bytes:")
    rule("twice as many in a call", "bytes:", "processors: 2 * p, bytes:")
    rule("none in a call", "bytes:", "processors: 0, bytes:")
    rule("half a processor in a call", "bytes:", "processors: 0.5, bytes:")
    rule("groups beyond p", "bytes:", "groups: 100, bytes:")
    rule("groups of no number", "bytes:", "groups: some, bytes:")
    rule("a call without a utility", "utility: [a-z-]+, ", "")
    rule("probability 2", "- segment:", "- segment: often\n    body: [branch: [{probability: 2, body: []}]]\n  - segment:")
    rule("probability below zero", "- segment:", "- segment: often\n    body: [branch: [{probability: -0.5, body: []}]]\n  - segment:")
    rule("probabilities beyond 1", "- segment:", "- segment: often\n    body: [branch: [{probability: 0.7, body: []}, {probability: 0.7, body: []}]]\n  - segment:")
    rule("a branch without probability", "- segment:", "- segment: often\n    body: [branch: [{body: []}]]\n  - segment:")
    rule("segments of one name", "- segment:", "- {segment: s, body: []}\n  - {segment: s, body: []}\n  - segment:")
    rule("a segment of nothing", "- segment:", "- {segment: nothing, body: []}\n  - segment:")
    rule("a strip below zero", "operations:", "strip: -2, operations:")
    rule("a strip of half", "operations:", "strip: 0.5, operations:")
    rule("a recurrence of no operation", "operations:", "recurrence: [plus], operations:")
    rule("a recurrence below zero", "operations:", "recurrence: {cycles: -1}, operations:")
    rule("a halo below zero", "grid:", "halo: {u: [-1, 0]}, grid:")
    rule("a halo of no array", "grid:", "halo: {nosuch: [1]}, grid:")
    rule("redistributed nowhere", "grid:", "redistribute: {before: nosuch, u: [BLOCK]}, grid:")
    rule("sweep of no parameter", "program:", "sweep: {nosuch: [1, 2]}\nprogram:")
    rule("sweep of no numbers", "program:", "sweep: {N: [some]}\nprogram:")
    rule("search of no kind", "program:", "search: {kinds: [BLOCKS]}\nprogram:")
    rule("version unknown", "forecost-segment: 1", "forecost-segment: 7")
    rule("misses unknown", "body:", "misses: some\n    body:")
    rule("a bracket left out", "\\]", "")
    rule("a brace left out", "\\}", "")
    rule("a quote left out", "\"", "")
    rule("a colon left out", ": ", " ")
    rule("a comma left out", ", ", " ")
    words = split("0 -1 0.5 1e300 9007199254740993 .nan p p0 i j k N u a x nosuch BLOCK CYCLIC \"*\" [] {} [ } : # - 'x true 2 16 p/2 N/p", word, " ")
    seed = 20261
}

# A number from 1 to n; the same in every awk, as all is below 2^53.
function draw(n) {
    seed = (seed * 16807) % 2147483647
    return seed % n + 1
}

# The text of the file with line `at` as `text`.
function write_with(at, text, what,    i, name) {
    count++
    name = TO "/" base "-" count ".yaml"
    for (i = 1; i <= lines; i++)
        if (i != at)
            print line[i] >name
        else if (text != "\001")
            print text >name
    close(name)
    print name "\t" what
}

function apply(r, at,    text) {
    text = line[at]
    if (sub(patterns[r], replacements[r], text) && text != line[at])
        write_with(at, text, names[r] ", line " at)
}

function apply_rules(    r, i, first, last) {
    for (r = 1; r <= rules; r++) {
        first = last = 0
        for (i = 1; i <= lines; i++)
            if (line[i] ~ patterns[r]) {
                first = first ? first : i
                last = i
            }
        if (!first || matched[r]++ % EVERY != 0)
            continue
        apply(r, first)
        if (last > first)
            apply(r, last)
    }
}

# A word of a line becomes another; or a line is lost, comes twice, or stands elsewhere.
function change_at_random(    at, text, parts, part, i, which, result, rest) {
    at = draw(lines)
    which = draw(12)
    if (which == 1) {
        write_with(at, "\001", "line " at " lost")
    } else if (which == 2) {
        write_with(at, line[at] "\n" line[at], "line " at " twice")
    } else if (which == 3) {
        write_with(at, "  " line[at], "line " at " further in")
    } else {
        rest = line[at]
        parts = 0
        while (match(rest, /[A-Za-z0-9_."*]+/)) {
            parts++
            begin[parts] = length(line[at]) - length(rest) + RSTART
            size[parts] = RLENGTH
            rest = substr(rest, RSTART + RLENGTH)
        }
        if (!parts)
            return
        part = draw(parts)
        text = word[draw(words)]
        result = substr(line[at], 1, begin[part] - 1) text substr(line[at], begin[part] + size[part])
        # What a utility is called is between the description and the table.
        if (result != line[at] && line[at] !~ /utility/)
            write_with(at, result, "word " part " of line " at " is " text)
    }
}

function finish(    i) {
    if (!lines)
        return
    apply_rules()
    for (i = 0; i < RANDOM; i++)
        change_at_random()
}

FNR == 1 {
    finish()
    lines = count = 0
    base = FILENAME
    sub(/.*\//, "", base)
    sub(/\.yaml$/, "", base)
}

{
    line[++lines] = $0
}

END {
    finish()
}
