#!/bin/sh
# embed.sh STYLE D3 SCRIPT...: the files as texts of C, on standard output. D3 may be "none".
set -eu
style=$1 d3=$2
shift 2
[ "$d3" != none ] || d3=/dev/null
echo '#include "estimator/report/assets.h"'
sh model/code/embed.sh asset_style "$style"
sh model/code/embed.sh asset_d3 "$d3"
sh model/code/embed.sh asset_script "$@"
