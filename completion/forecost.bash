# shellcheck shell=bash
# Completion of the words after estimator and trainer, under whatever names they are installed. What
# there is to complete is asked of the program itself, so that a new command, option or suite needs
# nothing here: commands and options are in --help, suites in --list, utilities in the tables.
#
# Known to all functions: `program`; `words`, those before the cursor from the command on (or the
# program, which has no commands); `word`, what is typed of the next one; `help`, what the command's
# --help says; `options`, those of it, a line each: "SHORT LONG ARGUMENT", with - for what is not there.

_forecost_options() {
    sed -nE 's/^ +(-(.), +)?--([a-z-]+)(=([^ ]+))?( .*)?$/\2:\3:\5/p' <<<"$help" |
        awk -F: '{ print ($1 == "" ? "-" : $1), $2, ($3 == "" ? "-" : $3) }'
}

# The long name of the option that takes the next word as its value, if this one does.
_forecost_option() { # WORD
    awk -v word="$1" '$3 != "-" && (word == "-" $1 || word == "--" $2) { print $2 }' <<<"$options"
}

# Whether the first key of the file is KIND: forecost of a table, forecost-segment of a description.
_forecost_is() { # FILE KIND
    [[ -f $1 ]] && awk -v key="$2:" '/^ *(#.*)?$|^---/ { next } { exit index($0, key) != 1 }
        END { if (NR == 0) exit 1 }' "$1"
}

# Folders, and the files of these kinds.
_forecost_files() { # KIND...
    local file kind
    compgen -d -- "$word"
    for kind; do
        while IFS= read -r file; do
            if _forecost_is "$file" "$kind"; then printf '%s\n' "$file"; fi
        done < <(compgen -f -X '!*.yaml' -- "$word")
    done
}

# Folders, and C files.
_forecost_sources() {
    compgen -d -- "$word"
    compgen -f -X '!*.c' -- "$word"
}

# The words before the cursor that are files of the kind, also as values of options.
_forecost_given() { # KIND
    local file
    for file in "${words[@]:1}"; do
        file=${file#--*=}
        file=${file/#\~\//$HOME/}
        if _forecost_is "$file" "$1"; then printf '%s\n' "$file"; fi
    done
}

# Of the tables whose names are on standard input.
_forecost_utilities() {
    local table
    while IFS= read -r table; do
        "$program" show "$table" --format csv 2>/dev/null | awk -F, 'NR > 1 { print $1 }'
    done
}

# The tables in this folder.
_forecost_here() {
    local table
    for table in *.yaml; do
        if _forecost_is "$table" forecost; then printf '%s\n' "$table"; fi
    done | head -n 20
}

# The words that --help lists behind BEGINNING ("takes one of a, b or a utility"), with those of the
# tables on standard input in place of "utility" and "rate:UTILITY".
_forecost_told() { # BEGINNING
    local told utilities
    utilities=$(_forecost_utilities)
    for told in $(tr '\n' ' ' <<<"$help" | sed -E 's/\([^)]*\)//g' | sed -nE "s/.*$1 ([^.;]*)[.;].*/\\1/p" |
        sed -E 's/\b(or|one|of|a)\b//g; s/,/ /g'); do
        case $told in
        utility) printf '%s\n' "$utilities" ;;
        *:UTILITY) awk -v before="${told%UTILITY}" '{ print before $0 }' <<<"$utilities" ;;
        *:[[:lower:]]*) printf '%s\n' "$told" ;;
        *:*) printf '%s\n' "${told%%:*}:" ;;
        *) printf '%s\n' "$told" ;;
        esac
    done
}

# What plot --list says there is: "broadcasts[:BYTES]" is offered alone, "distance[:rate]" with what
# may follow too, and utilities are those of the tables on standard input.
_forecost_pictures() {
    local utilities name details detail
    utilities=$(_forecost_utilities)
    printf '%s\n' "$utilities" express
    awk '{ print "rate:" $0 }' <<<"$utilities"
    while IFS= read -r name; do
        details=${name#"${name%%[\[:]*}"}
        name=${name%%[\[:]*}
        [[ $name != [A-Z]* && $details != :* ]] || continue
        printf '%s\n' "$name"
        for detail in $(tr -s '[:]|' ' ' <<<"$details"); do
            [[ $detail == [A-Z]* ]] || printf '%s\n' "$name:$detail"
        done
    done < <("$program" plot --list --format csv 2>/dev/null | sed -nE '2,$s/^"?([^,"]*).*/\1/p')
}

# The descriptions before the cursor, and that of the C files there.
_forecost_descriptions() {
    local file sources=()
    while IFS= read -r file; do
        cat -- "$file"
    done < <(_forecost_given forecost-segment)
    for file in "${words[@]:1}"; do
        [[ $file != *.c || ! -f $file ]] || sources+=("$file")
    done
    ((${#sources[@]} == 0)) || "$program" describe "${sources[@]}" 2>/dev/null
}

# The keys of the map KEY of the descriptions before the cursor, written in lines or in braces.
_forecost_keys() { # KEY
    _forecost_descriptions | awk -v key="$1" '
        /^[^ #]/ {
            within = sub("^" key ": *", "")
            indent = 0
            if (!within || !sub(/^\{/, "")) next
            while (gsub(/\{[^{}]*\}|\[[^][]*\]/, "")) continue
            count = split($0, parts, / *, */)
            for (i = 1; i <= count; i++) if (sub(/:.*/, "", parts[i])) print parts[i]
        }
        within && match($0, /^ +[^ #]/) {
            if (!indent) indent = RLENGTH
            if (RLENGTH == indent && sub(/:.*/, "")) { sub(/^ +/, ""); print }
        }'
}

# Suites and utilities, behind the commas that are there.
_forecost_suites() {
    local before=
    [[ $word != *,* ]] || before=${word%,*},
    "$program" --list 2>/dev/null |
        awk -v before="$before" '{ name = $1 == "suite" ? $2 : $1; sub(":", "", name); print before name }'
}

_forecost_values() { # LONG
    case $1 in
    suite) _forecost_suites ;;
    section) _forecost_given forecost | _forecost_told '--section takes' ;;
    candidate) _forecost_keys candidates ;;
    define) _forecost_keys parameters | sed 's/$/=/' ;;
    convention) printf '%s\n' text table ;;
    format) printf '%s\n' text csv json ;;
    to) sed -nE 's/^  ([a-z][a-z0-9-]*): .*/\1/p' <<<"$help" ;;
    validate) _forecost_files forecost ;;
    rehearse) _forecost_files forecost-segment ;;
    output | side) compgen -f -- "$word" ;;
    esac
}

