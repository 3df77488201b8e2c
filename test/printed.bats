#!/usr/bin/env bats
# What the estimator prints can be machine-read, and doc/output.md says what it means.

setup() {
    machines=$FORECOST_SOURCE/machines
    sp2=$machines/sp2-mpl.yaml
    jacobi=$FORECOST_SOURCE/samples/jacobi/jacobi.yaml
    livermore=$FORECOST_SOURCE/samples/livermore/lfk03.yaml
    page=$FORECOST_SOURCE/doc/output.md
    cd "$BATS_TEST_TMPDIR" || exit 1
    printf '%s\n' 'sample,processors,N,sweeps,candidate,segment,part,total_us' \
        'jacobi,4,64,1,rows,all,all,9000' 'jacobi,4,64,1,blocks,all,all,8000' >times.csv
}

# every_command: a line each of what prints rows. Columns depend on the tables, which these have all.
every_command() {
    echo "cost $sp2 one-to-many -n 0,4M -p 8,512"
    echo "cost $sp2 exchange -n 0,1k"
    echo "predict $sp2 $jacobi -p 4"
    echo "predict $sp2 $jacobi -p 4 --breakdown"
    sed 's/^\( *\)\(reads: \[\)/\1at: "jacobi.c:1"\n\1\2/' "$jacobi" >origins.yaml
    echo "predict $sp2 origins.yaml -p 4 --breakdown"
    echo "rank $sp2 $machines/sp1-mpl.yaml $jacobi -p 3,4,8"
    echo "rank $sp2 $jacobi -p 4 --search -D N=64"
    echo "rank $sp2 $machines/sp1-mpl.yaml $jacobi -p 4 --bands -D N=64,128"
    echo "rank $sp2 $machines/sp1-mpl.yaml $jacobi -p 4 --fastest -D N=64,128"
    echo "score $sp2 $jacobi times.csv"
    echo "score $sp2 $jacobi times.csv --section ranking"
    echo "bound $machines/power2-thin.yaml $livermore"
    echo "best-broadcast $sp2 -n 16 -p 8"
    for section in times changes laws; do
        echo "compare $sp2 $machines/sp1-mpl.yaml --section $section"
    done
    echo "compare $sp2 $machines/sp1-mpl.yaml $jacobi -p 4 -M"
    echo "compare $machines/paragon.yaml $machines/meiko-cs2.yaml --section logp"
    echo "compare $sp2 $machines/power2-thin.yaml --section node"
    echo "compare $sp2 $machines/power2-thin.yaml --section memory"
    for section in machine communication utilities node memory swap overlap logp signature noise states in_situ start_up first_touch waiting not_measured; do
        echo "show $machines/smb-n107.yaml --section $section"
        echo "show $sp2 --section $section"
    done
    echo "check $sp2 $jacobi"
}

need_schema() {
    python3 -c 'import jsonschema' 2>/dev/null || skip "python3-jsonschema is not installed"
    cat >validate.py <<'EOF'
# validate.py SCHEMA [FILE COMMAND]...: each file, or standard input, is as the schema says, and of that command.
import json, sys, warnings
warnings.simplefilter("ignore")
import jsonschema
schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
if len(sys.argv) == 2:
    validator.validate(json.load(sys.stdin))
for file, command in zip(sys.argv[2::2], sys.argv[3::2]):
    answer = json.load(open(file))
    validator.validate(answer)
    if answer["command"] != command:
        sys.exit(f"{file}: {answer['command']}, expected {command}")
EOF
    schema=$FORECOST_SOURCE/doc/output.schema.json
}

# answer ARGUMENT...: the JSON of a command; status 1 is an answer too.
answer() {
    local status=0
    estimator "$@" --format json >answer.json 2>said || status=$?
    [ "$status" -lt 2 ] || { echo "estimator $*: status $status"; cat said; return 1; }
}

@test "JSON: what every command prints is as the schema says" {
    need_schema
    files=()
    while read -ra words; do
        answer "${words[@]}"
        mv answer.json "${#files[@]}.json"
        files+=("${#files[@]}.json" "${words[0]}")
    done < <(every_command)
    python3 validate.py "$schema" "${files[@]}"
    [ "${#files[@]}" -ge 60 ]
}

@test "JSON: the schema refuses what is not so" {
    need_schema
    answer cost "$sp2" exchange -n 8
    for wrong in 's/"schema": 1/"schema": 2/' 's/"rate_mb_per_s"/"rate"/' 's/"command": "cost"/"command": "coast"/' \
        's/"time_us": /&-/' 's/"flags": ""/"flags": "Two,words"/' '/"tables"/,/\]/d'; do
        run python3 validate.py "$schema" < <(sed "$wrong" answer.json)
        [ "$status" -ne 0 ] || { echo "passed: $wrong"; false; }
    done
}

