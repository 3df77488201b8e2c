#!/usr/bin/env bats
# The worked examples of the segment language on the SP2 with 16 processors (2 and 4 where it says so),
# number by number: iterations of the busiest processor, cycles of an iteration, computation,
# messages (how many, of how many bytes, us of each), communication, total. Each was computed twice
# by another program, by formula and by enumerating every element.

setup() {
    cd "$BATS_TEST_TMPDIR" || exit 1
    table=$FORECOST_SOURCE/machines/sp2-mpl.yaml
    samples=$FORECOST_SOURCE/samples
    sed 's/sweeps: 100/sweeps: 1/' "$samples/jacobi/jacobi.yaml" >ideal.yaml
    # Equation 5.1: one load and one store in eight miss, where two arrays are more than the cache.
    sed 's/repeat: sweeps/&\n    misses: {load: 0.125, store: 0.125}/' ideal.yaml >eq51.yaml
    # To them turning a matrix is nothing but messages.
    mkdir fft
    sed '/statement: turn/s/, operations:.*transpose//' "$samples/fft/fft.yaml" >fft/fft.yaml
}

# near GOT EXPECTED WHAT: equal to 1e-6 relative.
near() {
    awk -v got="$1" -v expected="$2" -v what="$3" 'BEGIN {
        bad = got == "" || (got - expected) ^ 2 > (1e-6 * expected) ^ 2
        if (bad) print what ": got " got ", expected " expected
        exit bad }'
}

# rows SEGMENT KIND DESCRIPTION OPTION...: "times each_us bytes" of the breakdown's rows of the kind.
rows() {
    estimator predict "$table" "${@:3}" --format csv --breakdown | awk -F, -v segment="$1" -v kind="$2" '
        ($1 == segment || segment == "all") && $2 == kind { print $(NF - 10), $(NF - 9), $(NF - 4) }'
}

# sum SEGMENT COLUMN DESCRIPTION OPTION...: the column of the segment.
sum() {
    estimator predict "$table" "${@:3}" --format csv | awk -F, -v segment="$1" -v column="$2" '$1 == segment { print $column }'
}

@test "Jacobi: iterations, cycles, messages and both sums, by rows, columns and blocks" {
    local count=0 misses candidate p n iterations cycles compute communicate messages partners bytes each total
    while read -r misses candidate p n iterations cycles compute communicate messages partners bytes each total; do
        set -- "$misses.yaml" -c "$candidate" -p "$p" -D N="$n"
        read -r got_iterations got_us _ < <(rows sweep compute "$@")
        [ "$got_iterations" = "$iterations" ]
        near "$(awk "BEGIN { print $got_us * 66.7 }" OFMT=%.12g)" "$cycles" "$* cycles"
        near "$(sum sweep 3 "$@")" "$compute" "$* compute"
        near "$(sum sweep 4 "$@")" "$communicate" "$* communicate"
        near "$(sum sweep 5 "$@")" "$total" "$* total"
        rows sweep communicate "$@" >got
        [ "$(wc -l <got)" -eq "$messages" ]
        while read -r got_partners got_us got_bytes; do
            [ "$got_partners $got_bytes" = "$partners $bytes" ]
            near "$got_us" "$each" "$* exchange"
        done <got
        count=$((count + 1))
    done <<'END'
ideal rows 16 64 248 2 7.436281859070465 114.92957746478874 1 2 496 57.46478873239437 122.3658593238592
ideal columns 16 64 248 2 7.436281859070465 114.92957746478874 1 2 496 57.46478873239437 122.3658593238592
ideal blocks 16 64 256 2 7.67616191904048 178.0281690140845 2 2 128 44.50704225352113 185.704330933125
ideal rows 16 256 4064 2 121.85907046476761 223.09859154929578 1 2 2032 111.54929577464789 344.9576620140634
ideal columns 16 256 4064 2 121.85907046476761 223.09859154929578 1 2 2032 111.54929577464789 344.9576620140634
ideal blocks 16 256 4096 2 122.81859070464768 232.11267605633805 2 2 512 58.02816901408451 354.93126676098575
ideal rows 16 512 16320 2 489.35532233883055 367.32394366197184 1 2 4080 183.66197183098592 856.6792660008024
ideal columns 16 512 16320 2 489.35532233883055 367.32394366197184 1 2 4080 183.66197183098592 856.6792660008024
ideal blocks 16 512 16384 2 491.2743628185907 304.2253521126761 2 2 1024 76.05633802816902 795.4997149312668
eq51 rows 16 512 16320 4.7875 1171.3943028485758 367.32394366197184 1 2 4080 183.66197183098592 1538.7182465105475
eq51 columns 16 512 16320 4.7875 1171.3943028485758 367.32394366197184 1 2 4080 183.66197183098592 1538.7182465105475
eq51 blocks 16 512 16384 4.7875 1175.9880059970014 304.2253521126761 2 2 1024 76.05633802816902 1480.2133581096775
ideal columns 2 256 32258 2 967.2563718140929 111.54929577464789 1 1 2032 111.54929577464789 1078.8056675887408
ideal columns 4 17 75 2 2.2488755622188905 88.45070422535211 1 2 120 44.225352112676056 90.699579787571
ideal columns 16 17 30 2 0.8995502248875562 88.45070422535211 1 2 120 44.225352112676056 89.35025445023967
END
    [ "$count" -eq 15 ]
}

