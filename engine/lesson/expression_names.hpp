// What the names of an expression stand for, and whether they are known. Only evaluator.cpp and
// expression_names.cpp see it.
#pragma once

#include <optional>
#include <string_view>

#include "engine/base/result.hpp"
#include "engine/expression/tree.hpp"

namespace warplens::lesson {

using expression::Node;
using expression::Op;

// What stands behind a dot, or by itself.
enum class Side { own, run, recorded, predicted, transfers };
// What opens one: run(...), recorded(...); nothing of other calls.
std::optional<Side> side_of(std::string_view call);

// Whether a name or a function is known, with so many arguments. error: why not.
Status check_name(Side side, std::string_view name);
Status check_call(Side side, const Node& call);

// Whether all of an expression's are. error: with its column.
Status check_names(const Node& root);

}  // namespace warplens::lesson
