// How long the arrays are that a kernel file declares in shared memory, with the parameters of a run.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/catalog/kernel_spec.hpp"
#include "engine/source/shared.hpp"

namespace warplens::report {

// By the parameters and the constants that are declared before; nothing: not understood. plain: the file as
// source::blanked() leaves it, whose declaration it is.
std::optional<std::vector<std::int64_t>> extents_of(std::string_view plain,
                                                    const source::SharedDeclaration& declaration,
                                                    const source::SharedArrayText& array,
                                                    const catalog::Values& parameters);

}  // namespace warplens::report
