#!/bin/sh
# Links libforecost as libtool is told to by the arguments. A static library shows every name that its
# objects share; of this one a program shall see forecost_* alone: it becomes one object, of what the
# functions need, whose other names are its own.
#
#     LD=... OBJCOPY=... AR=... link.sh LIBTOOL ARGUMENT...
set -eu
"$@"
archive=.libs/libforecost.a
[ -f "$archive" ] || exit 0 # shared alone

objects=
archives=
for word in "$@"; do
    case $word in
    *.lo) objects="$objects ${word%.lo}.o" ;;
    libforecost.la) ;;
    lib*.la) archives="$archives .libs/${word%.la}.a" ;;
    esac
done
# shellcheck disable=SC2086 # lists of words
$LD -r -o .libs/forecost-all.o $objects $archives
$OBJCOPY --wildcard --keep-global-symbol='forecost_*' .libs/forecost-all.o
rm -f "$archive"
"${AR:-ar}" cr "$archive" .libs/forecost-all.o
rm -f .libs/forecost-all.o
