#include "describer/ranks/run.h"

#include "describer/walk/evaluate.h"
#include "describer/walk/messages.h"

#include <math.h>
#include <string.h>

/* Numbers in a message that are worth keeping: more are no counts and no ranks. */
enum { KEPT_MOST = 64 };

/* Where MPI_Status keeps what its members MPI_SOURCE and MPI_TAG are read from (rank_place), and
   how many bytes came. */
static const double source_at = 0.25, tag_at = 0.5, bytes_at = 0.75;

const char *constant_name(const struct syntax *syntax)
{
    if (syntax->name && syntax->kind != SYNTAX_CALL &&
        (!strncmp(syntax->name, "MPI_", 4) || !strncmp(syntax->name, "ompi_mpi_", 9)))
        return syntax->name;
    for (int i = 0; i < syntax->count; i++) {
        const char *name = syntax->children[i] ? constant_name(syntax->children[i]) : NULL;
        if (name)
            return name;
    }
    return NULL;
}

bool is_constant(const struct syntax *syntax, const char *name)
{
    const char *own = constant_name(syntax);
    return own && !strcmp(own, name);
}

struct event *event_add(struct rank *rank, enum event_kind kind, const struct syntax *call,
                        int partner)
{
    if (rank->event_count == rank->event_room) {
        struct event *before = rank->events;
        rank->event_room = rank->event_room ? 2 * rank->event_room : 16;
        rank->events =
            arena_take(rank->run->describer->arena, (size_t)rank->event_room, sizeof *rank->events);
        if (before)
            memcpy(rank->events, before, (size_t)rank->event_count * sizeof *before);
    }
    struct event *event = &rank->events[rank->event_count++];
    *event = (struct event){.kind = kind,
                            .call = call,
                            .way = rank->way,
                            .instance = rank->instance,
                            .partner = partner,
                            .other = -1,
                            .root = -1};
    rank->run->news++;
    return event;
}

bool mpi_number(struct rank *rank, const struct syntax *call, int i, const char *what,
                double *number)
{
    const struct cell cell =
        i < call->count ? rank_evaluate(rank, call->children[i]) : cell_unknown(NULL);
    *number = cell.number;
    if (cell.kind == CELL_NUMBER)
        return true;
    run_fail(rank->run, FAILED, i < call->count ? call->children[i]->place : call->place,
             "%s: %s depends on %s, which nobody knows before the program runs: %s`ignore` the "
             "call, and say what it does: #pragma forecost call point-to-point bytes(E)",
             call->name, what, cell.why ? cell.why : "what is not followed",
             i < call->count ? way_out(rank, call->children[i]) : "");
    return false;
}

int group_of(struct rank *rank, const struct syntax *argument)
{
    const char *name = constant_name(argument);
    if (name && (!strcmp(name, "MPI_COMM_WORLD") || !strcmp(name, "ompi_mpi_comm_world")))
        return 0;
    const struct cell cell = rank_evaluate(rank, argument);
    if (cell.kind == CELL_NUMBER && cell.number >= 0 && cell.number < rank->run->group_count)
        return (int)cell.number;
    if (cell.kind == CELL_UNKNOWN && rank->run->cap > 0 && !rank->run->is_over)
        return 0; /* of whoever calls the function: all */
    if (!rank->run->is_over)
        run_fail(rank->run, FAILED, argument->place,
                 "which processes this communicator has is not followed: `ignore` the call, and "
                 "say what it does: #pragma forecost call point-to-point bytes(E)");
    return -1;
}

int group_rank(const struct rank *rank, int group)
{
    if (group == 1)
        return 0;
    const struct communicator *communicator = &rank->run->groups[group];
    for (int i = 0; i < communicator->count; i++)
        if (communicator->members[i] == rank->number)
            return i;
    return -1;
}

/* How many bytes a datatype has. */
static struct cell type_bytes(struct rank *rank, const struct syntax *type)
{
    const char *name = constant_name(type);
    polynomial known = name ? datatype_named(rank->run->describer, name) : NULL;
    double constant = 0;
    if (known && polynomial_is_constant(known, &constant))
        return cell_number(constant);
    if (name && strcmp(name, "MPI_DATATYPE_NULL") != 0)
        return cell_unknown(name);
    return name ? cell_number(0) : rank_evaluate(rank, type);
}