# The argument at that position, of those that --help names: "TABLE... SEGMENT".
_forecost_argument() { # POSITION
    local names last
    read -r -a names < <(sed -nE '1s/.*\[OPTION\.\.\.\]//p' <<<"$help")
    last=$((${#names[@]} - 1))
    [[ $last -gt 0 && ${names[0]} == *... && $1 -gt 0 ]] && names=('FILE...') last=0
    [[ $last -ge 0 && ($1 -le $last || ${names[last]} == *...) ]] || return 0
    case ${names[$1 < last ? $1 : last]} in
    TABLE*) _forecost_files forecost ;;
    FILE.c*) _forecost_sources ;;
    PROGRAM*) _forecost_sources; compgen -f -X '!*.rec' -- "$word" ;;
    SEGMENT*) _forecost_files forecost-segment; _forecost_sources ;;
    TIMES*) compgen -d -- "$word"; compgen -f -X '!*.csv' -- "$word" ;;
    UTILITY) _forecost_given forecost | _forecost_utilities ;;
    WHAT*) _forecost_here | _forecost_pictures ;;
    *) _forecost_files forecost forecost-segment; _forecost_sources ;;
    esac
}

# Whether the last argument is a C file: another one may follow, as of the same program.
_forecost_in_source() {
    [[ ${words[-1]} == *.c && $help == *"C files"* ]]
}

# How many of the words before the cursor are arguments.
_forecost_position() {
    local i position=0
    for ((i = 1; i < ${#words[@]}; i++)); do
        if [[ -n $(_forecost_option "${words[i]}") ]]; then
            ((i += 1))
        elif [[ ${words[i]} != -* && ! (${words[i]} == *.c && ${words[i - 1]} == *.c) ]]; then
            ((position += 1))
        fi
    done
    echo "$position"
}

# The commands that the program's own --help lists.
_forecost_commands() {
    "$program" --help 2>/dev/null | sed -nE 's/^  ([a-z-]+) +.*/\1/p'
}

# All that may stand at the cursor.
_forecost_candidates() {
    local option
    option=$(_forecost_option "${words[-1]}")
    if [[ -n $option ]]; then
        _forecost_values "$option"
    elif [[ $word == -* && -n $options ]]; then
        awk '{ if ($1 != "-") print "-" $1; print "--" $2 ($3 == "-" ? "" : "=") }' <<<"$options"
    elif [[ ${words[0]} == help ]]; then
        ((${#words[@]} > 1)) || _forecost_commands
    elif [[ ${#words[@]} -eq 1 && $help == *" COMMAND "* ]]; then
        _forecost_commands
        printf '%s\n' help --help --usage --version
    else
        ! _forecost_in_source || _forecost_sources
        _forecost_argument "$(_forecost_position)"
    fi
}

# The words of the line up to the cursor, cut at blanks alone; readline also cuts at = and :.
_forecost_split() {
    local line=${COMP_LINE:0:COMP_POINT}
    # shellcheck disable=SC2162 # backslashes are those of the shell
    read -a words <<<"$line"
    [[ $line != *[[:blank:]] ]] || words+=('')
    word=${words[-1]#[\"\']}
    unset 'words[-1]'
}

# Before the first word the program speaks for itself, behind it its command does.
_forecost_ask() {
    program=${words[0]/#\~\//$HOME/}
    help=$("$program" --help 2>/dev/null)
    if [[ ${help%%$'\n'*} == *" COMMAND "* && ${#words[@]} -gt 1 ]]; then
        help=$("$program" "${words[1]}" --help 2>/dev/null)
        words=("${words[@]:1}")
    fi
    options=$(_forecost_options)
}

_forecost() {
    local words word program help options cut='' before='' candidate
    _forecost_split
    cut=${word%"${word##*[=:]}"} # readline keeps it, and replaces what follows
    _forecost_ask
    if [[ $word == --*=* ]]; then # as if the value were a word
        words+=("${word%%=*}")
        before=${word%%=*}=
        word=${word#*=}
    fi
    COMPREPLY=()
    while IFS= read -r candidate; do
        [[ -z $candidate || $candidate != "$word"* ]] || COMPREPLY+=("${candidate:${#cut}-${#before}}")
    done < <(_forecost_candidates | sort -u)
    [[ ! -e ${COMPREPLY[0]} ]] || compopt -o filenames 2>/dev/null
    [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *[=:] ]] || compopt -o nospace 2>/dev/null
}

complete -F _forecost estimator trainer
