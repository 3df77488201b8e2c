#include "describer/walk/messages.h"

#include "describer/walk/relays.h"

#include <string.h>

enum manner { COLLECTIVE, SENDS, RECEIVES, SENDS_LATER, RECEIVES_LATER, WAITS };

/* What a call is where arguments say so: those that name the partners sent to and received from,
   and where they are not alike the utility; or, where the first argument is MPI_IN_PLACE, the
   utility, and which arguments say then how much there is. One row a form. */
struct form {
    const char *utility;
    int to, from, count, type;
};

static const struct form shifted = {"shift", 3, 8, -1, -1};
static const struct form shifted_replaced = {"shift", 3, 5, -1, -1};
static const struct form in_place = {"all-gather-in-place", -1, -1, 4, 5};

/* MPI's calls, the utility that each is, and which arguments say how many elements of what type
   there are; result: which argument is set, -1: none; what else it may be. One row a call. */
static const struct called {
    const char *name, *utility;
    int count, type, result;
    enum manner manner;
    const struct form *form;
} calls[] = {
    {"MPI_Bcast",                "broadcast",       1,  2,  0,  COLLECTIVE,     NULL             },
    {"MPI_Allreduce",            "combine",         2,  3,  1,  COLLECTIVE,     NULL             },
    {"MPI_Reduce",               "reduce",          2,  3,  1,  COLLECTIVE,     NULL             },
    {"MPI_Scan",                 "combine",         2,  3,  1,  COLLECTIVE,     NULL             },
    {"MPI_Exscan",               "combine",         2,  3,  1,  COLLECTIVE,     NULL             },
    {"MPI_Reduce_scatter",       "reduce-scatter",  2,  3,  -1, COLLECTIVE,     NULL             },
    {"MPI_Reduce_scatter_block", "reduce-scatter",  2,  3,  -1, COLLECTIVE,     NULL             },
    {"MPI_Alltoall",             "many-to-many",    1,  2,  -1, COLLECTIVE,     NULL             },
    {"MPI_Alltoallv",            "many-to-many",    1,  3,  -1, COLLECTIVE,     NULL             },
    {"MPI_Allgather",            "all-gather",      1,  2,  -1, COLLECTIVE,     &in_place        },
    {"MPI_Allgatherv",           "all-gather",      1,  2,  -1, COLLECTIVE,     &in_place        },
    {"MPI_Gather",               "gather",          1,  2,  -1, COLLECTIVE,     NULL             },
    {"MPI_Gatherv",              "gather",          1,  2,  -1, COLLECTIVE,     NULL             },
    {"MPI_Scatter",              "scatter",         1,  2,  -1, COLLECTIVE,     NULL             },
    {"MPI_Scatterv",             "scatter",         5,  6,  -1, COLLECTIVE,     NULL             },
    {"MPI_Barrier",              "synchronization", -1, -1, -1, COLLECTIVE,     NULL             },
    {"MPI_Sendrecv",             "exchange",        1,  2,  5,  COLLECTIVE,     &shifted         },
    {"MPI_Sendrecv_replace",     "exchange",        1,  2,  0,  COLLECTIVE,     &shifted_replaced},
    {"MPI_Send",                 "point-to-point",  1,  2,  -1, SENDS,          NULL             },
    {"MPI_Ssend",                "point-to-point",  1,  2,  -1, SENDS,          NULL             },
    {"MPI_Bsend",                "point-to-point",  1,  2,  -1, SENDS,          NULL             },
    {"MPI_Recv",                 "point-to-point",  1,  2,  0,  RECEIVES,       NULL             },
    {"MPI_Isend",                "point-to-point",  1,  2,  -1, SENDS_LATER,    NULL             },
    {"MPI_Issend",               "point-to-point",  1,  2,  -1, SENDS_LATER,    NULL             },
    {"MPI_Irecv",                "point-to-point",  1,  2,  0,  RECEIVES_LATER, NULL             },
    {"MPI_Wait",                 NULL,              -1, -1, -1, WAITS,          NULL             },
    {"MPI_Waitall",              NULL,              -1, -1, -1, WAITS,          NULL             },
    {"MPI_Waitany",              NULL,              -1, -1, -1, WAITS,          NULL             },
    {"MPI_Waitsome",             NULL,              -1, -1, -1, WAITS,          NULL             },
};

