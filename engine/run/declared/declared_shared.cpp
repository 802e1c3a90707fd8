#include "engine/run/declared/declared_shared.hpp"

#include <algorithm>

#include "engine/report/declared_extents.hpp"
#include "engine/source/scan.hpp"
#include "engine/source/tokens.hpp"
#include "engine/source/types.hpp"

namespace warplens::run {
namespace {

// Whether it may depend on the preprocessor what is declared.
bool is_open(const std::string& code, bool has_arrays) {
  const auto directives = source::directives_of(code);
  return std::ranges::any_of(directives, [&](const source::Directive& directive) {
    return (has_arrays && directive.word.starts_with("if")) ||
           source::has_word(directive.rest, {"__shared__"});
  });
}

}  // namespace

std::optional<std::int64_t> declared_shared_bytes(const std::string& code,
                                                  const catalog::Values& parameters) {
  const std::string plain = source::blanked(code);
  const auto declarations = source::shared_declarations(plain);
  const bool has_arrays = std::ranges::any_of(declarations, [](const auto& one) { return !one.is_extern; });
  if (is_open(code, has_arrays)) return std::nullopt;
  std::int64_t total = 0;
  for (const source::SharedDeclaration& declaration : declarations) {
    if (declaration.is_extern) continue;
    const auto type = source::read_type(declaration.type);
    if (!type || !declaration.alignment) return std::nullopt;
    const std::int64_t alignment = std::max(type->alignment(), *declaration.alignment);
    for (const source::SharedArrayText& array : declaration.arrays) {
      const auto extents = report::extents_of(plain, declaration, array, parameters);
      if (!extents) return std::nullopt;
      std::int64_t bytes = type->bytes();
      for (const std::int64_t extent : *extents) bytes *= extent;
      total = (total + alignment - 1) / alignment * alignment + bytes;
    }
  }
  return total;
}

}  // namespace warplens::run