# member EXPRESSION: of the answer, called it.
member() {
    python3 -c 'import json, sys; it = json.load(sys.stdin); print(eval(sys.argv[1]))' "$1" <answer.json
}

@test "JSON: tables with their dates and sources, the description, and the program" {
    answer rank "$sp2" "$machines/sp1-mpl.yaml" "$jacobi" -p 4
    [ "$(member '[t["name"] for t in it["tables"]]')" = "['sp2-mpl', 'sp1-mpl']" ]
    [ "$(member 'it["tables"][1]["path"]')" = "$machines/sp1-mpl.yaml" ]
    [ "$(member 'it["tables"][0]["measured"]')" = None ]
    [[ "$(member 'it["tables"][0]["source"]')" == *Abandah* ]]
    [ "$(member 'it["segment"]')" = "$jacobi" ]
    [ "$(member 'it["program"]')" = "$(estimator --version)" ]
    printf '%s\n' 'forecost: 1' 'machine: {name: "a\"b\\c", measured: {date: 2026-01-02}}' 'communication:' \
        '  - {utility: exchange, regions: [{t0_us: 1}]}' >odd.yaml
    answer cost odd.yaml exchange -n 8
    [ "$(member 'it["tables"][0]["name"]')" = 'a"b\c' ]
    [ "$(member 'it["tables"][0]["measured"]')" = 2026-01-02 ]
    [ "$(member 'it["tables"][0]["source"]')" = None ]
    [ "$(member '"segment" in it')" = False ]
}

@test "JSON: remarks are what standard error says, and what the flags mean" {
    answer rank "$sp2" "$jacobi" -p 3
    [ "$(member 'len(it["remarks"])')" = 2 ]
    [ "$(member 'it["remarks"][1].split(":")[0]')" = partly-bound ]
    [ "estimator: remark: $(member 'it["remarks"][0]')" = "$(cat said)" ]
    [[ "$(cat said)" == *"p = 3: blocks left out: "* ]]
    answer cost "$sp2" combine -n 4M -p 1024
    [ "$(member '[r.split(":")[0] for r in it["remarks"]]')" = "['extrapolated-n', 'extrapolated-p']" ]
    [ ! -s said ]
    answer cost "$sp2" combine -n 8 -p 16
    [ "$(member 'it["remarks"]')" = "[]" ]
}

@test "JSON: where no candidate fits, the reasons and no rows" {
    sed 's/grid: \[p\]/grid: [p + 1]/; /blocks:/s/grid: \[[^]]*\]/grid: [p + 1, 1]/' "$jacobi" >none.yaml
    run estimator rank "$sp2" none.yaml -p 4 --format csv
    [ "$status" -eq 1 ]
    answer rank "$sp2" none.yaml -p 4
    [ "$(member 'it["rows"]')" = "[]" ]
    [ "$(member 'len(it["remarks"])')" -ge 3 ]
}

@test "remarks on standard error begin with estimator: remark:" {
    estimator rank "$sp2" "$jacobi" -p 3 2>said >/dev/null
    estimator export "$sp2" --to loggp 2>>said >/dev/null || true
    estimator export "$sp2" --to simgrid 2>>said >/dev/null
    [ "$(wc -l <said)" -ge 3 ]
    [ "$(grep -vc '^estimator: remark: ' said)" -eq "$(grep -c "^estimator: $sp2" said)" ]
}

# cell COLUMN ARGUMENT...: of the one row that a command prints.
cell() {
    local column=$1
    shift
    estimator "$@" --format csv | awk -F, -v column="$column" \
        'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 2 { print $at[column] }'
}