/* Calls that move no data to speak of, by how their names begin. */
static const char *const idle[] = {
    "MPI_Init",     "MPI_Final",       "MPI_Comm_",   "MPI_Cart_",   "MPI_Wtime",
    "MPI_Wtick",    "MPI_Abort",       "MPI_Type_",   "MPI_Op_",     "MPI_Group_",
    "MPI_Request_", "MPI_Errhandler_", "MPI_Dims_",   "MPI_Get_",    "MPI_Info_",
    "MPI_Pcontrol", "MPI_Error_",      "MPI_Buffer_", "MPI_Query_",  "MPI_Is_",
    "MPI_Alloc_",   "MPI_Free_",       "MPI_Graph_",  "MPI_Status_", "MPI_Initialized",
    "MPI_Address",  "MPI_Attr_"};

struct outline *messages_add(struct describer *describer, const char *utility, const char *bytes,
                             const char *processors)
{
    struct outline *outline = outline_add(describer->arena, describer->body, OUTLINE_CALL);
    outline->utility = utility;
    outline->bytes = bytes;
    outline->processors = processors;
    outline->place = describer->here;
    describer->part = NULL;
    return outline;
}

/* A call of MPI that moves so many bytes; NULL: how many is not known here, and has to be found
   by the processes' own ways (ranks/settle.c). */
static struct outline *add_sized(struct describer *describer, const char *utility, polynomial size)
{
    const char *bytes = NULL;
    if (size) {
        polynomial_use(size);
        bytes = polynomial_text(&describer->algebra, size, " ");
    }
    struct outline *call = messages_add(describer, utility, bytes, NULL);
    call->size = size;
    call->is_message = true;
    describer->busiest = (struct busiest){0};
    return call;
}

struct outline *messages_add_one(struct describer *describer, polynomial size)
{
    return add_sized(describer, "point-to-point", size);
}

const char *messages_utility(const char *call, bool is_in_place, bool is_alike)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        if (strcmp(call, calls[i].name) != 0)
            continue;
        const struct form *form = calls[i].form;
        if (form && (form->count >= 0 ? is_in_place : !is_alike))
            return form->utility;
        return calls[i].utility;
    }
    return "point-to-point";
}

struct outline *messages_add_told(struct describer *describer, const char *utility, polynomial size,
                                  const char *name, struct place place)
{
    const char *base = strrchr(place.file ? place.file : "", '/');
    struct outline *call = add_sized(describer, utility, size);
    call->place = place;
    if (!size)
        call->why =
            arena_format(describer->arena,
                         "%s: how many bytes it moves is not known here: `ignore` the call, "
                         "and say what it does: #pragma forecost call point-to-point bytes(E)",
                         name);
    call->remark =
        arena_format(describer->arena, "%s:%u: %s", base ? base + 1 : place.file, place.line, name);
    return call;
}

static const char *utility_of(const struct message *message)
{
    return message->is_exchange ? "exchange" : "point-to-point";
}

static void flush_one(struct describer *describer, struct message *message)
{
    struct outline *body = describer->body;
    message->is_open = false;
    if (!message->is_later)
        return;
    describer->body = message->body;
    message->end->message = messages_add_told(describer, utility_of(message), message->size,
                                              message->name, message->place);
    describer->body = body;
}

void messages_flush(struct describer *describer)
{
    for (int i = 0; i < describer->message_count; i++)
        if (describer->messages[i].is_open)
            flush_one(describer, &describer->messages[i]);
    describer->message_count = 0;
}

static struct message *partner_of(struct describer *describer, bool is_send)
{
    for (int i = 0; i < describer->message_count; i++) {
        struct message *message = &describer->messages[i];
        if (message->is_open && message->body == describer->body && message->is_send != is_send)
            return message;
    }
    return NULL;
}

/* What every processor sends, another one receives. Where a message is sent or received later than
   it is asked for, a processor does both at once: an exchange; otherwise one after the other: the
   two are the two ends of the same message. */
