#include "engine/explain/claims/quantity.hpp"

#include <algorithm>

namespace warplens::explain {
namespace {

constexpr std::array kQuantities = {
    QuantityRow{Quantity::none, "none", ""},
    QuantityRow{Quantity::sectors, "sectors", "sector"},
    QuantityRow{Quantity::least_sectors, "least sectors", "sector"},
    QuantityRow{Quantity::wavefronts, "wavefronts", "wavefront"},
    QuantityRow{Quantity::least_wavefronts, "least wavefronts", "wavefront"},
    QuantityRow{Quantity::times_the_least, "times the least", ""},
    QuantityRow{Quantity::lanes, "lanes", "lane"},
    QuantityRow{Quantity::warp_lanes, "warp lanes", "lane"},
    QuantityRow{Quantity::bytes_asked, "bytes asked", "byte"},
    QuantityRow{Quantity::bytes_moved, "bytes moved", "byte"},
    QuantityRow{Quantity::share_used, "share used", ""},
    QuantityRow{Quantity::lane_bytes, "lane bytes", "byte"},
    QuantityRow{Quantity::lane_elements, "lane elements", "element"},
    QuantityRow{Quantity::distinct_elements, "distinct elements", ""},
    QuantityRow{Quantity::distance_bytes, "distance bytes", "byte"},
    QuantityRow{Quantity::distance_elements, "distance elements", "element"},
    QuantityRow{Quantity::row_of_lanes, "row of lanes", "lane"},
    QuantityRow{Quantity::places, "places", "place"},
    QuantityRow{Quantity::start_in_sector, "start in sector", "byte"},
    QuantityRow{Quantity::start_in_segment, "start in segment", "byte"},
    QuantityRow{Quantity::words_of_a_bank, "words of a bank", ""},
    QuantityRow{Quantity::row_words, "row words", "word"},
    QuantityRow{Quantity::wasted, "wasted", ""},
    QuantityRow{Quantity::times_the_least_of_line, "times the least of line", ""},
    QuantityRow{Quantity::idle_lanes, "idle lanes", "lane"},
    QuantityRow{Quantity::warps_at_work, "warps at work", "warp"},
    QuantityRow{Quantity::warps_done, "warps done", "warp"},
    QuantityRow{Quantity::block_warps, "block warps", "warp"},
    QuantityRow{Quantity::threads_at_work, "threads at work", "thread"},
    QuantityRow{Quantity::turns, "turns", ""},
    QuantityRow{Quantity::turn_elements, "turn elements", "element"},
    QuantityRow{Quantity::elements_apart, "elements apart", ""},
    QuantityRow{Quantity::grids_apart, "grids apart", ""},
    QuantityRow{Quantity::shuffle_rounds, "shuffle rounds", "round"},
    QuantityRow{Quantity::loads_of_a_turn, "loads of a turn", "load"},
    QuantityRow{Quantity::tile_elements, "tile elements", "element"},
    QuantityRow{Quantity::tile_rows, "tile rows", ""},
    QuantityRow{Quantity::tile_columns, "tile columns", ""},
    QuantityRow{Quantity::parts_of_structure, "parts of structure", ""},
    QuantityRow{Quantity::sectors_in_order, "sectors in order", "sector"},
    QuantityRow{Quantity::tiles_ahead, "tiles ahead", "tile"},
    QuantityRow{Quantity::reads_a_word, "reads a word", ""},
    QuantityRow{Quantity::multiply_adds_an_element, "multiply adds an element", "multiply-add"},
    QuantityRow{Quantity::spilled_bytes, "spilled bytes", "byte"},
    QuantityRow{Quantity::registers, "registers", "register"},
    QuantityRow{Quantity::sectors_over_least, "sectors over least", ""},
    QuantityRow{Quantity::wavefronts_over_least, "wavefronts over least", ""},
    QuantityRow{Quantity::diverged_branches, "diverged branches", "branch"},
    QuantityRow{Quantity::branches, "branches", ""},
    QuantityRow{Quantity::mean_lanes, "mean lanes", "lane"},
    QuantityRow{Quantity::line, "line", ""},
    QuantityRow{Quantity::blocks, "blocks", "block"},
    QuantityRow{Quantity::sms, "sms", "SM"},
    QuantityRow{Quantity::idle_sms, "idle sms", "SM"},
    QuantityRow{Quantity::reads_an_element, "reads an element", ""},
    QuantityRow{Quantity::wavefronts_a_multiply_add, "wavefronts a multiply add", ""},
    QuantityRow{Quantity::instructions, "instructions", "instruction"},
    QuantityRow{Quantity::share_of_line, "share of line", ""},
    QuantityRow{Quantity::share_of_work, "share of work", ""},
    QuantityRow{Quantity::share_of_unit, "share of unit", ""},
    QuantityRow{Quantity::operations, "operations", ""},
    QuantityRow{Quantity::instructions_each, "instructions each", "instruction"},
    QuantityRow{Quantity::units_a_cycle, "units a cycle", ""},
    QuantityRow{Quantity::warps_an_sm, "warps an sm", "warp"},
    QuantityRow{Quantity::error_in_ulp, "error in ulp", ""}};
static_assert(kQuantities.size() == static_cast<std::size_t>(Quantity::count));
static_assert(std::ranges::is_sorted(kQuantities, {}, &QuantityRow::quantity));

}  // namespace

const QuantityRow& row_of(Quantity quantity) { return kQuantities[static_cast<std::size_t>(quantity)]; }

}  // namespace warplens::explain