bool mpi_bytes(struct rank *rank, const struct syntax *call, int count, int type,
               struct cell *bytes)
{
    return count < call->count && type < call->count &&
           mpi_bytes_of(rank, call, rank_evaluate(rank, call->children[count]), count, type, bytes);
}

bool mpi_bytes_of(struct rank *rank, const struct syntax *call, struct cell elements, int count,
                  int type, struct cell *bytes)
{
    const struct cell each = type_bytes(rank, call->children[type]);
    *bytes = rank_arithmetic(rank, DO_MULTIPLY, elements, each, call->children[count]);
    if (bytes->kind == CELL_NUMBER) {
        if (bytes->is_turn && !rank->run->ranks->follows_sizes)
            iterations_differ(rank, call->place, true);
        return true;
    }
    const bool is_count = elements.kind != CELL_NUMBER;
    run_fail(rank->run, FAILED, call->children[is_count ? count : type]->place,
             is_count ? "%s: how many elements it moves depends on %s: %s`ignore` the call, and "
                        "say what it does: #pragma forecost call point-to-point bytes(E)"
                      : "%s: how many bytes the datatype has depends on %s: %s`ignore` the call, "
                        "and say what it does: #pragma forecost call point-to-point bytes(E)",
             call->name,
             is_count ? (elements.why ? elements.why : "data") : (each.why ? each.why : "data"),
             is_count ? way_out(rank, call->children[count]) : "");
    return false;
}

/* ---- messages ---- */

static bool matches(int wanted_source, int wanted_tag, int source, int tag)
{
    return (wanted_source == PROCESS_ANY || wanted_source == source) &&
           (wanted_tag == TAG_ANY || wanted_tag == tag);
}

void contents_take(struct rank *rank, struct object *object, double offset, bool is_plain,
                   struct message_on_way *message)
{
    if (!object || isnan(offset) || !is_plain)
        return;
    struct arena *arena = rank->run->describer->arena;
    if (object->text && offset == 0)
        message->text = object->text;
    if (message->bytes > 8 * KEPT_MOST)
        return;
    message->cells = arena_take(arena, KEPT_MOST, sizeof *message->cells);
    message->offsets = arena_take(arena, KEPT_MOST, sizeof *message->offsets);
    for (int i = 0; i < object->room && message->cell_count < KEPT_MOST; i++) {
        const struct slot *slot = &object->slots[i];
        if (!slot->is_taken || slot->offset < offset || slot->offset >= offset + message->bytes ||
            slot->cell.kind == CELL_POINTER)
            continue;
        message->offsets[message->cell_count] = slot->offset - offset;
        message->cells[message->cell_count++] = slot->cell;
    }
}

void contents_put(struct rank *rank, struct object *object, double offset,
                  const struct message_on_way *message, bool is_any)
{
    if (!object)
        return;
    if (isnan(offset) || message->bytes > 8 * KEPT_MOST) {
        object_lose(object, "what a message brings");
        if (message->text && offset == 0 && !is_any)
            object->text = message->text;
        return;
    }
    for (int i = 0; i < object->room; i++) {
        struct slot *slot = &object->slots[i];
        if (slot->is_taken && slot->offset >= offset && slot->offset < offset + message->bytes)
            slot->cell = cell_unknown("what a message brings");
    }
    object->is_lost = true;
    for (int i = 0; i < message->cell_count && !is_any; i++)
        object_write(rank->run, object, offset + message->offsets[i], message->cells[i]);
    object->text = offset == 0 && !is_any ? message->text : NULL;
}

static void set_status(struct rank *rank, const struct cell *status, double source, double tag,
                       double bytes, bool is_any)
{
    if (status->kind != CELL_POINTER || !status->object)
        return;
    struct cell from = cell_own(source);
    if (is_any)
        from = cell_unknown("which process's message comes first");
    object_write(rank->run, status->object, status->offset + source_at, from);
    object_write(rank->run, status->object, status->offset + tag_at, cell_own(tag));
    object_write(rank->run, status->object, status->offset + bytes_at, cell_own(bytes));
}

static int mates(const struct run *run, int group, int process)
{
    for (int i = 0; i < run->groups[group].count; i++)
        if (run->groups[group].members[i] == process)
            return i;
    return 0;
}

