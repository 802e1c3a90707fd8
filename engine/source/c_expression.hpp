// Constant expressions as C++ writes them, as far as host code and #if need them: numbers, names, casts,
// sizeof, calls, the usual operators. catalog::Expression is the language of front matters; this is not.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace warplens::source {

struct CNumber {
  double value = 0;
  bool is_whole = true;  // division of whole numbers cuts
};

struct CNames {
  // Nothing: the name has no value that is known. "sizeof Real" asks for that of a type that is none of CUDA's, "a[1]"
  // that of an element.
  std::function<std::optional<CNumber>(std::string_view name)> value;
  // Of a function or macro with arguments; empty: none is known.
  std::function<std::optional<CNumber>(std::string_view name, const std::vector<CNumber>&)> call = {};
};

// Nothing where the text is no such expression or has a name without a value. In a choice (a ? b : c) whose
// condition has no value, the last counts: "argc > 1 ? atoi(argv[1]) : 1024" is 1024.
std::optional<CNumber> evaluate_c(std::string_view text, const CNames& names);

}  // namespace warplens::source
