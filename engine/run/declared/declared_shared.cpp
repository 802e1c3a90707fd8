#include "engine/run/declared/declared_shared.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/code_text.hpp"
#include "engine/report/shared_arrays.hpp"

namespace warplens::run {
namespace {

constexpr std::string_view kKeyword = "__shared__";

// Elements of arrays, and their alignment, which is the same (CUDA C++ Programming Guide, built-in types).
constexpr std::array<std::pair<std::string_view, std::int64_t>, 10> kTypes = {{{"float", 4},
                                                                               {"int", 4},
                                                                               {"unsigned", 4},
                                                                               {"double", 8},
                                                                               {"float2", 8},
                                                                               {"int2", 8},
                                                                               {"float4", 16},
                                                                               {"int4", 16},
                                                                               {"char", 1},
                                                                               {"short", 2}}};

// The name at the front, which is taken off; empty where there is none.
std::string_view take_name(std::string_view& text) {
  text = trimmed(text);
  const auto end = static_cast<std::size_t>(std::ranges::find_if_not(text, is_of_name) - text.begin());
  const std::string_view name = text.substr(0, end);
  text.remove_prefix(end);
  return name;
}

struct Declared {
  std::int64_t element = 0, alignment = 0;
  std::vector<std::string> arrays = {};
};

// "__align__(16) float A[8], B[9]": empty if it is something else.
std::optional<Declared> read(std::string_view text) {
  Declared declared;
  std::string_view word = take_name(text);
  if (word == "__align__" || word == "alignas") {
    if (!text.starts_with("(16)")) return std::nullopt;
    declared.alignment = 16;
    text.remove_prefix(4);
    word = take_name(text);
  }
  const auto type = std::ranges::find(kTypes, word, &std::pair<std::string_view, std::int64_t>::first);
  if (type == kTypes.end()) return std::nullopt;
  declared.element = type->second;
  declared.alignment = std::max(declared.alignment, type->second);
  while (true) {
    const std::string_view name = take_name(text);
    text = trimmed(text);
    if (name.empty() || !text.starts_with('[')) return std::nullopt;
    declared.arrays.emplace_back(name);
    int depth = 0;
    std::size_t at = 0;
    for (; at < text.size() && (depth > 0 || text[at] != ','); ++at)
      depth += text[at] == '[' || text[at] == '(' ? 1 : text[at] == ']' || text[at] == ')' ? -1 : 0;
    if (at == text.size()) return declared;
    text.remove_prefix(at + 1);
  }
}

std::optional<std::int64_t> bytes_of(const std::string& source, const std::string& array,
                                     std::int64_t element, const catalog::Values& parameters) {
  const auto extents = report::declared_extents(source, array, parameters);
  if (extents.empty()) return std::nullopt;
  std::int64_t bytes = element;
  for (const std::int64_t extent : extents) bytes *= extent;
  return bytes;
}

}  // namespace

std::optional<std::int64_t> declared_shared_bytes(const std::string& source,
                                                  const catalog::Values& parameters) {
  std::int64_t total = 0;
  for (std::size_t at = source.find(kKeyword); at != std::string::npos; at = source.find(kKeyword, at + 1)) {
    const std::size_t line = source.rfind('\n', at) + 1, end = source.find(';', at);
    const std::string_view before = std::string_view(source).substr(line, at - line);
    if (before.find("//") != std::string_view::npos || before.find("extern") != std::string_view::npos)
      continue;
    if (end == std::string::npos || source.find("\n#if") != std::string::npos) return std::nullopt;
    const std::size_t from = at + kKeyword.size();
    const auto declared = read(std::string_view(source).substr(from, end - from));
    if (!declared) return std::nullopt;
    for (const std::string& array : declared->arrays) {
      const auto bytes = bytes_of(source, array, declared->element, parameters);
      if (!bytes) return std::nullopt;
      total = (total + declared->alignment - 1) / declared->alignment * declared->alignment + *bytes;
    }
  }
  return total;
}

}  // namespace warplens::run
