#include "engine/source/shared.hpp"

#include <algorithm>
#include <charconv>

#include "engine/base/code_text.hpp"
#include "engine/source/scan.hpp"

namespace warplens::source {
namespace {

constexpr std::string_view kKeyword = "__shared__";

std::optional<int> whole(std::string_view text) {
  int value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

// Takes an alignment off that begins at `at`.
void take_alignment(std::string_view& text, std::size_t at, SharedDeclaration& declaration) {
  const std::size_t open = text.find('(', at), behind = behind_bracket(text, open);
  declaration.alignment =
      behind == kNowhere ? std::nullopt : whole(trimmed(text.substr(open + 1, behind - open - 2)));
  text = at == 0 ? text.substr(std::min(behind, text.size())) : trimmed(text.substr(0, at));
}

bool is_alignment(std::string_view word) { return word == "__align__" || word == "alignas"; }

// Takes what is before the type off: an alignment, and words that say nothing of it.
void take_specifiers(std::string_view& text, SharedDeclaration& declaration) {
  for (text = trimmed(text);; text = trimmed(text)) {
    const std::string_view word = word_at(text, 0);
    if (is_alignment(word)) {
      take_alignment(text, 0, declaration);
    } else if (word == "volatile" || word == "const" || word == "static" || word == "extern") {
      declaration.is_extern = declaration.is_extern || word == "extern";
      text.remove_prefix(word.size());
    } else {
      return;
    }
  }
}

// "float A[8]" or "A[8]": up to the name, and its extents.
SharedArrayText take_array(std::string_view& text) {
  SharedArrayText array;
  const std::size_t open = std::min(text.find_first_of("[={"), text.size()), end = before_blanks(text, open);
  array.name = word_before(text, end);
  array.extents = extents_at(text, open);
  text = trimmed(text.substr(0, end - array.name.size()));
  return array;
}

SharedDeclaration declaration_of(std::string_view before, std::string_view behind) {
  SharedDeclaration declaration;
  declaration.is_extern = has_word(before, {"extern"});
  take_specifiers(before, declaration);
  take_specifiers(behind, declaration);
  for (std::string_view part : parts_of(behind)) {
    declaration.arrays.push_back(take_array(part));
    if (declaration.arrays.size() > 1) continue;
    for (const std::string_view word : {"__align__", "alignas"})  // "int __align__(8) A[4]"
      if (const std::size_t at = find_word(part, word); at != kNowhere) take_alignment(part, at, declaration);
    declaration.type = part;
  }
  return declaration;
}

}  // namespace

std::vector<std::string_view> extents_at(std::string_view plain, std::size_t at) {
  std::vector<std::string_view> extents;
  for (at = behind_blanks(plain, at); at < plain.size() && plain[at] == '[';) {
    const std::size_t behind = behind_bracket(plain, at);
    if (behind == kNowhere) break;
    extents.push_back(trimmed(plain.substr(at + 1, behind - at - 2)));
    at = behind_blanks(plain, behind);
  }
  return extents;
}

std::vector<SharedDeclaration> shared_declarations(std::string_view plain) {
  std::vector<SharedDeclaration> declarations;
  for (std::size_t at = find_word(plain, kKeyword); at != kNowhere; at = find_word(plain, kKeyword, at + 1)) {
    const std::size_t end = plain.find(';', at), behind = at + kKeyword.size();
    if (end == kNowhere) break;
    const std::size_t begin = at == 0 ? 0 : plain.find_last_of(";{}", at - 1) + 1;
    SharedDeclaration one =
        declaration_of(plain.substr(begin, at - begin), plain.substr(behind, end - behind));
    one.at = at;
    if (!one.arrays.empty()) declarations.push_back(std::move(one));
  }
  return declarations;
}

}  // namespace warplens::source
