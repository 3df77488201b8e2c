#!/usr/bin/env bats
# Worked examples on the SP2 with 16 processors, computed by formula and by enumerating every element
# with another program: matrix-vector, ADI, FFT, three ways to join loops, LU.

setup() {
    table=$FORECOST_SOURCE/machines/sp2-mpl.yaml
    samples=$FORECOST_SOURCE/samples
}

# part SEGMENT SAMPLE OPTION...: "compute communicate" of that segment, or of all.
part() {
    local segment=$1 sample=$2
    shift 2
    estimator predict "$table" "$samples/$sample" -p 16 "$@" --format csv |
        awk -F, -v segment="$segment" '$1 == segment { print $3, $4 }'
}

# is "COMPUTE COMMUNICATE" EXPECTED EXPECTED: equal to 1e-6 relative; - is anything.
is() {
    awk -v got="$1" -v a="$2" -v b="$3" 'BEGIN {
        split(got, x, " ")
        bad = (a != "-" && (x[1] - a) ^ 2 > (1e-6 * a) ^ 2) || (b != "-" && (x[2] - b) ^ 2 > (1e-6 * b) ^ 2)
        if (bad || got == "") print "got " got ", expected " a " " b
        exit bad || got == "" }'
}

@test "matrix-vector: by rows x is gathered, by columns y combined by 16, in blocks by 4" {
    is "$(part all matvec/matvec.yaml -c rows)" 8007.772113943029 1550.2
    is "$(part all matvec/matvec.yaml -c columns)" 8007.772113943029 6612.24
    is "$(part all matvec/matvec.yaml -c blocks)" 8007.772113943029 1069.28
    run estimator predict "$table" "$samples/matvec/matvec.yaml" -p 16 -c rows
    [[ "$output" == *"x[j], instead of all-gather: 1 x 1550.2 us many-to-many(1024 bytes, p = 16)"* ]]
}

@test "ADI: redistributed before and after the sweep across" {
    is "$(part all adi/adi.yaml -c redistributed)" 2347.382308845577 16361.2
    is "$(part horizontal adi/adi.yaml -c redistributed)" 1173.6911544227885 0
    is "$(part 'redistribute before vertical' adi/adi.yaml -c redistributed)" 0 8180.6
}

@test "ADI repeated: each step has its sweeps and its two redistributions" {
    is "$(part all adi/adi.yaml -c redistributed -D steps=30)" 70421.46926536731 490836
    is "$(part horizontal adi/adi.yaml -c redistributed -D steps=30)" 35210.734632683662 0
    is "$(part 'redistribute before vertical' adi/adi.yaml -c redistributed -D steps=30)" 0 245418
    is "$(part 'redistribute after vertical' adi/adi.yaml -c redistributed -D steps=30)" 0 245418
    is "$(part all adi/adi.yaml -c pipelined -D strip=16 -D steps=30)" 87027.70614769052 73950
}

@test "ADI pipelined: strips of 16 and 64, and not cut at all" {
    is "$(part all adi/adi.yaml -c pipelined -D strip=16)" 2900.923538230884 2465.0
    is "$(part all adi/adi.yaml -c pipelined -D strip=64)" 4554.656671664168 1786.061946902655
    is "$(part all adi/adi.yaml -c pipelined -D strip=512)" 19952.749625187404 3206.9283276450515
}

@test "ADI pipelined: the best width is the best of all widths" {
    best=$(estimator predict "$table" "$samples/adi/adi.yaml" -p 16 -c pipelined --format csv |
        awk -F, '$1 == "all" { print $5 }')
    estimator rank "$table" "$samples/adi/adi.yaml" -p 16 -D strip="$(seq -s, 1 512)" --format csv |
        awk -F, -v best="$best" '$2 == "pipelined" { rows++; if (!least || $7 < least) least = $7 }
            END { bad = rows != 512 || (least - best) ^ 2 > (1e-9 * least) ^ 2; if (bad) print rows, least, best; exit bad }'
}

@test "FFT of 2^16: three transpositions; binary exchange" {
    is "$(part transform fft/fft.yaml)" 2456.3718140929536 0
    is "$(part all fft/fft.yaml)" - 13175.4
    is "$(part all fft/fft-binary.yaml)" 2456.3718140929536 13331.961352657005
}

@test "two statements in joined loops: 15360 elements, 32 many-to-many, one" {
    is "$(part P1 transpose/three-ways.yaml)" - 727148.9361702128
    is "$(part P2 transpose/three-ways.yaml)" - 26873.6
    is "$(part P3 transpose/three-ways.yaml)" - 8180.6
    run estimator predict "$table" "$samples/transpose/three-ways.yaml" -p 16
    [[ "$output" == *"15360 x 47.34 us point-to-point(8 bytes)"* ]]
    [[ "$output" == *"32 x 839.8 us many-to-many(256 bytes, p = 16)"* ]]
}