static void one_partner(struct describer *describer, const char *name, enum manner manner,
                        struct end *end, struct place place)
{
    polynomial size = end->size;
    const bool is_send = manner == SENDS || manner == SENDS_LATER;
    const bool is_later = manner == SENDS_LATER || manner == RECEIVES_LATER;
    struct message *partner = partner_of(describer, is_send);
    if (partner) {
        const bool is_exchange = partner->is_later || is_later;
        partner->is_open = false;
        if (partner->is_later)
            messages_add_told(describer, "exchange", is_send ? size : partner->size,
                              arena_format(describer->arena, "%s and %s", partner->name, name),
                              place);
        else if (is_exchange)
            return;
        return;
    }
    if (!is_later)
        end->message = messages_add_told(describer, "point-to-point", size, name, place);
    if (describer->message_count == MESSAGES_MOST)
        describer->message_count = 0;
    describer->messages[describer->message_count++] = (struct message){.name = name,
                                                                       .size = size,
                                                                       .body = describer->body,
                                                                       .end = end,
                                                                       .place = place,
                                                                       .is_send = is_send,
                                                                       .is_later = is_later,
                                                                       .is_open = true};
}

/* NULL: it is not known here. */
static polynomial size_of(struct describer *describer, const struct syntax *call, int count,
                          int type)
{
    if (count < 0)
        return polynomial_constant(&describer->algebra, 0);
    if (count >= call->count || type >= call->count)
        return NULL;
    struct error kept, *error = describer->error;
    describer->error = &kept;
    const struct value value = evaluate(describer, call->children[count]);
    describer->error = error;
    describer->has_failed = false;
    if (describer_is_stopped(describer))
        return NULL;
    polynomial each = datatype_bytes(describer, call->children[type]);
    if (value.kind != VALUE_INDEX || !each)
        return NULL;
    polynomial size = polynomial_product(&describer->algebra, value.index, each);
    size = polynomial_without_rank(&describer->algebra, size);
    if (polynomial_has_index(size) && !polynomial_is_affine(size))
        describer_fail(describer, call->place, "%s: its size is not linear in the loop indices",
                       call->name);
    return size;
}

/* What a call sets is data, if it is a number; a whole number keeps what is known of it. */
static void set_result(struct describer *describer, const struct syntax *call, int result)
{
    if (result < 0 || result >= call->count)
        return;
    const struct syntax *argument = call->children[result];
    struct binding *binding = addressed(describer, argument);
    if (binding && binding->value.kind == VALUE_NODE)
        binding->value =
            value_of_node(graph_add(&describer->graph, describer_part(describer),
                                    (struct node){.kind = NODE_SAME, .name = call->name}));
}

static bool is_idle(const char *name)
{
    for (size_t i = 0; i < sizeof idle / sizeof *idle; i++)
        if (!strncmp(name, idle[i], strlen(idle[i])))
            return true;
    return false;
}

/* Whether it takes the other form that its row knows. */
static bool takes_form(struct describer *describer, const struct syntax *call,
                       const struct form *form)
{
    if (!form)
        return false;
    if (form->count >= 0)
        return call->count > form->type && is_in_place(call->children[0]);
    return call->count > form->from &&
           !are_alike(describer, call->children[form->to], call->children[form->from]);
}

/* The call as its row and its arguments say. */
static struct called called_as(struct describer *describer, const struct syntax *call,
                               const struct called *row)
{
    struct called called = *row;
    if (!takes_form(describer, call, row->form))
        return called;
    called.utility = row->form->utility;
    called.count = row->form->count >= 0 ? row->form->count : row->count;
    called.type = row->form->type >= 0 ? row->form->type : row->type;
    return called;
}

/* The end of a message that the call is; one that shifts is both. */
static struct end *note(struct describer *describer, const struct syntax *call,
                        const struct called *called)
{
    static const enum end_kind kinds[] = {[COLLECTIVE] = END_OF_ALL,
                                          [SENDS] = END_SEND,
                                          [SENDS_LATER] = END_SEND,
                                          [RECEIVES] = END_RECEIVE,
                                          [RECEIVES_LATER] = END_RECEIVE_LATER,
                                          [WAITS] = END_WAIT};
    const bool is_both = called->form && called->form->to >= 0;
    return end_note(describer, call, is_both ? END_OF_BOTH : kinds[called->manner]);
}

static void describe_call(struct describer *describer, const struct syntax *call,
                          const struct called *called)
{
    polynomial size = size_of(describer, call, called->count, called->type);
    if (describer_is_stopped(describer))
        return;
    struct end *end = note(describer, call, called);
    end->size = size;
    if (called->manner == COLLECTIVE)
        messages_add_told(describer, called->utility, size, call->name, call->place);
    else
        one_partner(describer, call->name, called->manner, end, call->place);
    set_result(describer, call, called->result);
}

