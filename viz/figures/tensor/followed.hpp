// The element of a matrix that the figures of tensor cores follow, as options and states write it.
#pragma once

#include <optional>
#include <string>

#include "viz/figures/access/pick.hpp"

namespace warplens::figures {

// "A,5,37" (row, column) as a cell; nothing where it names none.
std::optional<CellId> followed_cell(const std::string& element);

}  // namespace warplens::figures