@test "LU: one broadcast a column; blocks are out of balance, cycles broadcast more" {
    is "$(part all lu/lu.yaml -c block)" 15888.755622188903 33368.63969873845
    is "$(part all lu/lu.yaml -c cyclic)" 12313.043478260866 37593.741225531914
}

@test "LU: blocks are cycles of as many columns, bit for bit" {
    sed 's/CYCLIC(b)/CYCLIC(N \/ p)/' "$samples/lu/lu.yaml" >"$BATS_TEST_TMPDIR/lu.yaml"
    for setting in "-p 16" "-p 8" "-p 4 -D N=100"; do
        # shellcheck disable=SC2086 # two words
        estimator rank "$table" "$BATS_TEST_TMPDIR/lu.yaml" $setting --format csv >"$BATS_TEST_TMPDIR/ranked"
        [ "$(grep -c '^[12],block' "$BATS_TEST_TMPDIR/ranked")" -eq 2 ]
        [ "$(grep block "$BATS_TEST_TMPDIR/ranked" | cut -d, -f1,3- | uniq | wc -l)" -eq 1 ]
    done
}

@test "Jacobi with the capacity misses of equation 5.1: one load and one store in eight" {
    sed 's/repeat: sweeps/&\n    misses: {load: 0.125, store: 0.125}/; s/sweeps: 100/sweeps: 1/' \
        "$samples/jacobi/jacobi.yaml" >"$BATS_TEST_TMPDIR/jacobi.yaml"
    samples=$BATS_TEST_TMPDIR
    is "$(part sweep jacobi.yaml -c columns -D N=512)" 1171.3943028485758 367.32394366197184
    is "$(part sweep jacobi.yaml -c blocks -D N=512)" 1175.9880059970014 304.2253521126761
}

@test "misses derived: nothing in a cache that holds all, one line in eight beyond" {
    sed 's/repeat: sweeps/&\n    misses: auto/; s/sweeps: 100/sweeps: 1000/' \
        "$samples/jacobi/jacobi.yaml" >"$BATS_TEST_TMPDIR/jacobi.yaml"
    samples=$BATS_TEST_TMPDIR
    # N = 128: two arrays of 8 rows of 1 KB fit in 64 KB.
    within=$(part sweep jacobi.yaml -c rows -D N=128 | cut -d' ' -f1)
    awk -v got="$within" 'BEGIN { us = 8 * 126 * 2 / 66.7 * 1000; exit !(got > us && got < 1.02 * us) }'
    beyond=$(part sweep jacobi.yaml -c rows -D N=512 | cut -d' ' -f1)
    awk -v got="$beyond" 'BEGIN { us = 1171394.3; exit !(got > 0.98 * us && got < 1.06 * us) }'
}

@test "the sample programs compute on 1, 4 and 16 simulated processors what one computes" {
    [ -z "${FORECOST_NO_BED:-}" ] || skip "FORECOST_NO_BED is set"
    [ -f "$FORECOST_BUILD/test/bed/libbed.so" ] || skip "the bed's platform was not built"
    while read -r name _ settings candidates; do
        for candidate in $candidates; do
            for p in 1 4 16; do
                # shellcheck disable=SC2046 # parameters are words
                BED_PROGRAM=$FORECOST_BUILD/samples/$name/$name-smpi run timeout 60 \
                    "$FORECOST_SOURCE/test/bed/bed.sh" $p 0:5:200 -- "${candidate%%:*}" $(tr , ' ' <<<"${settings%%;*}") --check
                [ "$status" -eq 0 ]
                [[ "$output" == *,right ]]
            done
        done
    done < <(grep -v "^#" "$FORECOST_SOURCE/test/validate/samples")
}

@test "predictions for LU, a stencil and a matrix product are what simulated machines measure" {
    [ -z "${FORECOST_NO_BED:-}" ] || skip "FORECOST_NO_BED is set"
    [ -f "$FORECOST_BUILD/test/bed/libbed.so" ] || skip "the bed's platform was not built"
    cd "$BATS_TEST_TMPDIR" || exit 1
    grep -E '^(jacobi|lu|summa) ' "$FORECOST_SOURCE/test/validate/samples" | sed 's/;[^ ]*//' >few
    VALIDATE_SAMPLES=$PWD/few timeout 100 "$FORECOST_SOURCE/test/validate/validate.sh" bed 4 16 >rows 2>progress
    # Every candidate, alone and with its computation: within 8 %, and in the right order.
    awk -F, 'NF == 11 && NR > 1 { rows++; if ($8 < 0.92 || $8 > 1.08) { print; bad = 1 } } END { exit bad || rows != 48 }' rows
    awk -F'[:,] *' '/ranked right/ { kinds++; if ($(NF - 1) + 0 != $NF + 0 || $NF + 0 < 10) bad = 1 } END { exit bad || kinds != 2 }' rows
}
