# Of the rows of several rounds (validate.sh), the launch of each that took least, with its
# communication; how far the rounds are apart; and how good the predictions are.
#
#   awk -f summary.awk ROWS...
#
# Reads   sample,candidate,p,parameters,part,predicted_us,measured_us,disturbed
# prints  sample,candidate,p,parameters,part,predicted_us,measured_us,ratio,disturbed,rounds,spread
#
# in which disturbed is the number of repetitions that counted although somebody else had a share of
# a core, and spread the next to least total of the rounds over the least. Other work on a machine
# only adds: what took least is nearest to the truth, and another round that took as long confirms it.
# Pairs of candidates that differ for certain are counted apart: of neither launch most repetitions were
# disturbed (of 15), and the slower one without its spread is slower by as much.
BEGIN {
    FS = ","
    disturbed_most = 7
    print "sample,candidate,p,parameters,part,predicted_us,measured_us,ratio,disturbed,rounds,spread"
}

$1 == "sample" || NF != 8 { next }

{ key = $1 FS $2 FS $3 FS $4 }

$5 == "communication" {
    of_launch = $0
    next
}

$5 == "total" {
    if (!(key in rounds)) {
        keys[++count] = key
        least[key] = next_least[key] = -1
    }
    rounds[key]++
    if (least[key] < 0 || $7 < least[key]) {
        next_least[key] = least[key]
        least[key] = $7
        row[key, "communication"] = of_launch
        row[key, "total"] = $0
    } else if (next_least[key] < 0 || $7 < next_least[key])
        next_least[key] = $7
}

END {
    for (i = 1; i <= count; i++) {
        show(keys[i], "communication")
        show(keys[i], "total")
    }
    report("communication")
    report("total")
    report_rounds()
}

function spread_of(key) {
    return next_least[key] >= 0 && least[key] > 0 ? next_least[key] / least[key] : 1
}

function show(key, part,   f, ratio, apart) {
    split(row[key, part], f, FS)
    ratio = f[7] > 0 ? sprintf("%.4f", f[6] / f[7]) : ""
    apart = rounds[key] > 1 ? sprintf("%.3f", spread_of(key)) : ""
    printf "%s,%s,%s,%s,%s,%s,%s,%s,%d,%d,%s\n", f[1], f[2], f[3], f[4], part, f[6], f[7], ratio,
        f[8], rounds[key], apart
    if (ratio == "") return
    n[part]++
    error[part, n[part]] = ratio > 1 ? ratio - 1 : 1 - ratio
    compare_with_group(part, part FS f[1] FS f[3] FS f[4], f[6], f[7], spread_of(key), f[8] > disturbed_most)
}

function compare_with_group(part, group, p, m, s, is_disturbed,   k) {
    for (k = 1; k <= size[group]; k++)
        if (m > measured[group, k])
            judge(part, predicted[group, k], measured[group, k], p, m, s, is_disturbed || disturbed[group, k])
        else
            judge(part, p, m, predicted[group, k], measured[group, k], spread[group, k], is_disturbed || disturbed[group, k])
    size[group]++
    predicted[group, k] = p
    measured[group, k] = m
    spread[group, k] = s
    disturbed[group, k] = is_disturbed
}

# The faster one, and the slower one with its spread.
function judge(part, p1, m1, p2, m2, s2, is_disturbed) {
    count_pair(part FS "0.1", m2 > 1.1 * m1, p1 < p2)
    count_pair(part FS "0.3", m2 > 1.3 * m1, p1 < p2)
    count_pair(part FS "sure", !is_disturbed && m2 / s2 > 1.3 * m1, p1 < p2)
}

# Only pairs that differ have an order.
function count_pair(which, differs, is_right) {
    pairs[which] += differs
    right[which] += differs && is_right
}

function sort_errors(part,   i, k, x) {
    for (i = 1; i <= n[part]; i++) {
        x = error[part, i]
        for (k = i; k > 1 && list[k - 1] > x; k--) list[k] = list[k - 1]
        list[k] = x
    }
}

function report(part,   within, i) {
    if (!n[part]) return
    sort_errors(part)
    for (i = 1; i <= n[part]; i++) within += list[i] <= 0.2
    printf "%s: %d comparisons, median error %.1f %%, within 20 %%: %.0f %%, worst %.1f %%; pairs that differ by more than 10 %%: %d, %d ranked right; by more than 30 %%: %d, %d right; for certain: %d, %d right\n",
        part, n[part], 100 * list[int((n[part] + 1) / 2)], 100 * within / n[part], 100 * list[n[part]],
        pairs[part FS "0.1"], right[part FS "0.1"], pairs[part FS "0.3"], right[part FS "0.3"],
        pairs[part FS "sure"], right[part FS "sure"]
}

function report_rounds(   i, apart, most) {
    for (i = 1; i <= count; i++) {
        if (rounds[keys[i]] > most) most = rounds[keys[i]]
        apart += spread_of(keys[i]) > 1.1
    }
    if (most > 1)
        printf "rounds: %d at most; %d of %d totals not within 10 %% in the two rounds that took least\n", most, apart, count
}
