# doc/output.md as a manual page: headings, tables of names and meanings, code, paragraphs.

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
    return text
}

function leave(now) {
    if (within == "table" && now != "table") print ".El"
    if (within == "code" && now != "code") print ".Ed"
    within = now
}

BEGIN {
    FS = " *[|] *"
    print ".\\\" Made from doc/output.md."
    print ".Dd November 24, 2026\n.Dt FORECOST-OUTPUT 7\n.Os\n.Sh NAME\n.Nm forecost-output\n.Nd what estimator prints"
    print ".Sh DESCRIPTION"
    empty = 1
}

NR == 1 { next }
/^## / { leave(""); sub(/^## /, ""); print ".Ss " escaped($0); empty = 1; next }
/^\|[ -]*-[-| ]*$/ { next }
/^\|/ {
    empty = 0
    if (within != "table") { # the row of headings
        leave("table")
        print ".Bl -tag -width Ds"
        has_units = $3 == "unit"
        next
    }
    unit = has_units && $3 != "" ? " (" $3 ")" : ""
    print ".It " escaped($2) unit
    print sentences(has_units ? $4 : $3)
    next
}
/^    / {
    empty = 0
    if (within != "code") { leave("code"); print ".Bd -literal -offset indent" }
    print escaped(substr($0, 5))
    next
}
/^$/ { leave(""); ended = !empty; next }
{
    leave("")
    if (ended) print ".Pp"
    ended = empty = 0
    print sentences($0)
}
END { leave("") }