static void meet(struct rank *receiver, struct request *request, struct message_on_way *message)
{
    struct run *run = receiver->run;
    struct event *receive = &receiver->events[request->event];
    struct event *send = &run->processes[message->source].events[message->event];
    const bool is_any = request->source == PROCESS_ANY && run->p > 2;
    receive->other = message->event;
    receive->partner = message->source;
    receive->bytes = send->bytes;
    receive->form = send->form;
    send->other = request->event;
    contents_put(receiver, request->object, request->offset, message, is_any);
    request->came_from = mates(run, request->group, message->source);
    request->came_tag = message->tag;
    request->bytes = message->bytes;
    request->is_any = is_any;
    request->is_done = true;
    message->is_taken = true;
    run->news++;
}

static void send_to(struct rank *rank, const struct syntax *call, int group, int to, int tag,
                    struct cell bytes, struct object *object, double offset, bool is_plain,
                    bool is_later, bool is_both)
{
    struct run *run = rank->run;
    const int process = run->groups[group].members[to];
    struct event *event = event_add(rank, EVENT_SEND, call, process);
    event->bytes = bytes.number;
    event->form = cell_form(run, &bytes);
    event->is_later = is_later;
    event->is_both = is_both;
    struct message_on_way message = {.source = rank->number,
                                     .tag = tag,
                                     .group = group,
                                     .event = rank->event_count - 1,
                                     .bytes = bytes.number};
    contents_take(rank, object, offset, is_plain, &message);
    struct rank *receiver = &run->processes[process];
    for (int i = 0; i < receiver->request_count; i++) {
        struct request *request = &receiver->requests[i];
        const int source =
            request->source < 0 ? request->source : run->groups[group].members[request->source];
        if (request->is_receive && request->is_started && !request->is_done &&
            request->group == group && matches(source, request->tag, rank->number, tag)) {
            meet(receiver, request, &message);
            return;
        }
    }
    if (receiver->mail_count == receiver->mail_room) {
        struct message_on_way *before = receiver->mail;
        receiver->mail_room = receiver->mail_room ? 2 * receiver->mail_room : 8;
        receiver->mail =
            arena_take(run->describer->arena, (size_t)receiver->mail_room, sizeof *receiver->mail);
        if (before)
            memcpy(receiver->mail, before, (size_t)receiver->mail_count * sizeof *before);
    }
    receiver->mail[receiver->mail_count++] = message;
}

static struct message_on_way *find_mail(struct rank *rank, int group, int from, int tag)
{
    const int source = from < 0 ? from : rank->run->groups[group].members[from];
    for (int i = 0; i < rank->mail_count; i++) {
        struct message_on_way *message = &rank->mail[i];
        if (!message->is_taken && message->group == group &&
            matches(source, tag, message->source, message->tag))
            return message;
    }
    return NULL;
}

static int request_add(struct rank *rank, struct request request)
{
    if (rank->request_count == rank->request_room) {
        struct request *before = rank->requests;
        rank->request_room = rank->request_room ? 2 * rank->request_room : 16;
        rank->requests = arena_take(rank->run->describer->arena, (size_t)rank->request_room,
                                    sizeof *rank->requests);
        if (before)
            memcpy(rank->requests, before, (size_t)rank->request_count * sizeof *before);
    }
    rank->requests[rank->request_count++] = request;
    return rank->request_count;
}

/* Begins to receive: the number of its request. */
static int receive_from(struct rank *rank, const struct syntax *call, int group, int from, int tag,
                        struct cell buffer, bool is_later, bool is_both)
{
    struct event *event = event_add(rank, EVENT_RECEIVE, call, -1);
    event->is_later = is_later;
    event->is_both = is_both;
    const int number = request_add(
        rank, (struct request){.is_receive = true,
                               .is_started = true,
                               .source = from,
                               .tag = tag,
                               .group = group,
                               .event = rank->event_count - 1,
                               .call = call,
                               .object = buffer.kind == CELL_POINTER ? buffer.object : NULL,
                               .offset = buffer.offset});
    struct message_on_way *message = find_mail(rank, group, from, tag);
    if (message)
        meet(rank, &rank->requests[number - 1], message);
    return number;
}

static void wait_for(struct rank *rank, const struct syntax *call, int number,
                     const struct cell *status)
{
    struct event *wait = event_add(rank, EVENT_WAIT, call, -1);
    wait->request = -1;
    if (number < 1 || number > rank->request_count || !rank->requests[number - 1].is_started)
        return;
    if (rank->requests[number - 1].is_receive)
        wait->request = rank->requests[number - 1].event;
    rank->waits_at = rank->requests[number - 1].is_receive ? rank->requests[number - 1].call : call;
    while (!rank->requests[number - 1].is_done && !rank->run->is_over)
        rank_yields(rank);
    rank->waits_at = NULL;
    struct request *request = &rank->requests[number - 1];
    if (request->is_receive && !rank->run->is_over)
        set_status(rank, status, request->came_from, request->came_tag, request->bytes,
                   request->is_any);
    if (request->is_persistent)
        request->is_started = request->is_done = false;
}

