#include "describer/write/write.h"

#include "describer/walk/evaluate.h"
#include "describer/write/references.h"

#include <stdlib.h>

/* One more than the largest subscript. */
static polynomial needed_extent(struct describer *describer, const struct references *references,
                                int dimension)
{
    polynomial best = polynomial_constant(&describer->algebra, 1);
    double most = -1;
    for (int i = 0; i < references->count; i++) {
        if (dimension >= references->items[i]->count)
            continue;
        polynomial last = extreme_of(describer, references->items[i]->subscripts[dimension], true);
        if (polynomial_value(last) <= most)
            continue;
        most = polynomial_value(last);
        best = polynomial_plus(&describer->algebra, last, 1);
    }
    return best;
}

static polynomial extent_of(struct describer *describer, const struct array *array, int dimension)
{
    struct references references;
    if (array->extents[dimension])
        return array->extents[dimension];
    references_find(describer, array, &references);
    polynomial extent = needed_extent(describer, &references, dimension);
    free(references.items);
    return extent;
}

bool has_extent(struct describer *describer, const struct array *array, int dimension)
{
    struct references references;
    if (array->extents[dimension] || array->told[dimension] ||
        (array->beside && array->prefix_count == 0))
        return true;
    references_find(describer, array, &references);
    bool is_reached = false;
    for (int i = 0; i < references.count; i++)
        is_reached = is_reached || dimension < references.items[i]->count;
    free(references.items);
    return is_reached;
}

/* Whether both are flat in the source, with rows of the same shape. */
static bool has_same_rows(struct describer *describer, const struct array *a, const struct array *b)
{
    if (!a->is_flat || !b->is_flat || a->rank != b->rank || !b->is_written)
        return false;
    for (int d = 1; d < a->rank; d++)
        if (!a->extents[d] || !b->extents[d] ||
            !polynomial_equal(&describer->algebra, a->extents[d], b->extents[d]))
            return false;
    return true;
}

/* One that lies beside another is taken to be as large, where the source does not say it; of flat
   arrays with the same rows, one that is used without its last ones has as many as the others. */
static polynomial written_extent(struct describer *describer, const struct array *array,
                                 int dimension)
{
    polynomial extent = extent_of(describer, array, dimension);
    for (int i = 0; i < describer->arrays.count && dimension == 0 && !array->extents[0]; i++) {
        const struct array *peer = describer->arrays.items[i];
        if (peer == array || !has_same_rows(describer, array, peer))
            continue;
        double more;
        polynomial rows = extent_of(describer, peer, 0);
        polynomial gap = polynomial_sum(&describer->algebra, rows, extent, -1);
        if (polynomial_is_constant(gap, &more) && more > 0)
            extent = rows;
    }
    const struct array *other = aligned_plainly(describer, array);
    if (!other || other->rank != array->rank || array->extents[dimension])
        return extent;
    polynomial beside = extent_of(describer, other, dimension);
    return polynomial_value(beside) > polynomial_value(extent) ? beside : extent;
}

static void write_extent(struct writer *writer, const struct array *array, int dimension)
{
    if (array->beside && (array->prefix_count == 0 || dimension < array->prefix_count)) {
        dimension = array->beside_dimension[dimension];
        array = array->beside;
    } else
        dimension -= array->prefix_count;
    yaml_out_text(writer->out,
                  array->told[dimension]
                      ? array->told[dimension]
                      : write_text_of(writer, written_extent(writer->describer, array, dimension)));
}

/* The values of a scalar lie where those of the other array do. */
static void write_beside(struct writer *writer, const struct array *array)
{
    const int rank = array->prefix_count + array->rank;
    bool is_plain = rank == array->beside->prefix_count + array->beside->rank;
    for (int d = 0; d < rank; d++)
        is_plain = is_plain && array->beside_dimension[d] == d;
    yaml_out_key(writer->out, "align");
    if (is_plain)
        yaml_out_text(writer->out, array->beside->name);
    else {
        yaml_out_map(writer->out, true);
        write_pair(writer, "to", array->beside->name);
        yaml_out_key(writer->out, "map");
        yaml_out_list(writer->out, true);
        for (int d = 0; d < rank; d++)
            if (array->beside_dimension[d] < 0)
                yaml_out_text(writer->out, "*");
            else
                yaml_out_number(writer->out, array->beside_dimension[d]);
        yaml_out_list_end(writer->out);
        yaml_out_map_end(writer->out);
    }
    write_pair(writer, "scalar", "true");
}

static void write_array(struct writer *writer, const struct array *array)
{
    yaml_out_key(writer->out, array->name);
    yaml_out_map(writer->out, true);
    yaml_out_key(writer->out, "extent");
    yaml_out_list(writer->out, true);
    for (int d = 0; d < array->prefix_count + array->rank; d++)
        write_extent(writer, array, d);
    yaml_out_list_end(writer->out);
    if (array->element_bytes > 0 && array->element_bytes != 8) {
        yaml_out_key(writer->out, "element_bytes");
        yaml_out_number(writer->out, array->element_bytes);
    }
    if (array->prefix_count + array->rank > 1)
        write_pair(writer, "order", "C");
    if (array->beside)
        write_beside(writer, array);
    else
        write_alignment(writer, array);
    yaml_out_map_end(writer->out);
}

/* The rows of one that point into another are counted as memory of their own: so the program may
   use one of them alone. */
static void check_rows(struct describer *describer, const struct array *array)
{
    if (array->lies_in && array->lies_in->is_written)
        describer_fail(describer, array->place,
                       "%s and %s are the same memory: its rows point there; use one of them in "
                       "what is described",
                       array->name, array->lies_in->name);
}

void write_arrays(struct writer *writer)
{
    for (int i = 0; i < writer->describer->arrays.count; i++) {
        const struct array *array = writer->describer->arrays.items[i];
        if (array->is_written && array->beside)
            array_find(&writer->describer->arrays, array->beside->name)->is_written = true;
    }
    yaml_out_key(writer->out, "arrays");
    yaml_out_map(writer->out, false);
    for (int i = 0; i < writer->describer->arrays.count; i++)
        if (writer->describer->arrays.items[i]->is_written)
            check_rows(writer->describer, writer->describer->arrays.items[i]);
    for (int i = 0; i < writer->describer->arrays.count; i++)
        if (writer->describer->arrays.items[i]->is_written)
            write_array(writer, writer->describer->arrays.items[i]);
    yaml_out_map_end(writer->out);
}

void read_told_extents(struct describer *describer)
{
    for (int i = 0; i < describer->directives.count; i++) {
        struct directive *directive = &describer->directives.items[i];
        if (directive->word == WORD_ARRAY && !directive->is_used)
            read_told_array(describer, directive);
    }
}
