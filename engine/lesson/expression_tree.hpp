// An expression as it was parsed. Only evaluator.cpp and expression_parser.cpp see it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/result.hpp"

namespace warplens::lesson {

using SharedNode = std::shared_ptr<const Node>;

struct Node {
  enum class Kind {
    number,
    text,
    name,      // verified, TILE
    call,      // sectors(access), min(1, 2)
    negate,    // -a
    negation,  // not a
    binary,    // + - * / % ^ == != < <= > >= and or
    choose,    // a ? b : c
  };
  Kind kind = Kind::number;
  double number = 0;
  std::string text = {};  // of a text, a name or an operator
  std::vector<SharedNode> parts = {};
  std::vector<std::pair<std::string, SharedNode>> named = {};  // TILE = 16
  SharedNode of = {};              // what a name or call stands behind with a dot: run(...)
  std::size_t begin = 0, end = 0;  // in the text
};

// What stands behind a dot, or by itself.
enum class Side { own, run, recorded, predicted, transfers };
// What opens one: run(...), recorded(...); nothing of other calls.
std::optional<Side> side_of(std::string_view call);

// Whether a name or a function is known, with so many arguments. error: why not.
Status check_name(Side side, std::string_view name);
Status check_call(Side side, const Node& call);

Result<SharedNode> parse_expression(std::string_view text);

}  // namespace warplens::lesson
