// Structs of a file, as far as their members are numbers, arrays of them, pointers and other such structs.
#include <algorithm>

#include "engine/base/code_text.hpp"
#include "engine/problem/own/host_code.hpp"
#include "engine/source/types.hpp"

namespace warplens::problem {
namespace {

constexpr int kDeepestStruct = 6;

std::int64_t rounded_up(std::int64_t value, std::int64_t to) { return (value + to - 1) / to * to; }

// The names that a definition of a struct ends with: "} Item, *Items;".
bool declares(std::string_view plain, std::size_t behind, std::string_view name) {
  const std::size_t end = plain.find(';', behind);
  return end != std::string_view::npos &&
         find_word(plain.substr(behind, end - behind), name) != std::string_view::npos;
}

std::string_view without(std::string_view text, std::string_view word) {
  text = trimmed(text);
  return source::is_word_at(text, 0, word) ? trimmed(text.substr(word.size())) : text;
}

// Up to the name of a declarator; the name alone is cut off.
std::string_view type_before_name(std::string_view text) {
  text = trimmed(text.substr(0, text.find('[')));
  return trimmed(text.substr(0, text.size() - source::word_before(text, text.size()).size()));
}

}  // namespace

// What stands between the braces of its definition; empty: there is none that is understood.
std::string_view HostCode::members_of_struct(std::string_view name) const {
  const std::string_view plain = plain_;
  for (std::size_t at = find_word(plain, "struct"); at != std::string_view::npos;
       at = find_word(plain, "struct", at + 1)) {
    if ((read_ += 64) > kMostRead) return {};
    const std::size_t open = plain.find_first_of("{;=", at);
    if (open == std::string_view::npos || plain[open] != '{') continue;
    const std::string_view head = plain.substr(at + 6, open - at - 6);
    const std::size_t close = closing(plain, open);
    if (close == std::string_view::npos || head.find(':') != std::string_view::npos) continue;
    const std::size_t start = plain.find_last_of(";{}", at);
    const std::string_view before =
        plain.substr(start == std::string_view::npos ? 0 : start + 1, at - (start + 1));
    const bool is_alias = find_word(before, "typedef") != std::string_view::npos;
    if (find_word(before, "template") != std::string_view::npos) continue;
    if (find_word(head, name) != std::string_view::npos || (is_alias && declares(plain, close + 1, name)))
      return plain.substr(open + 1, close - open - 1);
  }
  return {};
}

std::optional<HostCode::Member> HostCode::member_type(std::string_view type, int depth) const {
  for (const std::string_view word : {"const", "volatile", "struct"}) type = without(type, word);
  if (type.find('*') != std::string_view::npos) return Member{8, 8, "uint64", 8};
  for (int times = 0; times < 4; ++times) {
    const auto macro = macros_.find(type);
    if (macro == macros_.end()) break;
    type = trimmed(macro->second);
  }
  if (const auto known = source::read_type(type)) {
    return Member{known->bytes(), known->alignment(), known->base, known->bytes()};
  }
  const std::string_view members = members_of_struct(type);
  const auto own = members.empty() ? std::nullopt : laid_out(members, depth + 1);
  if (!own) return std::nullopt;
  return Member{own->bytes, own->alignment, own->element, own->used};
}

// "float x, y[3]" behind what is there already; false: not understood.
bool HostCode::add_members(std::string_view statement, int depth, HostStruct& laid) const {
  statement = trimmed(statement);
  if (statement.empty() || statement.find('(') != std::string_view::npos) return true;  // a function
  for (const std::string_view word : {"static", "using", "typedef", "friend"})
    if (find_word(statement, word) == 0) return true;
  for (const std::string_view label : {"public", "private", "protected"})
    if (find_word(statement, label) == 0) statement = trimmed(statement.substr(statement.find(':') + 1));
  if (statement.find(':') != std::string_view::npos && statement.find("::") == std::string_view::npos)
    return false;  // bits
  const auto parts = parts_of(statement);
  const std::string_view first = parts[0].substr(0, parts[0].find('='));
  const auto type = member_type(type_before_name(first), depth);
  if (!type) return false;
  for (const std::string_view part : parts) {
    const bool is_pointer = part.find('*') != std::string_view::npos;
    const Member member = is_pointer ? Member{8, 8, "uint64", 8} : *type;
    std::int64_t count = 1;
    for (std::size_t open = part.find('['); open != std::string_view::npos; open = part.find('[', open + 1)) {
      const auto edge = value(part.substr(open + 1, part.find(']', open) - open - 1));
      if (!edge || *edge < 1 || *edge > 1 << 20) return false;
      count *= *edge;
    }
    laid.bytes = rounded_up(laid.bytes, member.alignment) + count * member.bytes;
    laid.used += count * member.used;
    laid.alignment = std::max(laid.alignment, member.alignment);
    if (laid.element.empty()) laid.element = member.element;
    if (laid.element != member.element) laid.element = "mixed";
  }
  return true;
}

std::optional<HostStruct> HostCode::laid_out(std::string_view members, int depth) const {
  if (depth > kDeepestStruct || (read_ += members.size()) > kMostRead) return std::nullopt;
  HostStruct laid;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < members.size(); ++at) {
    if (members[at] == '{') {  // the body of a function, or an initializer
      const std::size_t close = closing(members, at);
      if (close == std::string_view::npos) return std::nullopt;
      const std::string_view before = members.substr(begin, at - begin);
      if (before.find('(') == std::string_view::npos && before.find('=') == std::string_view::npos)
        return std::nullopt;  // a union, or a type of its own
      at = close;
      if (before.find('(') != std::string_view::npos) begin = close + 1;
    } else if (members[at] == ';') {
      if (!add_members(members.substr(begin, at - begin), depth, laid)) return std::nullopt;
      begin = at + 1;
    }
  }
  if (laid.bytes == 0) return std::nullopt;
  laid.bytes = rounded_up(laid.bytes, laid.alignment);
  const bool is_of_reals = laid.element == "float" || laid.element == "double";
  if (!is_of_reals) laid.element = laid.bytes % 4 == 0 ? "uint32" : "uint8";
  return laid;
}

namespace {
// Those of CUDA's own that arrays are made of: curand_kernel.h.
std::optional<HostStruct> struct_of_cuda(std::string_view name) {
  if (name.ends_with("_t")) name.remove_suffix(2);
  if (name == "curandState" || name == "curandStateXORWOW" || name == "curandStateMRG32k3a")
    return HostStruct{48, 8, "uint32", 48};
  if (name == "curandStatePhilox4_32_10") return HostStruct{64, 16, "uint32", 64};
  return std::nullopt;
}
}  // namespace

std::optional<HostStruct> HostCode::struct_of(std::string_view name) const {
  if (const auto known = struct_of_cuda(name)) return known;
  const std::string_view members = members_of_struct(name);
  return members.empty() ? std::nullopt : laid_out(members, 0);
}

}  // namespace warplens::problem