/* Whether the datatype is one that lies in memory as it is sent. */
static bool is_plain_type(struct rank *rank, const struct syntax *type)
{
    const char *name = constant_name(type);
    return name && datatype_named(rank->run->describer, name);
}

/* Checks a partner: -1 of MPI_PROC_NULL, -2 where the run has failed. */
static int process_in(struct rank *rank, const struct syntax *call, double number, int group,
                      bool may_be_any)
{
    struct run *run = rank->run;
    if (number == PROCESS_NONE)
        return -1;
    if (may_be_any && number == PROCESS_ANY)
        return PROCESS_ANY;
    if (group == 1 || number < 0 || number >= run->groups[group].count || number != floor(number)) {
        run_fail(run, REFUSED, call->place,
                 "with %d processes, process %d names process %g here, which does not exist",
                 run->p, rank->number, number);
        return -2;
    }
    return (int)number;
}

/* One row a call: which arguments are what; -1: it has none. */
static const struct row {
    const char *name;
    int buffer, count, type, to, tag, communicator, request, status;
    bool sends, receives;
} rows[] = {
    {"MPI_Send",       0, 1, 2, 3, 4, 5, -1, -1, true,  false},
    {"MPI_Ssend",      0, 1, 2, 3, 4, 5, -1, -1, true,  false},
    {"MPI_Bsend",      0, 1, 2, 3, 4, 5, -1, -1, true,  false},
    {"MPI_Rsend",      0, 1, 2, 3, 4, 5, -1, -1, true,  false},
    {"MPI_Isend",      0, 1, 2, 3, 4, 5, 6,  -1, true,  false},
    {"MPI_Issend",     0, 1, 2, 3, 4, 5, 6,  -1, true,  false},
    {"MPI_Ibsend",     0, 1, 2, 3, 4, 5, 6,  -1, true,  false},
    {"MPI_Irsend",     0, 1, 2, 3, 4, 5, 6,  -1, true,  false},
    {"MPI_Recv",       0, 1, 2, 3, 4, 5, -1, 6,  false, true },
    {"MPI_Irecv",      0, 1, 2, 3, 4, 5, 6,  -1, false, true },
    {"MPI_Send_init",  0, 1, 2, 3, 4, 5, 6,  -1, true,  false},
    {"MPI_Ssend_init", 0, 1, 2, 3, 4, 5, 6,  -1, true,  false},
    {"MPI_Recv_init",  0, 1, 2, 3, 4, 5, 6,  -1, false, true },
};

static void set_request(struct rank *rank, const struct syntax *call, int argument, int number)
{
    const struct cell place = rank_evaluate(rank, call->children[argument]);
    if (place.kind == CELL_POINTER)
        object_write(rank->run, place.object, place.offset, cell_number(number));
}