@test "matrix-vector, FFT, LU: the largest message, and both sums" {
    local sample candidate bytes compute communicate total
    while read -r sample candidate bytes compute communicate total; do
        [ -e "$sample" ] || sample=$samples/$sample
        set -- "$sample" -c "$candidate" -p 16
        [ "$bytes" = - ] || [ "$(rows all communicate "$@" | cut -d' ' -f3)" = "$bytes" ]
        near "$(sum all 3 "$@")" "$compute" "$* compute"
        near "$(sum all 4 "$@")" "$communicate" "$* communicate"
        near "$(sum all 5 "$@")" "$total" "$* total"
    done <<'END'
matvec/matvec.yaml rows 1024 8007.772113943029 1550.2 9557.97211394303
matvec/matvec.yaml columns 16384 8007.772113943029 6612.24 14620.012113943028
matvec/matvec.yaml blocks 4096 8007.772113943029 1069.28 9077.05211394303
fft/fft.yaml rows 4096 2456.3718140929536 13175.4 15631.771814092956
fft/fft-binary.yaml hypercube 65536 2456.3718140929536 13331.961352657005 15788.333166749959
lu/lu.yaml block - 15888.755622188903 33368.63969873845 49257.39532092735
lu/lu.yaml cyclic - 12313.043478260866 37593.741225531914 49906.78470379278
END
    # 262144 iterations of 2.0375 cycles; 32768 butterflies of 5; 521560 or 362560 updates and scalings
    [ "$(rows all compute "$samples/matvec/matvec.yaml" -c rows -p 16 | cut -d' ' -f1)" = 262144 ]
    near "$(rows all compute "$samples/matvec/matvec.yaml" -c rows -p 16 | awk '{ printf "%.12g", $2 * 66.7 }')" 2.0375 cycles
    [ "$(rows transform compute "$samples/fft/fft.yaml" -p 16 | cut -d' ' -f1)" = 32768 ]
    near "$(rows transform compute "$samples/fft/fft.yaml" -p 16 | awk '{ printf "%.12g", $2 * 66.7 }')" 5 cycles
}

@test "ADI: redistributed, not cut, in strips of 16 and of 64; three ways to join loops" {
    adi=$samples/adi/adi.yaml
    near "$(sum horizontal 3 "$adi" -c redistributed -p 16)" 1173.6911544227885 "first sweep"
    near "$(sum vertical 3 "$adi" -c redistributed -p 16)" 1173.6911544227885 "second sweep"
    near "$(sum all 4 "$adi" -c redistributed -p 16)" 16361.2 redistribute
    near "$(sum all 5 "$adi" -c redistributed -p 16)" 18708.582308845576 redistributed
    [ "$(rows all communicate "$adi" -c redistributed -p 16 | cut -d' ' -f3 | uniq)" = 8192 ]
    local strip stages bytes stage communicate total
    while read -r strip stages bytes stage communicate total; do
        set -- "$adi" -c pipelined -p 16 -D strip="$strip"
        [ "$(rows vertical communicate "$@" | cut -d' ' -f1,3)" = "$stages $bytes" ]
        near "$(sum vertical 4 "$@")" "$communicate" "strips of $strip"
        near "$(sum all 5 "$@")" "$total" "strips of $strip, total"
        [ "$strip" = 512 ] || near "$(sum vertical 3 "$@")" "$(awk "BEGIN { printf \"%.12g\", $stages * $stage }")" "stages"
    done <<'END'
512 15 4096 1175.9880059970014 3206.9283276450515 23159.677952832455
16 47 128 36.749625187406295 2465.0 5365.923538230884
64 23 512 146.99850074962518 1786.061946902655 6340.718618566822
END
    ways=$samples/transpose/three-ways.yaml
    near "$(sum P1 4 "$ways" -p 16)" 727148.9361702128 P1
    near "$(sum P2 4 "$ways" -p 16)" 26873.6 P2
    near "$(sum P3 4 "$ways" -p 16)" 8180.6 P3
    [ "$(for way in P1 P2 P3; do rows $way communicate "$ways" -p 16 | cut -d' ' -f1,3; done | tr '\n' ,)" = "15360 8,32 256,1 8192," ]
}

@test "more processors than blocks: the last are idle, which the breakdown says" {
    run estimator predict "$table" ideal.yaml -c columns -p 16 -D N=17
    [ "$status" -eq 0 ]
    # 9 of 16 have columns; the interior 15 x 15 = 225 points over 16, and the busiest has 30.
    [[ "$output" == *"load imbalance: the busiest processor computes 2.13 times the mean"* ]]
}

@test "bad alignments and grids are refused at their place" {
    refused() {
        run estimator predict "$table" bad.yaml -p 4 -c "$1"
        [ "$status" -eq 2 ]
        [ "$output" = "estimator: bad.yaml:$2" ] || { echo "$output"; return 1; }
    }
    sed 's/align: u/align: unew/' ideal.yaml >bad.yaml
    refused rows "$(grep -n 'unew: {' bad.yaml | cut -d: -f1):9: the alignment of unew goes round in a circle"
    sed 's/  blocks: {grid: .*\], distribute/  blocks: {grid: [3, 2], distribute/' ideal.yaml >bad.yaml
    refused blocks "$(grep -n 'blocks:' bad.yaml | cut -d: -f1):11: the grid of blocks has 6 processors, the run has 4"
    sed 's/  blocks: {grid: .*\], distribute/  blocks: {grid: [3, p \/ 3], distribute/' ideal.yaml >bad.yaml
    refused blocks "$(grep -n 'blocks:' bad.yaml | cut -d: -f1):22: 'p / 3' is 1.33333: expected a whole number"
}