@test "processors are those that take part, in cost as in compare, and formula_p is what the formula counts" {
    { printf '%s\n' 'forecost: 1' 'machine: {name: t, processors: 64}' 'communication:'
      for utility in broadcast one-to-many; do
          printf '%s\n' "  - utility: $utility" '    processors_mean: destinations' '    processors: [1, 63]' \
              '    regions: [{setup_us: {p: 1}, per_byte_us: {1: 0}}]'
      done
      printf '%s\n' '  - {utility: combine, processors: [2, 64], regions: [{setup_us: {p: 1}, per_byte_us: {1: 0}}]}'; } >t.yaml
    [ "$(cell time_us cost t.yaml broadcast -n 8 -p 64)" = 63 ]
    [ "$(cell flags cost t.yaml broadcast -n 8 -p 64)" = error-unknown ]
    [ "$(cell formula_p cost t.yaml broadcast -n 8 -p 64)" = 63 ]
    [ "$(cell flags cost t.yaml broadcast -n 8 -p 65)" = extrapolated-p ]
    [ "$(cell time_us cost t.yaml combine -n 8 -p 64)" = 64 ]
    [ "$(cell formula_p cost t.yaml combine -n 8 -p 64)" = "" ]
    sed 's/name: t/name: u/' t.yaml >u.yaml
    [ "$(cell t_us compare t.yaml u.yaml --section broadcast -n 8 -p 64)" = 63 ]
    # As the formula counts it.
    [ "$(cell time_us cost t.yaml broadcast -n 8 -p 63 --formula-p)" = 63 ]
    [ "$(cell processors cost t.yaml broadcast -n 8 -p 63 --formula-p)" = 64 ]
    [ "$(cell processors cost t.yaml combine -n 8 -p 64 --formula-p)" = 64 ]
    [ "$(cell processors cost t.yaml broadcast -n 8)" = 2 ]
    run estimator cost t.yaml broadcast -n 8 -p 1
    [ "$status" -eq 2 ]
    [ "$output" = "estimator: n = 8, p = 1: expected n at least 0 and p a whole number from 2" ]
    [ "$(cell time_us cost t.yaml combine -n 8 -p 1)" = 1 ]
    estimator plot broadcast t.yaml -p 64 | grep -q "'t: model, p = 64'"
    estimator plot broadcast t.yaml | grep -q "'t: model, p = 64'"
    estimator plot broadcast t.yaml -p 64 | grep -qE '^[0-9]+ 63$'
}

@test "a rate is of messages as the sources count them, rinf that of ever longer ones" {
    [ "$(cell rinf_mb_per_s predict "$sp2" "$jacobi" -p 4 --breakdown)" = "" ]
    estimator predict "$sp2" "$jacobi" -p 4 --breakdown --format csv | grep -q ',rinf_mb_per_s,'
    estimator compare "$sp2" "$machines/sp1-mpl.yaml" --section laws --format csv | grep -q '^point-to-point,rinf_mb_per_s,'
    run grep -rlE '"rate_mb_per_s"' "$FORECOST_SOURCE/estimator" --include='*.c'
    [ "$output" = "$FORECOST_SOURCE/estimator/commands/cost.c" ]
}

# columns: of every command, a line each: "HEADING<TAB>its columns", as doc/output.md has the heading.
columns() {
    while read -ra words; do
        heading=${words[0]}
        case "${words[*]}" in
        predict*--breakdown) heading="predict --breakdown" ;;
        rank*--bands*) heading="rank --bands" ;;
        rank*--fastest*) heading="rank --fastest" ;;
        compare*-M) heading="compare with a program" ;;
        *"--section times") ;;
        *--section*) heading="${words[0]} --section ${words[-1]}" ;;
        esac
        printf '%s\t%s\n' "$heading" "$(estimator "${words[@]}" --format csv 2>/dev/null | head -1)"
    done < <(every_command)
}

@test "every column that a command prints is in doc/output.md under its heading, and none that it does not print" {
    columns >printed
    [ "$(wc -l <printed)" -ge 30 ]
    python3 - "$page" <<'EOF'
import re, sys

said, heading, first = {}, "", ""
for line in open(sys.argv[1]):
    if line.startswith("#"):
        words = line.strip("# \n")
        # One heading may stand for several sections: "compare --section logp, node, memory".
        head, _, sections = words.partition(" --section ")
        heading = [head + " --section " + s for s in sections.split(", ")] if sections else [words]
    cells = [c.strip() for c in line.split("|")[1:-1]]
    if not cells:
        first = ""
    elif not first:
        first = cells[0]
    elif first == "column" and not cells[0].startswith("---"):
        for h in heading:
            said.setdefault(h, set()).update(re.findall("`([^`]+)`", cells[0]))
common = said.pop("Columns that many commands have")

# What tables and descriptions name themselves.
own = {"TABLE": r"[a-z]+[0-9]*-[a-z0-9-]+|paragon", "TABLE_us": r"sp[12]-mpl_us", "UNIT_cycles": r"[a-z-]+_cycles", "PARAMETER": "N"}
printed = {}
for line in open("printed"):
    h, columns = line.rstrip("\n").split("\t")
    assert columns, f"{h} prints nothing"
    printed.setdefault(h, set()).update(columns.split(","))
wrong = []
for h in printed:
    names = said.get(h, set())
    patterns = [own[n] for n in names if n in own]
    wrong += [f"{h}: {c} is not documented" for c in printed[h]
              if c not in names and not any(re.fullmatch(p, c) for p in patterns)]
    several = h.startswith("compare --section") and h.split()[-1] in ("logp", "node", "memory")
    wrong += [f"{h}: {n} is never printed" for n in names - printed[h]
              if n not in own and n != "items" and not (several and n in ("logp", "node", "memory"))]
wrong += [f"{h}: no such command" for h in said if h not in printed]
everywhere = set().union(*printed.values())
wrong += [f"{n} is in no command" for n in common - everywhere]
sys.exit("\n".join(wrong) or 0)
EOF
}

