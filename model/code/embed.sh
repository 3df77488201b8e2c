#!/bin/sh
# embed.sh NAME FILE...: the files, one behind the other, as a text of C of that name, on standard output.
# FILE may be -.
set -eu
name=$1
shift
printf 'const char %s[] = {' "$name"
cat "$@" | od -An -v -td1 | sed 's/ *\(-\{0,1\}[0-9][0-9]*\)/\1,/g'
printf '0};\n'
