# A manual page from its frame: a line "@reference FILE@" is that reference of doc/ as mdoc: headings,
# tables of names and meanings, code, paragraphs. Everything else is as it is.

# Nothing in an argument is taken for a macro.
function argument(text,    words, count, i, shown) {
    count = split(text, words, / /)
    for (i = 1; i <= count; i++)
        shown = shown (i > 1 ? " " : "") (words[i] ~ /^[A-Z][a-z][a-z]?$|^"/ ? "\\&" : "") words[i]
    return shown
}

# Names in bold, links by what they say, nothing that begins a line taken for a macro.
function escaped(text,    parts, count, i, shown) {
    gsub(/\\/, "\\e", text)
    while (match(text, /\[[^]]*\]\([^)]*\)/)) {
        shown = substr(text, RSTART + 1, index(substr(text, RSTART), "]") - 2)
        text = substr(text, 1, RSTART - 1) shown substr(text, RSTART + RLENGTH)
    }
    count = split(text, parts, "`")
    shown = parts[1]
    for (i = 2; i <= count; i++)
        shown = shown (i % 2 ? "\\fR" : "\\fB") parts[i]
    return shown ~ /^[.']/ ? "\\&" shown : shown
}

# A sentence a line, as mandoc wants it.
function sentences(text) {
    text = escaped(text)
    gsub(/\. /, ".\n", text)
    gsub(/\n[.']/, "\n\\\\\\&&", text)
    return text
}

function leave(now) {
    if (within == "table" && now != "table") print ".El"
    if (within ~ /code/ && now !~ /code/) print ".Ed"
    within = now
}

function enter_code(what) {
    if (within != what) {
        leave(what)
        print ".Bd -literal -offset indent"
    }
    empty = 0
}

# A row: a name, its unit in brackets where there is one, and what is said of it; of several columns
# each says which it is.
function row(cells, count,    i, text) {
    if (within != "table") { # the row of headings
        leave("table")
        print ".Bl -tag -width Ds"
        for (i = 1; i <= count; i++)
            headings[i] = cells[i]
        return
    }
    print ".It " argument(escaped(cells[1]) (headings[2] == "unit" && cells[2] != "" ? " (" cells[2] ")" : ""))
    if (headings[2] == "unit" || count == 2)
        text = cells[count]
    else
        for (i = 2; i <= count; i++)
            text = text (i > 2 ? "; " : "") headings[i] ": " cells[i]
    print sentences(text)
    empty = 0
}

function line_of(line,    cells, count, i) {
    if (line ~ /^```/) {
        if (within == "fenced code") leave("")
        else enter_code("fenced code")
    } else if (within == "fenced code") {
        print escaped(line)
    } else if (line ~ /^##+ /) {
        leave("")
        sub(/^#+ /, "", line)
        print ".Ss " argument(escaped(line))
        empty = 1
        ended = 0
    } else if (line ~ /^\|[ -]*-[-| ]*$/) {
        return
    } else if (line ~ /^\|/) {
        gsub(/^\| *| *\|$/, "", line)
        count = split(line, cells, / *\| */)
        row(cells, count)
    } else if (line ~ /^    /) {
        enter_code("code")
        print escaped(substr(line, 5))
    } else if (line == "") {
        leave("")
        ended = !empty
    } else {
        leave("")
        if (ended) print ".Pp"
        ended = empty = 0
        print sentences(line)
    }
}

/^@reference / {
    path = folder "/" substr($2, 1, length($2) - 1)
    empty = 1
    ended = 0
    if ((getline line < path) <= 0) { # its title, which the page has
        print path ": cannot be read" >"/dev/stderr"
        exit 1
    }
    while ((getline line < path) > 0)
        line_of(line)
    leave("")
    next
}
{ print }
