#include "engine/report/shared_arrays.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <optional>

#include "engine/base/code_text.hpp"
#include "engine/catalog/expression.hpp"
#include "engine/emulator/flow/shared_layout.hpp"
#include "engine/emulator/flow/source_name.hpp"
#include "engine/emulator/memory.hpp"
#include "engine/report/declared_extents.hpp"
#include "engine/source/conditionals.hpp"
#include "engine/source/scan.hpp"
#include "engine/source/tokens.hpp"

namespace warplens::report {
namespace {

// Accesses of one instruction that are looked at for the strides between them.
constexpr std::size_t most_looked_at = 512;

using source::find_word, source::kNowhere;

std::optional<std::int64_t> evaluate(std::string_view text, catalog::Scope& scope) {
  const auto expression = catalog::Expression::compile(text, scope);
  if (!expression) return std::nullopt;
  const double value = expression->evaluate();
  if (!std::isfinite(value) || value != std::floor(value) || std::abs(value) > 1e9) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

// "constexpr int ROWS = 8, A_WIDTH = BM + PAD;" for every such constant up to `end`.
void add_constants(std::string_view text, std::size_t end, catalog::Scope& scope) {
  for (std::size_t at = find_word(text, "int"); at < end; at = find_word(text, "int", at + 1)) {
    const std::size_t stop = text.find(';', at);
    if (stop == std::string_view::npos) return;
    for (std::size_t from = at + 3; from < stop;) {
      const std::size_t comma = std::min(text.find(',', from), stop);
      const std::size_t equals = text.find('=', from);
      if (equals > comma) break;
      const std::string name(trimmed(text.substr(from, equals - from)));
      if (name.empty() || name != source::word_at(name, 0)) break;
      const auto value = evaluate(text.substr(equals + 1, comma - equals - 1), scope);
      if (value && scope.find(name) == nullptr) scope.set(name, *value);
      from = comma + 1;
    }
  }
}

// With the parameters and the constants declared before `end`.
void fill(catalog::Scope& scope, std::string_view text, std::size_t end, const catalog::Values& parameters) {
  for (const auto& [name, value] : parameters) scope.set(name, value);
  add_constants(text, end, scope);
}

// These, and what the text defines as a number: "#define BINS 256". One macro may stand for another.
catalog::Values with_macros(std::string_view code, catalog::Values values) {
  source::Macros macros;
  source::taken_branches(code, macros);
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (const auto& [name, body] : macros) {
      if (values.contains(name)) continue;
      catalog::Scope scope;
      for (const auto& [known, value] : values) scope.set(known, value);
      if (const auto value = evaluate(body, scope)) is_new = values.emplace(name, *value).second;
    }
  }
  return values;
}

// Empty if one of them is not understood.
std::optional<std::vector<std::int64_t>> extents_in(const std::vector<std::string_view>& texts,
                                                    catalog::Scope& scope) {
  std::vector<std::int64_t> extents;
  for (const std::string_view text : texts) {
    const auto extent = evaluate(text, scope);
    if (!extent || *extent <= 0) return std::nullopt;
    extents.push_back(*extent);
  }
  return extents;
}

// Types of one word, as the offsets of a pointer count them.
bool is_of_words(std::string_view text) { return source::has_word(text, {"float", "int", "unsigned"}); }

// One statement "TYPE NAME = ...ARRAY..." without its semicolon.
std::optional<SharedAlias> alias_of(std::string_view statement, std::string_view array,
                                    catalog::Scope& scope) {
  const std::size_t equals = statement.find('=');
  if (equals == std::string_view::npos) return std::nullopt;
  SharedAlias alias{std::string(source::word_before(statement, source::before_blanks(statement, equals)))};
  std::string_view value = trimmed(statement.substr(equals + 1));
  constexpr std::string_view cast = "reinterpret_cast<";
  if (value.starts_with(cast)) {
    const std::size_t pointer = value.find("(*)"), close = value.find('>');
    if (pointer == std::string_view::npos || close == std::string_view::npos || pointer > close ||
        !value.ends_with(')') || close + 1 >= value.size() || value[close + 1] != '(' ||
        !is_of_words(value.substr(cast.size(), pointer - cast.size())))
      return std::nullopt;
    const auto extents = extents_in(source::extents_at(value.substr(0, close), pointer + 3), scope);
    if (!extents) return std::nullopt;
    alias.extents = *extents;
    value = trimmed(value.substr(close + 2, value.size() - close - 3));
  } else if (statement.substr(0, equals).find('*') == std::string_view::npos) {
    return std::nullopt;
  }
  if (alias.name.empty() || !value.starts_with(array)) return std::nullopt;
  value = trimmed(value.substr(array.size()));
  if (value.empty()) return alias;
  if (value.front() != '+') return std::nullopt;
  const auto offset = evaluate(value.substr(1), scope);
  if (!offset || *offset < 0) return std::nullopt;
  alias.offset = *offset;
  return alias;
}

// [from, from + bytes) of shared memory.
struct Region {
  std::uint64_t from = 0, bytes = 0;
  bool contains(std::uint64_t address) const { return address >= from && address - from < bytes; }
};

// The stride in words that most pairs of neighbouring lanes take: a column walk moves by the row's length.
// Lanes that read a row side by side step by 1 and do not count.
using Strides = std::map<std::uint64_t, int>;
void count_stride(std::uint64_t a, std::uint64_t b, const Region& region, Strides& strides) {
  if (b <= a || !region.contains(a) || !region.contains(b)) return;
  const std::uint64_t words = (b - a) / 4;
  if (words >= 8 && words <= 512) ++strides[words];
}

Strides lane_strides(const BlockAccesses& accesses, const Region& region) {
  Strides strides;
  const trace::PcIndex index(accesses.trace(), accesses.block());
  for (const std::uint32_t pc : index.pcs()) {
    const auto events = index.events(pc);
    for (std::size_t e = 0; e < std::min(events.size(), most_looked_at); ++e) {
      const trace::Access access = accesses.trace().access(accesses.block(), events[e]);
      if (access.space != ptx::Space::shared) break;
      for (std::size_t lane = 0; lane + 1 < 32; ++lane)
        if ((access.active >> lane & 3u) == 3u)
          count_stride(access.address[lane], access.address[lane + 1], region, strides);
    }
  }
  return strides;
}

// Between the first accesses of consecutive warps, where lanes walk along a row.
Strides warp_strides(const BlockAccesses& accesses, const Region& region) {
  Strides strides;
  const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(accesses.of_warp(0).size(), 64));
  for (std::uint32_t s = 0; s < count; ++s) {
    if (accesses.at(0, s)->space != ptx::Space::shared) continue;
    const auto together = accesses.together(0, s);
    for (std::size_t w = 0; w + 1 < together.size(); ++w)
      count_stride(together[w].address[0], together[w + 1].address[0], region, strides);
  }
  return strides;
}

std::uint64_t touched_end(const BlockAccesses& accesses) {
  std::uint64_t end = 0;
  const trace::PcIndex index(accesses.trace(), accesses.block());
  for (const std::uint32_t pc : index.pcs())
    for (const std::uint32_t event : index.events(pc)) {
      const trace::Access access = accesses.trace().access(accesses.block(), event);
      if (access.space != ptx::Space::shared) break;
      for (std::uint32_t left = access.active; left != 0; left &= left - 1)
        end = std::max<std::uint64_t>(
            end, (access.address[static_cast<std::size_t>(std::countr_zero(left))] & emulator::kOwnOffset) +
                     access.width);
    }
  return end;
}

void find_rows(const KernelText& text, const BlockAccesses& accesses, SharedArray& array) {
  const auto extents = declared_extents(text.source, array.name, text.parameters);
  std::int64_t elements = 1;
  for (const std::int64_t extent : extents) elements *= extent;
  // An element of 4, 8 or 16 bytes must make the size that the PTX has; else the source was misread.
  const auto bytes = static_cast<std::int64_t>(array.bytes);
  const std::int64_t element = elements > 0 && bytes % elements == 0 ? bytes / elements : 0;
  if (extents.size() >= 2 && (element == 4 || element == 8 || element == 16)) {
    array.row_words = extents.back() * element / 4;
    array.rows = SharedArray::Rows::declared;
    return;
  }
  if (extents.size() == 1) return;
  const Region region{array.offset, array.bytes};
  Strides strides = lane_strides(accesses, region);
  if (strides.empty()) strides = warp_strides(accesses, region);
  if (strides.empty()) return;
  const auto best = std::max_element(strides.begin(), strides.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  array.row_words = static_cast<std::int64_t>(best->first);
  array.rows = SharedArray::Rows::seen;
}

// The array, or the parts of it that the source gives names to.
std::vector<SharedArray> named_parts(const KernelText& text, const SharedArray& array) {
  std::vector<SharedArray> parts{array};
  for (const SharedAlias& alias : shared_aliases(text.source, array.name, text.parameters)) {
    const auto start = static_cast<std::uint64_t>(alias.offset) * 4;
    if (start >= array.bytes) break;
    SharedArray part{alias.name, array.offset + start, array.bytes - start};
    if (!alias.extents.empty()) {
      part.row_words = alias.extents.back();
      part.rows = SharedArray::Rows::declared;
    }
    parts.back().bytes = part.offset - parts.back().offset;
    parts.push_back(std::move(part));
  }
  std::erase_if(parts, [](const SharedArray& part) { return part.bytes == 0; });
  return parts;
}

}  // namespace

std::optional<std::vector<std::int64_t>> extents_of(std::string_view plain,
                                                    const source::SharedDeclaration& declaration,
                                                    const source::SharedArrayText& array,
                                                    const catalog::Values& parameters) {
  catalog::Scope scope;
  fill(scope, plain, declaration.at, parameters);
  return extents_in(array.extents, scope);
}

std::vector<std::int64_t> declared_extents(std::string_view code, std::string_view array,
                                           const catalog::Values& parameters) {
  const std::string plain = source::blanked(code);
  for (const source::SharedDeclaration& declaration : source::shared_declarations(plain))
    for (const source::SharedArrayText& one : declaration.arrays)
      if (one.name == array)
        return extents_of(plain, declaration, one, with_macros(code, parameters))
            .value_or(std::vector<std::int64_t>{});
  return {};
}

std::vector<SharedAlias> shared_aliases(std::string_view code, std::string_view array,
                                        const catalog::Values& parameters) {
  const std::string text = source::blanked(code);
  std::vector<SharedAlias> aliases;
  bool is_declared = false;
  for (std::size_t at = find_word(text, array); at != kNowhere; at = find_word(text, array, at + 1)) {
    const std::size_t from = text.find_last_of(";{}", at) + 1, end = text.find(';', at);
    if (end == kNowhere) break;
    const std::string_view statement = std::string_view(text).substr(from, end - from);
    if (source::has_word(statement, {"__shared__"})) {
      is_declared = is_declared || is_of_words(statement);
      continue;
    }
    if (!is_declared) continue;
    catalog::Scope scope;
    fill(scope, text, from, parameters);
    if (auto alias = alias_of(statement, array, scope)) aliases.push_back(std::move(*alias));
  }
  const auto by_offset = [](const SharedAlias& a, const SharedAlias& b) { return a.offset < b.offset; };
  std::stable_sort(aliases.begin(), aliases.end(), by_offset);
  const auto same = [](const SharedAlias& a, const SharedAlias& b) { return a.offset == b.offset; };
  aliases.erase(std::unique(aliases.begin(), aliases.end(), same), aliases.end());
  return aliases;
}

std::vector<SharedArray> shared_arrays(const KernelText& text, const BlockAccesses& accesses) {
  const emulator::SharedLayout layout(text.kernel.program(), text.kernel.function());
  std::vector<SharedArray> arrays;
  for (const auto& variable : layout.shared_variables()) {
    SharedArray array{emulator::source_name(variable.name), variable.offset, variable.size};
    if (variable.size == 0)
      array.bytes = std::max<std::uint64_t>(touched_end(accesses), variable.offset) - variable.offset;
    for (SharedArray& part : named_parts(text, array)) {
      if (part.bytes < 4) continue;
      if (part.rows != SharedArray::Rows::declared) find_rows(text, accesses, part);
      arrays.push_back(std::move(part));
    }
  }
  std::sort(arrays.begin(), arrays.end(),
            [](const SharedArray& a, const SharedArray& b) { return a.offset < b.offset; });
  return arrays;
}

}  // namespace warplens::report
