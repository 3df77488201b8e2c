#!/bin/bash
# perform.sh: does in this folder, a copy of the project, what each row of README's table of "one
# more" says, with the files that lie beside this script; test/one_more.bats then asks for each.
set -eu
new=$(cd "$(dirname "$0")" && pwd)

# insert before|after PATTERN FILE [COUNT]: what is on standard input, at the first line that matches.
insert() {
    local text
    text=$(cat)
    TEXT=$text awk -v where="$1" -v pattern="$2" '
        !done && $0 ~ pattern {
            done = 1
            if (where == "before") print ENVIRON["TEXT"]
            print
            if (where == "after") print ENVIRON["TEXT"]
            next
        }
        { print }
        END { exit !done }' "$3" >insert.part || { echo "$3: no line is like $1" >&2; return 1; }
    cat insert.part >"$3"
    rm insert.part
}

# add_source AFTER FILE: a file's line in Makefile.am, behind that of another.
add_source() {
    printf '\t%s \\\n' "$2" | insert after "^	$1" Makefile.am
}

# ---- communication utility, with a new way to look at its messages; one that no trainer measures ----
cp "$new/scan.c" trainer/utilities/scan.c
add_source trainer/utilities/express.c trainer/utilities/scan.c
insert before '^MEASURED.synchronization' model/cost/patterns.h <<'END'
MEASURED(scan, "scan", MEAN_PARTICIPANTS, .among = AMONG_ALL, .rate_messages = one_message,
         .under_way = pattern_not_known, .interval = &law_not_known, .delivery = DELIVERY_PREFIX,
         .plausible = PLAUSIBLE_ANY)
PATTERN(gossip, "gossip", MEAN_PARTICIPANTS, .among = AMONG_ALL, .rate_messages = one_message,
        .under_way = pattern_not_known, .interval = &law_not_known,
        .delivery = DELIVERY_NOT_LOOKED_AT, .plausible = PLAUSIBLE_ANY, .letters = "gos")
END
insert before '^    DELIVERY_NONE' model/cost/pattern.h <<<'    DELIVERY_PREFIX, /* to each the sum of those up to it */'
insert before '^static void fill_nothing' trainer/rehearsal/delivery.c <<'END'
static bool right_prefix(const struct site *site, int root)
{
    (void)root;
    const double *sums = (const double *)(void *)site->receive;
    return sums[0] == 0.5 * (site->rank + 1) * (site->rank + 2);
}

END
insert before 'DELIVERY_NONE. =' trainer/rehearsal/delivery.c <<<'    [DELIVERY_PREFIX] = {fill_operands, right_prefix, NULL},'

# ---- machine; functional unit; term in p ----
cp "$new/mine.yaml" machines/mine.yaml
add_source machines/meiko-cs2.yaml machines/mine.yaml
insert after '^  units:' machines/mine.yaml <<<'    shuffler: {add: 7}'
insert before '^BASIS.HEAP' model/cost/bases.h <<<'BASIS(P_LOG2, "p*log2(p)", p_log2, GROWTH_LINEAR)'
insert before '^/. A binary tree numbered as a heap' model/cost/basis.c <<'END'
static double p_log2(double p)
{
    return p * real_log2(p);
}

END

# ---- distribution ----
insert after '^    ."CYCLIC"' model/segment/program/distribution.c <<<'    {"PAIRS", block_of_two, false, false},'
insert before '^static const struct' model/segment/program/distribution.c <<'END'
static double block_of_two(double elements, double processors)
{
    (void)elements;
    (void)processors;
    return 2.0;
}

END

# ---- suite measured by other means ----
insert before '^/. In the order of measuring' trainer/suites.c <<'END'
static int weather_measure(struct run *run, struct machine *machine, struct error *error)
{
    (void)run;
    (void)error;
    run_not_measured(machine, "the weather", "it is for others to say");
    return 0;
}

END
insert before '^    ."memory", ' trainer/suites.c <<<'    {"weather", "the weather", weather_measure, NULL, false, NULL},'

# ---- rule for tables ----
insert before '^static machine_rule' model/machine/machine_check.c <<'END'
static int name_is_not_nameless(const struct machine *machine, struct error *error)
{
    if (strcmp(machine->machine.name, "nameless") != 0)
        return 0;
    return error_at(error, in_file(machine, machine->machine.place), "a machine called nameless");
}

END
insert after '^    machine_has_a_name,' model/machine/machine_check.c <<<'    name_is_not_nameless,'
cp "$new/nameless.yaml" test/bad/nameless.yaml