static bool known_message(struct describer *describer, const struct syntax *call)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        if (strcmp(call->name, calls[i].name) != 0)
            continue;
        const struct called called = called_as(describer, call, &calls[i]);
        if (describer->is_silent)
            set_result(describer, call, called.result);
        else if (called.manner == WAITS) {
            note(describer, call, &called);
            messages_flush(describer);
        } else
            describe_call(describer, call, &called);
        return true;
    }
    return false;
}

bool messages_call(struct describer *describer, const struct syntax *call, struct value *value)
{
    if (strncmp(call->name, "MPI_", 4) != 0)
        return false;
    *value = (struct value){0};
    if (messages_setting(describer, call) || known_message(describer, call) || is_idle(call->name))
        return true;
    describer_fail(
        describer, call->place,
        "%s is none of the calls that have a utility: `ignore` it, and say what it does: "
        "#pragma forecost call point-to-point bytes(E)",
        call->name);
    return true;
}

/* How many calls within are of a manner that is wanted, one in a loop twice. */
static int calls_within(const struct syntax *syntax, bool (*is_wanted)(const struct called *))
{
    int count = 0;
    if (syntax->kind == SYNTAX_CALL)
        for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
            count += !strcmp(syntax->name, calls[i].name) && is_wanted(&calls[i]);
    if (syntax->kind == SYNTAX_VARIABLE && syntax->declaration->initial)
        count += calls_within(syntax->declaration->initial, is_wanted);
    for (int i = 0; i < syntax->count; i++)
        if (syntax->children[i])
            count += calls_within(syntax->children[i], is_wanted);
    return syntax->kind == SYNTAX_FOR ? 2 * count : count;
}

static bool moves_data(const struct called *called)
{
    return called->utility != NULL;
}

static bool sends(const struct called *called)
{
    return called->manner == SENDS || called->manner == SENDS_LATER;
}

static bool receives(const struct called *called)
{
    return called->manner == RECEIVES || called->manner == RECEIVES_LATER;
}

int messages_within(const struct syntax *syntax)
{
    return calls_within(syntax, moves_data);
}

struct outline *messages_add_unknown(struct describer *describer, struct place place)
{
    struct outline *call = messages_add_one(describer, NULL);
    call->place = place;
    return call;
}

bool computes(struct describer *describer, const struct syntax *syntax, int depth)
{
    enum { DEPTH_MOST = 8 };
    if (syntax->kind == SYNTAX_ASSIGN && syntax->count > 0) {
        const struct syntax *to = syntax->children[0];
        if (!to->type || to->kind != SYNTAX_NAME)
            return true;
        if (to->type->kind == TYPE_FLOATING && syntax->children[1]->kind != SYNTAX_CALL)
            return true;
    }
    if (syntax->kind == SYNTAX_CALL && strncmp(syntax->name, "MPI_", 4) != 0) {
        const struct function *function = function_maybe_called(describer->source, syntax, 0);
        if (!function && !call_is_passed(syntax->name))
            return true;
        for (int i = 1; function; i++) {
            if (depth == DEPTH_MOST || computes(describer, function->body, depth + 1))
                return true;
            function = function_maybe_called(describer->source, syntax, i);
        }
    }
    for (int i = 0; i < syntax->count; i++)
        if (syntax->children[i] && computes(describer, syntax->children[i], depth))
            return true;
    return false;
}

bool messages_reached(struct describer *describer, const struct syntax *syntax, int depth)
{
    enum { DEPTH_MOST = 8 };
    if (syntax->kind == SYNTAX_CALL) {
        const struct function *function;
        for (int i = 0;
             depth < DEPTH_MOST && (function = function_maybe_called(describer->source, syntax, i));
             i++)
            if (messages_reached(describer, function->body, depth + 1))
                return true;
        if (calls_within(syntax, moves_data) > 0)
            return true;
    }
    if (syntax->kind == SYNTAX_VARIABLE && syntax->declaration->initial &&
        messages_reached(describer, syntax->declaration->initial, depth))
        return true;
    for (int i = 0; i < syntax->count; i++)
        if (syntax->children[i] && messages_reached(describer, syntax->children[i], depth))
            return true;
    return false;
}

bool sends_within(const struct syntax *syntax)
{
    return calls_within(syntax, sends) > 0;
}

bool receives_within(const struct syntax *syntax)
{
    return calls_within(syntax, receives) > 0;
}
