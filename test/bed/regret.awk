# Sums up what test/bed/regret prints: how much longer than the best of six algorithms the shim's choice
# takes, and how much longer each algorithm takes if it is the only one. Per cent.
#   -v most_mean=M -v most_worst=W   status 1 where the shim's are more, or there are no rows
function above(i) { return 100 * ($i / best - 1) }
{
    best = $4
    for (i = 5; i <= 9; i++)
        if ($i < best)
            best = $i
    for (i = 3; i <= 9; i++) {
        sum[i] += above(i)
        logarithms[i] += log($i / $3)
        much[i] += above(i) > 10
        if (above(i) > worst[i]) {
            worst[i] = above(i)
            where[i] = "p = " $1 ", " $2 " bytes"
        }
    }
}
END {
    if (NR == 0)
        exit 1
    split("- - the-shim 1m rd prd bt pbt bc", name, " ")
    for (i = 3; i <= 9; i++)
        printf "%-8s  mean regret %6.2f %%  worst %7.2f %%  above 10 %%: %5.1f %%  the shim is %4.2f times as fast%s\n", name[i], sum[i] / NR, worst[i], 100 * much[i] / NR,
            exp(logarithms[i] / NR), (worst[i] > 0.005 ? "  (worst at " where[i] ")" : "")
    exit most_mean != "" && (sum[3] / NR > most_mean || worst[3] > most_worst)
}
