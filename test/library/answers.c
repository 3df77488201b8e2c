/* What the estimator prints as CSV, asked of libforecost:
       answers cost TABLE PATTERN BYTES PROCESSORS
       answers predict TABLE DESCRIPTION PROCESSORS CANDIDATE [NAME=VALUE...]
       answers rank TABLE DESCRIPTION PROCESSORS [NAME=VALUE...]
       answers bound TABLE DESCRIPTION [NAME=VALUE...]
   Errors are one line, and the exit status is that of the library. The word
   "communication" before a command leaves computation out. */
#include <forecost.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct forecost_error error;

static void check(enum forecost_status status)
{
    if (status == FORECOST_DONE)
        return;
    if (status != error.status)
        abort();
    fprintf(stderr, "%s\n", error.message);
    exit((int)status);
}

/* The shortest text that is read back as the value. */
static void number(double value, char end)
{
    char text[40] = "";
    for (int digits = 1; isfinite(value) && digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    if (isfinite(value) && fabs(value) < 1e15 && value == floor(value))
        snprintf(text, sizeof text, "%.0f", value);
    printf("%s%c", text, end);
}

static void flags(unsigned all)
{
    const char *between = "";
    for (unsigned flag = 1; flag; flag <<= 1)
        if ((all & flag) && forecost_flag_name(flag)) {
            printf("%s%s", between, forecost_flag_name(flag));
            between = " ";
        }
    putchar('\n');
}

static void cost(const struct forecost_machine *machine, char **words)
{
    struct forecost_cost it;
    const double bytes = atof(words[1]), processors = atof(words[2]);
    check(forecost_cost(machine, words[0], bytes, processors, &it, &error));
    printf("utility,bytes,processors,time_us,low_us,high_us,region,rate_mb_per_s,flags\n%s,",
           words[0]);
    const double region = it.region > 0 ? (double)it.region : (double)NAN;
    const double values[] = {bytes,      processors, it.time_us,      it.low_us,
                             it.high_us, region,     it.rate_mb_per_s};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        number(values[i], ',');
    flags(it.flags);
}

static void times(const struct forecost_times *it, double processors)
{
    printf("%s,", it->segment);
    const double values[] = {processors,   it->compute_us, it->communicate_us,
                             it->total_us, it->low_us,     it->high_us};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        number(values[i], ',');
    printf("%s,", it->limit);
    flags(it->flags);
}

static void predict(const struct forecost_machine *machine, const struct forecost_program *program,
                    char **words)
{
    struct forecost_prediction *it;
    const double processors = atof(words[0]);
    const struct forecost_times *row;
    check(forecost_predict(&it, machine, program, words[1], processors,
                           (const char *const *)words + 2, &error));
    puts("segment,processors,compute_us,communicate_us,total_us,low_us,high_us,limit,flags");
    for (size_t i = 0; (row = forecost_prediction_segment(it, i)); i++)
        times(row, processors);
    times(forecost_prediction_whole(it), processors);
    forecost_prediction_free(it);
}

static void ranked(const struct forecost_ranked *row, double processors)
{
    number((double)row->rank, ',');
    printf("%s,", row->candidate);
    const double values[] = {processors,
                             row->whole.compute_us,
                             row->whole.communicate_us,
                             row->whole.total_us,
                             row->whole.low_us,
                             row->whole.high_us,
                             row->best_probability,
                             row->order_probability,
                             row->regret_us,
                             row->tie_group ? (double)row->tie_group : (double)NAN};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        number(values[i], ',');
    flags(row->whole.flags);
}

static void rank(const struct forecost_machine *machine, const struct forecost_program *program,
                 char **words)
{
    struct forecost_ranking *it;
    const struct forecost_ranked *row;
    const double processors = atof(words[0]);
    check(forecost_rank(&it, machine, program, processors, (const char *const *)words + 1, &error));
    puts("rank,candidate,processors,compute_us,communicate_us,total_us,low_us,high_us,"
         "best_probability,order_probability,regret_us,tie_group,flags");
    for (size_t i = 0; (row = forecost_ranking_row(it, i)); i++)
        ranked(row, processors);
    fputs(forecost_ranking_left_out(it), stderr);
    forecost_ranking_free(it);
}

static void bound(const struct forecost_machine *machine, const struct forecost_program *program,
                  char **words)
{
    struct forecost_bounds *it;
    const struct forecost_bound *row;
    check(forecost_bound(&it, machine, program, 0, (const char *const *)words, &error));
    puts("segment,flops,memory_cycles,dependence_cycles,bound_cycles,cpf,mflops,iterations,"
         "repetitions,bound_us,limit");
    for (size_t i = 0; (row = forecost_bounds_row(it, i)); i++) {
        printf("%s,", row->segment);
        const double values[] = {row->flops,        row->memory_cycles, row->dependence_cycles,
                                 row->bound_cycles, row->cpf,           row->mflops,
                                 row->iterations,   row->repetitions,   row->bound_us};
        for (size_t k = 0; k < sizeof values / sizeof *values; k++)
            number(values[k], ',');
        puts(row->limit);
    }
    forecost_bounds_free(it);
}

static void of_program(const char *command, const struct forecost_machine *machine, char **words)
{
    struct forecost_program *program;
    check(forecost_program_read(&program, words[0], &error));
    if (strcmp(command, "predict") == 0)
        predict(machine, program, words + 1);
    else if (strcmp(command, "rank") == 0)
        rank(machine, program, words + 1);
    else
        bound(machine, program, words + 1);
    forecost_program_free(program);
}

static void answer(char **words)
{
    struct forecost_machine *machine;
    const int is_communication = strcmp(words[0], "communication") == 0;
    words += is_communication;
    const int state = strcmp(words[0], "state") == 0 ? atoi(words[1]) : 1;
    words += state != 1 ? 2 : 0;
    check(forecost_machine_read(&machine, words[1], &error));
    if (is_communication)
        check(forecost_machine_leave_out_computation(machine, &error));
    check(forecost_machine_take_state(machine, state, &error));
    if (strcmp(words[0], "cost") == 0)
        cost(machine, words + 2);
    else
        of_program(words[0], machine, words + 2);
    forecost_machine_free(machine);
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 9;
    answer(argv + 1);
    return 0;
}