# names_of KIND: the first cells of the table of the page whose first column is KIND.
names_of() {
    awk -F'|' -v kind="$1" '$2 == " " kind " " { inside = 1; next } !/^\|/ { inside = 0 }
        inside && $2 !~ /^-/ { gsub(/[` ]/, "", $2); print $2 }' "$page" | sort
}

@test "every flag and every limit is in doc/output.md, and none that is none" {
    sed -nE '/cost_flag_rows\[\] = \{/,/^\};/s/^ *\{COST_[A-Z_]+, *"([a-z-]+)".*/\1/p' "$FORECOST_SOURCE/model/cost/cost_flags.c" | sort >flags
    [ "$(wc -l <flags)" -eq "$(grep -cE '^    COST_[A-Z_]+ = [0-9]+' "$FORECOST_SOURCE/model/cost/cost.h")" ]
    names_of flag | diff flags -
    {
        sed -nE 's/.*add_limit\(.*"([a-z]+)".*/\1/p' "$FORECOST_SOURCE/model/node/bound.c"
        sed -nE 's/.*\.limit = "([a-z]+)".*/\1/p' "$FORECOST_SOURCE/forecast/predict/compute.c"
        sed -nE 's/.*row_measured_loop\[\] = "([a-z]+)".*/\1/p' "$FORECOST_SOURCE/forecast/predict/compute.c"
        printf '%s\n' UNIT UTILITY # by the names that tables have
    } | sort -u >limits
    [ "$(wc -l <limits)" -eq 6 ]
    names_of limit | diff limits -
}

# What a reader cannot look up: lines and numbers of the project's own papers.
private='\b00[0-4](:[0-9]|\))|\b[RDXY][0-9]{2,3}\b'

@test "nothing that is printed cites what a reader cannot look up" {
    {
        while read -ra words; do
            estimator "${words[@]}"
        done < <(every_command)
        for table in "$machines"/*.yaml; do
            estimator show "$table"
            estimator export "$table" --to csv
        done
        estimator predict "$sp2" "$jacobi" -p 4 --explain
        for command in $(estimator --help | sed -nE 's/^  ([a-z-]+) +.*/\1/p'); do
            estimator "$command" --help
        done
    } >printed 2>&1
    [ "$(wc -l <printed)" -ge 1000 ]
    run grep -nE "$private" printed
    [ "$status" -eq 1 ] || { echo "$output"; false; }
    grep -q 'Abandah 1995, section 2.3' printed
}

@test "neither do texts that no sample prints, nor the documents" {
    # Texts between quotes, without the comments around them.
    grep -rhoE '"([^"\\]|\\.)*"' "$FORECOST_SOURCE"/{estimator,trainer,model,shim} --include='*.[ch]' >texts
    [ "$(wc -l <texts)" -ge 3000 ]
    run grep -nE "$private" texts
    [ "$status" -eq 1 ] || { echo "$output"; false; }
    run grep -nE "$private" "$FORECOST_SOURCE"/README.md "$FORECOST_SOURCE"/doc/*.md "$FORECOST_SOURCE"/doc/man/*.in
    [ "$status" -eq 1 ] || { echo "$output"; false; }
}

@test "show: a remark on a line stands only where the line is" {
    printf '%s\n' 'forecost: 1' 'machine: {name: t}' 'logp:' '  {send_overhead_us: 1, receive_overhead_us: 2, gap_us: 4}' >t.yaml
    run estimator show t.yaml -s logp
    [ "$status" -eq 0 ]
    [[ "$output" != *"line of transfers"* ]]
    sed -i 's/gap_us: 4/gap_us: 4, store_t0_us: 3, store_rinf_mb_per_s: 50/' t.yaml
    run estimator show t.yaml -s logp
    [[ "$output" == *"The line of transfers hides"* ]]
}

@test "compare: nobody wins where a table says nothing" {
    region() { printf '    regions: [{processors_upto: %s, t0_us: %s}, {unscalable: true}]\n' "$1" "$2"; }
    for row in 'a 8 10' 'b 64 20' 'c 64 30'; do
        read -r name upto time <<<"$row"
        { printf '%s\n' 'forecost: 1' "machine: {name: $name, processors: 64}" 'communication:' '  - utility: combine'
          region "$upto" "$time"; } >"$name.yaml"
    done
    estimator compare a.yaml b.yaml c.yaml -n 8 -p 8,64 --format csv >rows
    [ "$(cut -d, -f3-8 rows | tail -n +2)" = $'8,10,20,30,3,a\n64,,20,30,1.5,' ]
    # Where a ends, the fastest does not change: nothing is known of it there.
    estimator compare a.yaml b.yaml c.yaml -n 8 -p 8,64 -s changes --format csv 2>said >rows || true
    run grep '^combine' rows
    [ "$status" -eq 1 ]
    estimator compare b.yaml c.yaml -n 8 -p 64 --format csv | grep -q ',b,$'
}

# refused_plot WHAT TEXT
refused_plot() {
    run estimator plot "$1" "$machines/smb-n107.yaml"
    [ "$status" -eq 2 ]
    [ "${#lines[@]}" -eq 1 ]
    [ "$output" = "estimator: $2" ] || { echo "$output"; false; }
}

@test "plot: a detail that a picture does not have is refused, with one line" {
    refused_plot overlap:8 "overlap:8: expected overlap alone"
    refused_plot overhead:send "overhead:send: expected overhead alone"
    refused_plot signature:1 "$machines/smb-n107.yaml: the table has no logp signature of so many bytes"
    refused_plot bound:x "bound:x: expected bound alone"
    refused_plot cpf:3 "cpf:3: expected cpf alone"
    run estimator plot accuracy:exchagne "$sp2"
    [ "$status" -eq 2 ]
    [[ "$output" == *"no utility 'exchagne': did you mean 'exchange'?"* ]]
    estimator plot overlap "$machines/smb-n107.yaml" | grep -q '^plot'
}

@test "plot: where the file cannot be written, one line, before anything is drawn" {
    for ending in svg png pdf gp; do
        run estimator plot exchange "$sp2" -o "nowhere/it.$ending"
        [ "$status" -eq 2 ]
        [ "$output" = "estimator: nowhere/it.$ending: cannot be written: No such file or directory" ]
        mkdir -p "folder.$ending"
        run estimator plot exchange "$sp2" -o "folder.$ending"
        [ "$status" -eq 2 ]
        [ "$output" = "estimator: folder.$ending: is a folder: expected a file, or none yet" ]
    done
}

@test "the manual page is the same text: every column and flag of doc/output.md, and its sections" {
    manual=$FORECOST_BUILD/doc/man/forecost-output.7
    awk -F'|' '/^\| [^-a-zA-Z]/ { for (i = split($2, part, /[^A-Za-z0-9_-]+/); i > 0; i--) if (part[i]) print part[i] }' \
        "$page" | sort -u >names
    [ "$(wc -l <names)" -ge 120 ]
    while read -r name; do
        grep -qF "\\fB$name\\fR" "$manual" || { echo "not in the manual page: $name"; false; }
    done <names
    [ "$(grep -c '^\.Ss ' "$manual")" -eq "$(grep -c '^## ' "$page")" ]
    [ "$(grep -c '^\.Bl ' "$manual")" -eq "$(grep -c '^\.El' "$manual")" ]
    # The README leads there.
    grep -q '(doc/output.md)' "$FORECOST_SOURCE/README.md"
}

@test "numbers have points and no commas in any locale" {
    numbers() {
        estimator show "$sp2"
        estimator cost "$sp2" exchange -n 1,5000 -p 2,3 --format json
        estimator rank "$sp2" "$jacobi" -p 4
    }
    numbers >plain
    grep -qE '[0-9]\.[0-9]' plain
    localedef -i de_DE -f UTF-8 "$PWD/de_DE.UTF-8" 2>/dev/null || [ -e de_DE.UTF-8/LC_NUMERIC ] ||
        skip "no locale with a decimal comma can be made (Debian's locales)"
    export LOCPATH=$PWD LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8
    [ "$(locale decimal_point)" = , ]
    numbers >there
    cmp plain there
}
