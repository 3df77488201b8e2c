#!/bin/sh
# embed.sh STYLE D3 SCRIPT...: the files as texts of C, on standard output. D3 may be "none".
set -eu

# text NAME FILE...
text() {
    name=$1
    shift
    printf 'const char %s[] = {' "$name"
    cat "$@" | od -An -v -td1 | sed 's/ *\(-\{0,1\}[0-9][0-9]*\)/\1,/g'
    printf '0};\n'
}

style=$1 d3=$2
shift 2
[ "$d3" != none ] || d3=/dev/null
echo '#include "estimator/report/assets.h"'
text asset_style "$style"
text asset_d3 "$d3"
text asset_script "$@"