static void one_way(struct rank *rank, const struct syntax *call, const struct row *row)
{
    struct run *run = rank->run;
    struct cell bytes = cell_number(0);
    double partner, tag = TAG_ANY;
    const bool is_init = strstr(row->name, "_init") != NULL;
    const int group = group_of(rank, call->children[row->communicator]);
    if (group < 0 || !mpi_number(rank, call, row->to, "the other process", &partner))
        return;
    const struct cell tag_cell = rank_evaluate(rank, call->children[row->tag]);
    if (tag_cell.kind == CELL_NUMBER)
        tag = tag_cell.number;
    else if (!mpi_number(rank, call, row->tag, "the tag", &tag))
        return;
    const int process = process_in(rank, call, partner, group, row->receives);
    if (process == -2)
        return;
    if (process != -1 && row->sends && !mpi_bytes(rank, call, row->count, row->type, &bytes))
        return;
    const struct cell buffer = rank_evaluate(rank, call->children[row->buffer]);
    struct object *object = buffer.kind == CELL_POINTER ? buffer.object : NULL;
    if (is_init) {
        const int number = request_add(rank, (struct request){.is_receive = row->receives,
                                                              .is_persistent = true,
                                                              .source = process,
                                                              .partner = process,
                                                              .tag = (int)tag,
                                                              .group = group,
                                                              .call = call,
                                                              .object = object,
                                                              .offset = buffer.offset,
                                                              .size = bytes.number,
                                                              .form = cell_form(run, &bytes)});
        set_request(rank, call, row->request, number);
        return;
    }
    struct cell status = cell_unknown(NULL);
    if (row->status >= 0)
        status = rank_evaluate(rank, call->children[row->status]);
    if (process == -1) {
        set_status(rank, &status, PROCESS_NONE, TAG_ANY, 0, false);
        if (row->request >= 0)
            set_request(rank, call, row->request, 0);
        return;
    }
    if (row->sends) {
        send_to(rank, call, group, process, (int)tag, bytes, object, buffer.offset,
                is_plain_type(rank, call->children[row->type]), row->request >= 0, false);
        if (row->request >= 0)
            set_request(rank, call, row->request, 0);
        return;
    }
    const int number =
        receive_from(rank, call, group, process, (int)tag, buffer, row->request >= 0, false);
    if (row->request >= 0)
        set_request(rank, call, row->request, number);
    else
        wait_for(rank, call, number, &status);
}

/* Sends and receives at once. */
static void both_ways(struct rank *rank, const struct syntax *call, bool is_replaced)
{
    const int to = 3, from = is_replaced ? 5 : 8, communicator = is_replaced ? 7 : 10;
    const int from_tag = is_replaced ? 6 : 9;
    struct cell bytes = cell_number(0);
    double sent_to, received_from, tag, other_tag = TAG_ANY;
    if (communicator >= call->count)
        return;
    const int group = group_of(rank, call->children[communicator]);
    if (group < 0 || !mpi_number(rank, call, to, "the process sent to", &sent_to) ||
        !mpi_number(rank, call, from, "the process received from", &received_from) ||
        !mpi_number(rank, call, 4, "the tag", &tag) ||
        !mpi_number(rank, call, from_tag, "the tag", &other_tag))
        return;
    const int target = process_in(rank, call, sent_to, group, false);
    const int source = target == -2 ? -2 : process_in(rank, call, received_from, group, true);
    if (source == -2 || (target >= 0 && !mpi_bytes(rank, call, 1, 2, &bytes)))
        return;
    const struct cell given = rank_evaluate(rank, call->children[0]);
    const struct cell taken = is_replaced ? given : rank_evaluate(rank, call->children[5]);
    const struct cell status = call->count > communicator + 1
                                   ? rank_evaluate(rank, call->children[communicator + 1])
                                   : cell_unknown(NULL);
    if (target >= 0)
        send_to(rank, call, group, target, (int)tag, bytes,
                given.kind == CELL_POINTER ? given.object : NULL, given.offset,
                is_plain_type(rank, call->children[2]), true, true);
    const int number =
        source == -1 ? 0
                     : receive_from(rank, call, group, source, (int)other_tag, taken, true, true);
    wait_for(rank, call, number, &status);
}

static int request_at(const struct cell *place, int i, double bytes)
{
    if (place->kind != CELL_POINTER || !place->object)
        return 0;
    const struct cell cell = object_read(place->object, place->offset + i * bytes);
    return cell.kind == CELL_NUMBER ? (int)cell.number : 0;
}

static double element_bytes(const struct syntax *pointer)
{
    const struct type *type = pointer->type;
    while (pointer->kind == SYNTAX_CAST && pointer->count == 1)
        pointer = pointer->children[0];
    return type && type->of && type->of->bytes > 0 ? type->of->bytes : 4;
}

static void start_one(struct rank *rank, const struct syntax *call, int number)
{
    if (number < 1 || number > rank->request_count)
        return;
    const struct request request = rank->requests[number - 1];
    const struct cell bytes =
        request.form ? cell_formed(rank->run, request.form, request.size) : cell_own(request.size);
    struct request *now = &rank->requests[number - 1];
    (void)call;
    now->is_started = true;
    now->is_done = request.partner == -1;
    if (request.partner == -1)
        return;
    if (!request.is_receive) {
        now->is_done = true;
        send_to(rank, request.call, request.group, request.partner, request.tag, bytes,
                request.object, request.offset, true, true, false);
        return;
    }
    struct event *event = event_add(rank, EVENT_RECEIVE, request.call, -1);
    event->is_later = true;
    now->event = rank->event_count - 1;
    struct message_on_way *message = find_mail(rank, request.group, request.partner, request.tag);
    if (message)
        meet(rank, now, message);
}

