/* Expressions of the source as values. Each of these notes an error (describer_fail) where it is
   none that is understood, and then returns VALUE_UNKNOWN. */
#ifndef DESCRIBER_WALK_EVALUATE_H
#define DESCRIBER_WALK_EVALUATE_H

#include "describer/state/describer.h"

/* evaluate.c */
struct value evaluate(struct describer *describer, const struct syntax *syntax);

/* The same where a remainder of the index of a loop need not be a number (colours.h). */
struct value evaluate_turn(struct describer *describer, const struct syntax *syntax);

/* The same where errors are not worth one: VALUE_NONE then. */
struct value evaluate_leniently(struct describer *describer, const struct syntax *syntax);

/* The value as a node of the run of statements under way. */
int value_node(struct describer *describer, struct value value, const struct syntax *at);

/* Whether it is no element of an array, nor computed from data. */
bool value_is_of_scalars(const struct describer *describer, const struct value *value);

/* The value where a subscript, a bound or a count is needed; `what` says which. */
polynomial value_index(struct describer *describer, const struct syntax *syntax, const char *what);

struct value value_of_index(polynomial index);
struct value value_of_node(int node);
struct value value_unknown(const char *why);

/* arithmetic.c: type is that of the result. */
struct value value_arithmetic(struct describer *describer, enum operation operation, struct value a,
                              struct value b, const struct syntax *at);
struct value value_negated(struct describer *describer, struct value value,
                           const struct syntax *at);
/* floor(a / b) or a mod b of parameters. */
struct value value_divided(struct describer *describer, polynomial a, polynomial b, bool is_rest);
/* The same of an index of a loop, which is split where it leaves a period. */
struct value value_split(struct describer *describer, polynomial a, polynomial b, bool is_rest);

/* whole.c: a real number that parameters and the number of processes give, where a whole one is
   needed: (int)sqrt(p); VALUE_NONE: it is none. */
struct value value_whole(struct describer *describer, const struct syntax *syntax);

/* places.c: what can be assigned to. */
struct value place_of(struct describer *describer, const struct syntax *syntax);
struct value place_subscripted(struct describer *describer, struct value value, polynomial index,
                               const struct syntax *at);
struct value place_member(struct describer *describer, struct value value,
                          const struct syntax *member);
/* What is at a place: a number is loaded, all else stays. */
struct value place_load(struct describer *describer, struct value place, const struct syntax *at);

/* The variable that *POINTER, or POINTER[0], is where the pointer is known to point at one; NULL:
   it is not. A pointer at a variable is another name for it, wherever one reads or assigns it. */
const struct syntax *pointed_variable(struct describer *describer, const struct syntax *syntax);
/* The same variable without casts and pointers; the expression itself where there are none. */
const struct syntax *variable_meant(struct describer *describer, const struct syntax *syntax);

/* homes.c: where a directive says that the statement under way runs; NULL: none does. */
const struct told_home *home_told(struct describer *describer);

/* pointed.c: whether the expression is *NAME, of a parameter of a function that nobody called and
   that does nothing with it but to read that whole number; it is a parameter of the description
   then. */
bool pointed_number(struct describer *describer, const struct syntax *syntax, struct value *value);

/* objects.c: what nobody has assigned, by its name. */
struct value object_value(struct describer *describer, const char *path, const char *name,
                          const struct type *type, const struct declaration *declaration,
                          struct place place);
/* Whether a pointer is what the variable is as long as nobody assigns it. */
bool object_is_of(struct describer *describer, const struct value *value,
                  const struct declaration *declaration);
/* The array of records that a pointer to one is, once it is subscripted. */
struct value object_as_array(struct describer *describer, struct value object, struct place place);
/* The binding of a variable, or of a member of an object; NULL: it is neither. */
struct binding *object_binding(struct describer *describer, const struct syntax *syntax);
/* The binding of a member by its path; NULL: there are too many. */
struct binding *member_binding(struct describer *describer, const char *path);

/* elements.c: that of an element that is a scalar, acc[0] or *sum, and what it is called (name may
   be NULL); NULL: it is none. Whether a binding is of an element of the array. */
struct binding *element_binding(struct describer *describer, const struct syntax *syntax,
                                const char **name);
bool element_is_of(struct describer *describer, const struct binding *binding,
                   const struct declaration *array);
/* Where such an array is declared, its elements begin anew. */
void elements_declare(struct describer *describer, const struct declaration *array);

struct value variable_value(struct describer *describer, struct declaration *declaration,
                            struct place place);
/* The array that a pointer is has as many elements as the memory has that it was set to. */
void object_take_memory(struct describer *describer, const struct value *object,
                        const struct binding *binding);
/* A parameter for a variable of which only is known where it comes from. */
struct value unknown_parameter(struct describer *describer, const char *name,
                               const struct binding *binding, struct place place);

/* Records by their paths. The list of initialisers sets all members; whole numbers are parameters,
   named as the members. A copy has the members of the other one as they are now. */
void record_initialize(struct describer *describer, const char *path, const struct syntax *list);
void record_copy(struct describer *describer, const char *path, const char *from);
/* Nothing is known of the members from now on; origin: where they come from, or NULL. */
void record_forget(struct describer *describer, const char *path, const char *origin,
                   struct place place);
/* The path of a member in the record of which the member's record is a copy. */
const char *record_original(struct describer *describer, const char *path);
/* "is atoi(argv[1])": where a value comes from that is not known. */
const char *origin_text(struct describer *describer, const struct syntax *value);
/* Forgets what a statement sets through addresses, where it is not followed. */
void forget_addressed(struct describer *describer, const struct syntax *syntax);
/* A whole number that the source names: a parameter, unless it is small and nobody named it. */
struct value named_number(struct describer *describer, const char *name, double value,
                          struct place place);

