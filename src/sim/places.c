/* Where nodes stand in the picture, as an author wants it. */
#include <inttypes.h>

#include "sim/scenario.h"

bool sim_scenario_place(struct sim_scenario *sc, uint32_t node, int64_t row, int64_t column,
                        struct err *err)
{
    if (node >= sc->node_count) {
        return err_set(err, ERR_NAME, "a place for a node that does not exist");
    }
    const char *name = sc->nodes[node].name;
    if (row < 1 || row > SIM_ROWS_MAX || column < 1 || column > SIM_COLUMNS_MAX) {
        return err_set(err, ERR_RANGE,
                       "%s stands in row %" PRId64 ", column %" PRId64
                       ": rows go from 1 to %d, columns from 1 to %d",
                       name, row, column, SIM_ROWS_MAX, SIM_COLUMNS_MAX);
    }
    for (size_t i = 0; i < sc->node_count; i++) {
        const struct sim_node_spec *other = &sc->nodes[i];
        if (i != node && other->row == row && other->column == column) {
            return err_set(err, ERR_STATE,
                           "%s and %s stand at the same place: row %" PRId64 ", column %" PRId64,
                           other->name, name, row, column);
        }
    }
    sc->nodes[node].row = (uint32_t)row;
    sc->nodes[node].column = (uint32_t)column;
    return true;
}

bool sim_places_check(const struct sim_scenario *sc, struct err *err)
{
    for (size_t i = 1; i < sc->node_count; i++) {
        const struct sim_node_spec *first = &sc->nodes[0];
        const struct sim_node_spec *node = &sc->nodes[i];
        if ((node->row == 0) != (first->row == 0)) {
            return err_set(err, ERR_STATE,
                           "%s has a place in the picture and %s has none: give all nodes row and "
                           "column, or none",
                           node->row == 0 ? first->name : node->name,
                           node->row == 0 ? node->name : first->name);
        }
    }
    return true;
}