/* Waits for one of several: which, is not known while there is more than one. */
static void wait_for_any(struct rank *rank, const struct syntax *call)
{
    double count;
    int found = -1, open = 0;
    if (!mpi_number(rank, call, 0, "how many it waits for", &count))
        return;
    const double bytes = element_bytes(call->children[1]);
    const struct cell requests = rank_evaluate(rank, call->children[1]);
    const struct cell status = rank_evaluate(rank, call->children[3]);
    for (int k = 0; k < count; k++)
        if (request_at(&requests, k, bytes) > 0) {
            found = found < 0 ? k : found;
            open++;
        }
    mpi_set(rank, call, 2,
            found >= 0 && open == 1 ? cell_own(found) : cell_unknown("which message comes first"));
    if (found < 0)
        return;
    wait_for(rank, call, request_at(&requests, found, bytes), &status);
    object_write(rank->run, requests.object, requests.offset + found * bytes, cell_number(0));
}

/* Waits, starts and tests: what is done with one request, or with several. */
static bool with_requests(struct rank *rank, const struct syntax *call)
{
    static const struct {
        const char *name;
        int requests, status, flag;
        bool is_many, starts;
    } known[] = {
        {"MPI_Wait",     0, 1,  -1, false, false},
        {"MPI_Waitall",  1, 2,  -1, true,  false},
        {"MPI_Waitsome", 1, 4,  -1, true,  false},
        {"MPI_Test",     0, 2,  1,  false, false},
        {"MPI_Testall",  1, 3,  2,  true,  false},
        {"MPI_Start",    0, -1, -1, false, true },
        {"MPI_Startall", 1, -1, -1, true,  true },
    };
    if (!strcmp(call->name, "MPI_Waitany") && call->count == 4) {
        wait_for_any(rank, call);
        return true;
    }
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(call->name, known[i].name) != 0 || call->count <= known[i].requests)
            continue;
        double count = 1;
        if (known[i].is_many && !mpi_number(rank, call, 0, "how many it waits for", &count))
            return true;
        const struct syntax *argument = call->children[known[i].requests];
        const struct cell requests = rank_evaluate(rank, argument);
        struct cell statuses = cell_unknown(NULL);
        if (known[i].status >= 0 && known[i].status < call->count)
            statuses = rank_evaluate(rank, call->children[known[i].status]);
        for (int k = 0; k < count && !rank->run->is_over; k++) {
            const int number = request_at(&requests, k, element_bytes(argument));
            struct cell status = statuses;
            if (status.kind == CELL_POINTER && known[i].is_many)
                status.offset += k * element_bytes(call->children[known[i].status]);
            if (known[i].starts)
                start_one(rank, call, number);
            else
                wait_for(rank, call, number, &status);
        }
        if (known[i].flag >= 0) {
            const struct cell flag = rank_evaluate(rank, call->children[known[i].flag]);
            if (flag.kind == CELL_POINTER)
                object_write(rank->run, flag.object, flag.offset, cell_number(1));
        }
        return true;
    }
    return false;
}

/* ---- what is asked and made ---- */

void mpi_set(struct rank *rank, const struct syntax *call, int i, struct cell cell)
{
    if (i >= call->count)
        return;
    const struct cell place = rank_evaluate(rank, call->children[i]);
    if (place.kind == CELL_POINTER && place.object)
        object_write(rank->run, place.object, place.offset, cell);
}

/* The sum of the products of numbers in an array, and of what each stands for. */
static struct cell summed(struct rank *rank, const struct syntax *call, int numbers,
                          const struct cell *each, int types)
{
    double count;
    const struct cell places = rank_evaluate(rank, call->children[numbers]);
    const struct cell kinds =
        types >= 0 ? rank_evaluate(rank, call->children[types]) : cell_unknown("datatypes");
    struct cell sum = cell_number(0);
    if (!mpi_number(rank, call, 0, "how many parts the datatype has", &count))
        return cell_unknown("a datatype");
    for (int i = 0; i < count && i < 4096; i++) {
        struct cell part =
            object_read(places.kind == CELL_POINTER ? places.object : NULL, places.offset + i * 4);
        struct cell bytes = each ? *each : cell_unknown("a datatype");
        if (types >= 0)
            bytes = object_read(kinds.kind == CELL_POINTER ? kinds.object : NULL,
                                kinds.offset + i * element_bytes(call->children[types]));
        part = rank_arithmetic(rank, DO_MULTIPLY, part, bytes, call);
        sum = rank_arithmetic(rank, DO_ADD, sum, part, call);
    }
    return sum;
}