/* calls.c: a call's value; the function that is called, if the source defines it, or NULL. */
const struct function *function_called(const struct source *source, const struct syntax *call);
/* Function number i of those that a call may enter, NULL: there are no more. One through a pointer
   may enter any whose address the source takes, and that has as many parameters. */
const struct function *function_maybe_called(const struct source *source, const struct syntax *call,
                                             int i);
bool function_is_pointed(const struct source *source, const struct function *function);
/* The function that a variable points at, unknown where it may be set through its address. */
struct value function_of_variable(struct describer *describer, const struct syntax *name,
                                  struct value value);
/* A call through a pointer of which is known here what it points at, as one of that function; NULL:
   it is not known. */
const struct syntax *call_followed(struct describer *describer, const struct syntax *call);
struct value call_value(struct describer *describer, const struct syntax *call);
/* Tells apart the calls by which a function is come to: the way of the caller, and this call. */
unsigned way_through(unsigned way, const struct syntax *call);
/* Whether a function of the library has nothing to do with what is computed. */
bool call_is_passed(const char *name);

/* memory.c: whether the call is memset() or the like; then it is gone through as the loop that it
   is. */
bool memory_call(struct describer *describer, const struct syntax *call);

/* conditions.c: whether a condition holds. */
enum truth { IS_FALSE, IS_TRUE, IS_DATA, IS_UNDECIDED };
enum truth condition_holds(struct describer *describer, const struct syntax *condition,
                           struct value *data);

enum truth condition_compare(struct describer *describer, enum operation operation, polynomial a,
                             polynomial b);

/* What the condition last met asked of the number of processes has decided which way is gone. */
void condition_decides(struct describer *describer);

/* The comparison with both sides exchanged: a < b is b > a. */
enum operation condition_turned(enum operation operation);

/* Whether it is a comparison, or made of some by !, && or ||. */
bool condition_is_one(const struct syntax *syntax);

/* Whether it names a variable whose truth differs from process to process (struct binding). */
bool condition_names_another(struct describer *describer, const struct syntax *syntax);

/* Whether the number of processes is in it, by itself or in what is derived from it. */
bool condition_is_of_processors(const struct describer *describer, polynomial a);

/* Whether, with so many processes, another way would be gone somewhere, or messages have no law. */
bool condition_differs(struct describer *describer, int processors);

/* Gives the number of processes, and what is derived from it, other values. */
void condition_set_processors(struct describer *describer, double processors);

/* A remark for each decision that is another one with some numbers of processes. */
void condition_remark(struct describer *describer);

/* The largest or smallest value over all loops around: at which it is, or NULL. */
polynomial extreme_of(struct describer *describer, polynomial a, bool is_largest);

/* Of the last, or the first, of the processes that come here. */
polynomial extreme_of_rank(struct describer *describer, polynomial a, bool is_last);

/* snapshot.c: what a loop or a branch may change, so that it can be gone through again. */
struct snapshot;
struct snapshot *snapshot_take(const struct describer *describer);
void snapshot_restore(struct describer *describer, const struct snapshot *snapshot);
/* A binding as it was. */
const struct binding *snapshot_binding(const struct snapshot *snapshot, int id);
void snapshot_free(struct snapshot *snapshot);

/* assigned.c: the variables that a statement assigns, each with how often it does. */
struct assigned {
    struct binding *binding;
    const struct type *type;
    const char *name;
    const struct syntax *to;   /* the variable as it is written */
    const struct syntax *from; /* the value that is assigned last, or the statement */
    int times;
};
struct assigned_list {
    struct assigned items[256];
    int count;
};
void assigned_in(struct describer *describer, const struct syntax *syntax,
                 struct assigned_list *list);
/* The memory that each of the pointers has that exchange theirs, of which no array is known yet;
   NULL: not all have as much, or one is set to other memory. */
polynomial assigned_memory(struct algebra *algebra, const struct assigned_list *list);
/* What is assigned is not known any more, but for the memory of a pointer that had some. */
void assigned_forget(struct describer *describer, const struct assigned *assigned,
                     polynomial memory);
/* Whether the statement advances a variable by an amount: i++, p += 2, i = i + n. */
bool advances(struct describer *describer, const struct syntax *syntax, struct binding **binding,
              polynomial *amount);

/* branches.c: way 1 or 2 of an if: how surely it gives up (0: it goes on), and the one of them that
   goes on. */
int branch_gives_up(const struct syntax *syntax, int way);
int branch_going_on(const struct syntax *syntax, int way);
/* A condition on data that leaves the loop, or gives up: it is asked in each iteration, and holds
   in none, but for the last one. data: the condition, or NULL. Returns whether it is one. */
bool branch_leave_on_data(struct describer *describer, const struct syntax *syntax,
                          const struct value *data);
void execute_branch(struct describer *describer, const struct syntax *syntax);
/* Statement *at of a block; an `if` with those that follow it for other processes as its `else`:
   these do what they do at the same time. Advances *at to the last one. */
const struct syntax *branch_with_next(struct describer *describer, const struct syntax *block,
                                      int *at);

/* statements.c */
void execute(struct describer *describer, const struct syntax *syntax);
void assign(struct describer *describer, const struct syntax *to, struct value value,
            bool is_fresh);
/* The same to an element. */
void assign_to_place(struct describer *describer, const struct value *place, struct value value,
                     const struct syntax *at);

/* loops.c */
void execute_loop(struct describer *describer, const struct syntax *loop);

#endif
