/* Two threads that ask the same handles at once, and make their own: threads TABLE DESCRIPTION.
   Ends with status 1 where their answers differ; ThreadSanitizer has its own status for a race. */
#include <forecost.h>

#include <pthread.h>
#include <stdio.h>

enum { ROUNDS = 10 };

struct asked {
    const char *table, *description;
    const struct forecost_machine *machine;
    const struct forecost_program *program;
    double sum_us; /* of all answers */
    int status;
};

static enum forecost_status ask_shared(struct asked *it, struct forecost_error *error)
{
    struct forecost_cost cost;
    struct forecost_ranking *ranking;
    struct forecost_prediction *prediction;
    enum forecost_status status = forecost_cost(it->machine, "exchange", 4096, 2, &cost, error);
    if (status == FORECOST_DONE)
        status = forecost_rank(&ranking, it->machine, it->program, 4, NULL, error);
    if (status != FORECOST_DONE)
        return status;
    it->sum_us += cost.time_us + forecost_ranking_row(ranking, 0)->whole.total_us;
    forecost_ranking_free(ranking);
    status = forecost_predict(&prediction, it->machine, it->program, NULL, 4, NULL, error);
    if (status == FORECOST_DONE)
        it->sum_us += forecost_prediction_whole(prediction)->high_us;
    forecost_prediction_free(prediction);
    return status;
}

static enum forecost_status make_own(struct asked *it, struct forecost_error *error)
{
    struct forecost_machine *machine;
    struct forecost_program *program = NULL;
    enum forecost_status status = forecost_machine_read(&machine, it->table, error);
    if (status == FORECOST_DONE)
        status = forecost_program_read(&program, it->description, error);
    forecost_program_free(program);
    forecost_machine_free(machine);
    return status;
}

static void *ask(void *asked)
{
    struct asked *it = asked;
    struct forecost_error error;
    for (int i = 0; i < ROUNDS && it->status == 0; i++) {
        it->status = (int)ask_shared(it, &error);
        if (it->status == 0)
            it->status = (int)make_own(it, &error);
    }
    if (it->status != 0)
        fprintf(stderr, "%s\n", error.message);
    return NULL;
}

int main(int argc, char **argv)
{
    struct forecost_machine *machine;
    struct forecost_program *program;
    pthread_t other;
    if (argc < 3 || forecost_machine_read(&machine, argv[1], NULL) != FORECOST_DONE ||
        forecost_program_read(&program, argv[2], NULL) != FORECOST_DONE)
        return 9;
    struct asked one = {argv[1], argv[2], machine, program, 0.0, 0}, two = one;
    if (pthread_create(&other, NULL, ask, &two) != 0)
        return 9;
    ask(&one);
    pthread_join(other, NULL);
    forecost_program_free(program);
    forecost_machine_free(machine);
    printf("%.17g %.17g\n", one.sum_us, two.sum_us);
    return one.status || two.status || one.sum_us != two.sum_us || !(one.sum_us > 0.0);
}
