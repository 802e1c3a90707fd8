// Integer expressions over the lane number, as `warplens access --index "32*lane"` takes them.
//
// C's integer operators with C's precedence, on 64-bit signed integers: ?: || && | ^ & == != < <= > >= << >>
// + - * / % and unary + - ~ !. Operands: decimal and 0x numbers, `lane` (0 to 31), `warp`, parentheses.
// engine/expression/dialects.hpp has the table of operators.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "engine/analysis/access.hpp"
#include "engine/base/result.hpp"

namespace warplens::analysis {

struct NamedIndex {
  std::string_view name;
  std::int64_t value = 0;
};
struct IndexVariables {
  std::int64_t lane = 0;
  std::int64_t warp = 0;
  std::span<const NamedIndex> more = {};  // names of the caller's own, such as a slider's
};

// Errors name the position in the text (place.column, from 1): syntax, an unknown name, a division by zero, a
// shift by less than 0 or more than 63, a result beyond 64 bits. `name` is what the text is called
// ("--index").
Result<std::int64_t> evaluate_index(std::string_view text, const IndexVariables& variables,
                                    std::string_view name = "--index");

// The access in which each active lane touches element `text` of an array of `width`-byte elements: its byte
// offset is index * width. Errors: as above, a negative index, a width that is not 1, 2, 4, 8 or 16.
// variables.lane does not matter.
Result<WarpAccess> access_at_index(std::string_view text, AccessOp op, int width,
                                   std::uint32_t active = 0xffffffffu, IndexVariables variables = {},
                                   std::string_view name = "--index");

}  // namespace warplens::analysis