/* Datatypes are how many bytes they have. */
static bool type_call(struct rank *rank, const struct syntax *call)
{
    static const struct {
        const char *name;
        int factors[2], of, result;
    } made[] = {
        {"MPI_Type_contiguous",           {0, -1},  1, 2},
        {"MPI_Type_vector",               {0, 1},   3, 4},
        {"MPI_Type_hvector",              {0, 1},   3, 4},
        {"MPI_Type_create_hvector",       {0, 1},   3, 4},
        {"MPI_Type_create_indexed_block", {0, 1},   3, 4},
        {"MPI_Type_create_resized",       {-1, -1}, 0, 3},
        {"MPI_Type_dup",                  {-1, -1}, 0, 1},
    };
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        if (strcmp(call->name, made[i].name) != 0 || call->count <= made[i].result)
            continue;
        struct cell bytes = type_bytes(rank, call->children[made[i].of]);
        for (int k = 0; k < 2; k++)
            if (made[i].factors[k] >= 0)
                bytes =
                    rank_arithmetic(rank, DO_MULTIPLY, bytes,
                                    rank_evaluate(rank, call->children[made[i].factors[k]]), call);
        mpi_set(rank, call, made[i].result, bytes);
        return true;
    }
    if (!strcmp(call->name, "MPI_Type_size") && call->count == 2) {
        mpi_set(rank, call, 1, type_bytes(rank, call->children[0]));
        return true;
    }
    if ((!strcmp(call->name, "MPI_Type_indexed") ||
         !strcmp(call->name, "MPI_Type_create_hindexed")) &&
        call->count == 5) {
        const struct cell each = type_bytes(rank, call->children[3]);
        mpi_set(rank, call, 4, summed(rank, call, 1, &each, -1));
        return true;
    }
    if ((!strcmp(call->name, "MPI_Type_create_struct") || !strcmp(call->name, "MPI_Type_struct")) &&
        call->count == 5) {
        mpi_set(rank, call, 4, summed(rank, call, 1, NULL, 3));
        return true;
    }
    if (!strcmp(call->name, "MPI_Type_create_subarray") && call->count == 7) {
        double count;
        struct cell bytes = type_bytes(rank, call->children[5]);
        const struct cell sizes = rank_evaluate(rank, call->children[2]);
        if (!mpi_number(rank, call, 0, "how many dimensions the array has", &count))
            return true;
        for (int i = 0; i < count && i < 16; i++)
            bytes = rank_arithmetic(
                rank, DO_MULTIPLY, bytes,
                object_read(sizes.kind == CELL_POINTER ? sizes.object : NULL, sizes.offset + i * 4),
                call);
        mpi_set(rank, call, 6, bytes);
        return true;
    }
    if (!strcmp(call->name, "MPI_Type_get_extent") && call->count == 3) {
        mpi_set(rank, call, 1, cell_number(0));
        mpi_set(rank, call, 2, cell_unknown("the extent of a datatype"));
    }
    return !strncmp(call->name, "MPI_Type_", 9);
}

static void get_count(struct rank *rank, const struct syntax *call)
{
    const struct cell status = rank_evaluate(rank, call->children[0]);
    struct cell bytes = cell_unknown("how much a message brings");
    if (status.kind == CELL_POINTER && status.object)
        bytes = object_read(status.object, status.offset + bytes_at);
    mpi_set(rank, call, 2,
            rank_arithmetic(rank, DO_DIVIDE, bytes, type_bytes(rank, call->children[1]), call));
}

static void probe(struct rank *rank, const struct syntax *call)
{
    double from, tag;
    const int group = group_of(rank, call->children[2]);
    if (group < 0 || !mpi_number(rank, call, 0, "the other process", &from) ||
        !mpi_number(rank, call, 1, "the tag", &tag))
        return;
    const int source = process_in(rank, call, from, group, true);
    if (source < 0 && source != PROCESS_ANY)
        return;
    rank->waits_at = call;
    while (!find_mail(rank, group, source, (int)tag) && !rank->run->is_over)
        rank_yields(rank);
    rank->waits_at = NULL;
    const struct message_on_way *message = find_mail(rank, group, source, (int)tag);
    const struct cell status = rank_evaluate(rank, call->children[call->count - 1]);
    if (call->count == 5) /* it is asked until there is one */
        mpi_set(rank, call, 3, cell_number(1));
    if (message)
        set_status(rank, &status, mates(rank->run, group, message->source), message->tag,
                   message->bytes, source == PROCESS_ANY && rank->run->p > 2);
}

