# What real.sh printed, summed up: awk -f real.awk ROWS.csv
#
# For communication and for totals: the median error, the shares within 25 % and inside the interval;
# then, of totals on one processor and on two that differ by more than 15 %, whether the faster one was
# named.
function median(values, n,    i, j, v) {
    for (i = 2; i <= n; i++) {
        v = values[i]
        for (j = i - 1; j >= 1 && values[j] > v; j--) values[j + 1] = values[j]
        values[j + 1] = v
    }
    return n == 0 ? "nan" : n % 2 ? values[(n + 1) / 2] : (values[n / 2] + values[n / 2 + 1]) / 2
}
function summed(what,    i, some) {
    for (i = 1; i <= count[what]; i++) some[i] = errors[what, i]
    printf "%s: %d rows, median error %.1f %%, within 25 %% %d of %d, inside low..high %d of %d\n", what, count[what],
        100 * median(some, count[what]), fair[what], count[what], inside[what], count[what]
}
BEGIN { FS = "," }
$1 == "program" { next }
$7 == "nan" { refused++; next }
{
    error = $7 < $6 ? 1 - $7 / $6 : $7 / $6 - 1
    errors[$3, ++count[$3]] = error
    fair[$3] += error <= 0.25
    inside[$3] += $8 <= $6 && $6 <= $9
}
$3 == "total" && $4 == 1 { alone[$1, $5] = $6; alone_predicted[$1, $5] = $7 }
$3 == "total" && $4 == 2 { both[$1, $5] = $6; both_predicted[$1, $5] = $7 }
END {
    summed("communication")
    summed("total")
    for (key in both) {
        ratio = key in alone ? alone[key] / both[key] : 1
        if (ratio < 1.15 && ratio > 1 / 1.15) continue
        pairs++
        right += (ratio > 1) == (alone_predicted[key] > both_predicted[key])
    }
    printf "faster of one and two processors named %d of %d; %d rows not predicted\n", right, pairs, refused
}
