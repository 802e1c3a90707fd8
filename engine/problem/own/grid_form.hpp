// How the number of blocks that host code launches follows from a size: found by what it would be for others.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace warplens::problem {

// What a text of the host comes to where the name that it depends on had this value; nothing: nobody knows.
using Trial = std::function<std::optional<std::int64_t>(std::int64_t)>;

// `blocks` as an expression of `name`, whose values are those of `size`: "ceil_div(N, 256)", and
// "floor_div(N, 256)" where the rest is left out. Nothing: it is neither for all that is tried.
std::optional<std::string> grid_form(const std::string& name, const Trial& size, const Trial& blocks);

}  // namespace warplens::problem