static bool asking_call(struct rank *rank, const struct syntax *call, struct cell *cell)
{
    struct run *run = rank->run;
    const char *name = call->name;
    if (!strcmp(name, "MPI_Comm_rank") || !strcmp(name, "MPI_Comm_size")) {
        const int group = group_of(rank, call->children[0]);
        if (group < 0)
            return true;
        struct cell answer = cell_own(group_rank(rank, group));
        if (!strcmp(name, "MPI_Comm_size") && group == 0)
            answer = cell_formed(
                run, polynomial_symbol(&run->describer->algebra, run->describer->processors),
                run->p);
        else if (!strcmp(name, "MPI_Comm_size"))
            answer = cell_own(group == 1 ? 1 : run->groups[group].count);
        mpi_set(rank, call, 1, answer);
        return true;
    }
    if (!strcmp(name, "MPI_Wtime") || !strcmp(name, "MPI_Wtick")) {
        *cell = cell_unknown("the time");
        cell->is_floating = true;
        return true;
    }
    if ((!strcmp(name, "MPI_Get_address") || !strcmp(name, "MPI_Address")) && call->count == 2) {
        mpi_set(rank, call, 1, rank_evaluate(rank, call->children[0]));
        return true;
    }
    if (!strcmp(name, "MPI_Aint_diff") && call->count == 2) {
        *cell = rank_arithmetic(rank, DO_SUBTRACT, rank_evaluate(rank, call->children[0]),
                                rank_evaluate(rank, call->children[1]), call);
        return true;
    }
    if (!strcmp(name, "MPI_Get_count") && call->count == 3) {
        get_count(rank, call);
        return true;
    }
    if ((!strcmp(name, "MPI_Probe") && call->count == 4) ||
        (!strcmp(name, "MPI_Iprobe") && call->count == 5)) {
        probe(rank, call);
        return true;
    }
    if (!strcmp(name, "MPI_Abort")) {
        run_fail(run, REFUSED, call->place,
                 "with %d processes, process %d ends the program here (MPI_Abort)", run->p,
                 rank->number);
        return true;
    }
    if (!strcmp(name, "MPI_Get_processor_name")) {
        for (int i = 0; i < call->count; i++)
            mpi_set(rank, call, i, cell_unknown("the name of a machine"));
        return true;
    }
    return communicator_call(rank, call) || type_call(rank, call);
}

struct cell mpi_call(struct rank *rank, const struct syntax *call)
{
    static const char *const nothing[] = {
        "MPI_Init",       "MPI_Finalize",  "MPI_Buffer_", "MPI_Comm_free", "MPI_Comm_set_",
        "MPI_Errhandler", "MPI_Op_",       "MPI_Info_",   "MPI_Request_f", "MPI_Pcontrol",
        "MPI_Comm_get_n", "MPI_Query_",    "MPI_Error_",  "MPI_Is_",       "MPI_Attr_",
        "MPI_Get_ver",    "MPI_Comm_get_a"};
    struct cell cell = cell_number(0);
    rank->has_finalized = rank->has_finalized || !strcmp(call->name, "MPI_Finalize");
    if (with_requests(rank, call) || collective_call(rank, call, &cell))
        return cell;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strcmp(call->name, rows[i].name) && call->count > rows[i].communicator) {
            one_way(rank, call, &rows[i]);
            return cell;
        }
    if (!strcmp(call->name, "MPI_Sendrecv") || !strcmp(call->name, "MPI_Sendrecv_replace")) {
        both_ways(rank, call, call->name[12] != '\0');
        return cell;
    }
    if (asking_call(rank, call, &cell))
        return cell;
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
        if (!strncmp(call->name, nothing[i], strlen(nothing[i])))
            return cell;
    run_fail(rank->run, FAILED, call->place,
             "%s: what it does to the messages of a program is not followed: `ignore` it, and say "
             "what is sent: #pragma forecost call point-to-point bytes(E)",
             call->name);
    return cell;
}
