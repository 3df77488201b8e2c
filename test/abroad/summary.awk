# What abroad.sh printed, summed up: awk -f summary.awk ROWS.csv
#
# First a table of programs and machines with the median ratio of predicted to measured; then, for all
# rows: the median error, the shares within 10 and 25 %, the share inside the interval, the interval's
# median width, and how many rows are off by more than half without a flag; then questions with two
# answers that differ by more than 10 %: whether the faster one was named, and the median error of the
# ratio. Asked are processor counts of one program on one machine, and machines for one program.
function median(values, n,    i, j, v) {
    for (i = 2; i <= n; i++) {
        v = values[i]
        for (j = i - 1; j >= 1 && values[j] > v; j--) values[j + 1] = values[j]
        values[j + 1] = v
    }
    return n == 0 ? "nan" : n % 2 ? values[(n + 1) / 2] : (values[n / 2] + values[n / 2 + 1]) / 2
}
function share(part, all) { return sprintf("%d of %d", part, all) }
function error_of(ratio) { return ratio < 1 ? 1 - ratio : ratio - 1 }

# The pairs of rows that agree in all but one column.
function questions(what, same, differs,    i, j, n, right, errors, m, f) {
    n = right = 0
    for (i = 1; i <= rows; i++)
        for (j = i + 1; j <= rows; j++) {
            if (column[i, same[1]] != column[j, same[1]] || column[i, same[2]] != column[j, same[2]] ||
                column[i, same[3]] != column[j, same[3]] || column[i, differs] == column[j, differs])
                continue
            m = measured[i] / measured[j]
            f = predicted[i] / predicted[j]
            if (m < 1.1 && m > 1 / 1.1)
                continue
            errors[++n] = error_of(f / m)
            right += (m > 1) == (f > 1)
        }
    printf "%-28s faster one named %s, error of the ratio %.0f %%\n", what, share(right, n), 100 * median(errors, n)
}

BEGIN { FS = "," }
$1 == "program" || $6 + 0 <= 0 || $7 == "nan" { refused += $7 == "nan"; next }
{
    rows++
    column[rows, 1] = $1 "," $2
    column[rows, 2] = $3
    column[rows, 3] = $4
    column[rows, 4] = $5
    measured[rows] = $6
    predicted[rows] = $7
    ratio = $7 / $6
    errors[rows] = error_of(ratio)
    width[rows] = $8 > 0 ? $9 / $8 : 1
    near += errors[rows] <= 0.1
    fair += errors[rows] <= 0.25
    inside += $8 <= $6 && $6 <= $9
    unflagged += errors[rows] > 0.5 && $10 == ""
    if (!($1 in kinds)) names[++programs] = $1
    kinds[$1] = $2
    if (!($3 in seen)) { seen[$3]; machines[++places] = $3 }
    of[$1, $3, ++count[$1, $3]] = ratio
}
END {
    printf "%-12s %-14s", "program", "kind"
    for (m = 1; m <= places; m++) printf " %16s", machines[m]
    print ""
    for (k = 1; k <= programs; k++) {
        printf "%-12s %-14s", names[k], kinds[names[k]]
        for (m = 1; m <= places; m++) {
            n = count[names[k], machines[m]]
            delete some
            for (i = 1; i <= n; i++) some[i] = of[names[k], machines[m], i]
            if (n > 0) printf " %16.2f", median(some, n)
            else printf " %16s", "-"
        }
        print ""
    }
    printf "\n%d rows, %d not predicted\n", rows, refused
    if (rows == 0) exit 1
    printf "median error %.1f %%, within 10 %% %s, within 25 %% %s\n", 100 * median(errors, rows), share(near, rows), share(fair, rows)
    printf "inside low..high %s, median high/low %.2f\n", share(inside, rows), median(width, rows)
    printf "off by more than half without a flag: %s\n", share(unflagged, rows)
    same[1] = 1; same[2] = 2; same[3] = 4
    questions("processor counts:", same, 3)
    same[2] = 3
    questions("machines:", same, 2)
}