# ---- section, picture, comparison ----
insert before '^const struct section sections' estimator/sections/sections.c <<'END'
static struct report *initials_report(const struct machine *machine, const char *asked)
{
    static const char *const columns[] = {"initials"};
    struct report *report = report_new(columns, 1);
    const char initial[2] = {machine->machine.name[0]};
    (void)asked;
    report_text(report, initial);
    return report;
}

END
insert before '^    ."not_measured"' estimator/sections/sections.c <<<'    {"initials", "Initials", initials_report, NULL, NULL},'
insert before '^static const struct kind' estimator/pictures/pictures.c <<'END'
static int draw_dot(struct picture *picture, const struct machine *machine, struct error *error)
{
    (void)error;
    if (picture->drawn == 0)
        plot_axes(&picture->plot, "nothing", "nothing", false, false);
    if (picture_series(picture, machine, PLOT_LINE, -1, "a dot")) {
        plot_point(&picture->plot, 4711.0, 1.0);
        plot_series_end(&picture->plot);
    }
    return 0;
}

END
insert before '^    ."memory",' estimator/pictures/pictures.c <<'END'
    {"dot", draw_dot, false, {"dot", "a dot", "nobody"}},
END
insert before '^const struct comparison_section' estimator/comparison/comparison.c <<'END'
static struct report *comparison_initials(const struct comparison *comparison, const char *utility)
{
    static const char *const columns[] = {"initials"};
    struct report *report = report_new(columns, 1);
    (void)utility;
    for (size_t i = 0; i < comparison->count; i++) {
        const char initial[2] = {comparison->names[i][0]};
        report_text(report, initial);
    }
    return report;
}

END
insert before '^    ."memory",' estimator/comparison/comparison.c <<<'    {"initials", "Initials", comparison_initials, false},'

# ---- format of other programs that is read ----
cp "$new/heard.c" estimator/import/heard.c
add_source estimator/import/fitted.c estimator/import/heard.c
insert before '^    IMPORT."osu"' estimator/import/import.h <<'END'
    IMPORT("heard", import_heard, import_is_heard, "hearsay: bytes and us")                        \
END

# ---- format for other programs ----
cp "$new/names.c" estimator/export/names.c
add_source estimator/export/csv.c estimator/export/names.c
insert before '^    EXPORT."mpich"' estimator/export/export.h <<'END'
    EXPORT("names", export_names, "# ", "", "the names of the utilities")                          \
END

# ---- sample ----
mkdir samples/hello
cp "$new/hello.c" "$new/hello.yaml" samples/hello
sed -i 's/^sample_names = .*/& hello/' Makefile.am
add_source samples/heat/heat.yaml samples/hello/hello.yaml
echo 'hello hello.yaml N=64 rows' >>test/validate/samples

# ---- directive of C files, flag of compilers ----
insert before '^WORD.SCOP' describer/source/directive_words.h <<<'WORD(TITLE, "title")'
insert before '^static void write_program' describer/write/write.c <<'END'
static const char *told_title(const struct describer *describer)
{
    for (int i = 0; i < describer->directives.count; i++)
        if (describer->directives.items[i].word == WORD_TITLE)
            return directive_clause(&describer->directives.items[i], "title");
    return NULL;
}

END
sed -i 's/write_pair(writer, "title", /&told_title(writer->describer) ? told_title(writer->describer) : /' \
    describer/write/write.c
insert before '^    ."-std=", ' forecast/source/compile_flags.c <<<'    {"--include-directory=", FLAG_FILE},'

# ---- command, with an option of its own ----
cp "$new/greet.c" estimator/commands/greet.c
add_source estimator/commands/learn.c estimator/commands/greet.c
insert before '^    COMMAND."learn"' estimator/commands/commands.h <<'END'
    COMMAND("greet", cmd_greet, "a machine's name, in a friendly way")                             \
END
insert before '^.It Xo Ic learn' doc/man/estimator.1.in <<'END'
.It Xo Ic greet
.Op Fl Y Ar NAME
.Ar TABLE
.Xc
A machine's name, in a friendly way.
END
insert before '^    READ."format"' estimator/output/options.c <<<'    TEXT("you", '"'Y'"', "NAME", you, "who greets"),'
insert before 'const char .side;' estimator/output/options.h <<<'    const char *you;'
insert before '^.It Fl l , Fl -list' doc/man/estimator.1.in <<'END'
.It Fl Y , Fl -you Ns = Ns Ar NAME
Who greets.
END
