#include "engine/problem/kind_texts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace warplens::problem {
namespace {

struct Text {
  std::string_view name, text;
};
// assets/problems. Loops over tiles make several turns at the sizes that open first, so that a barrier that is
// missing at their end is found.
constexpr Text kTexts[] = {
#include "problems.inc"
};

// What is between two marks; empty: they are not there.
std::string_view between(std::string_view text, std::string_view first, std::string_view last) {
  const std::size_t begin = text.find(first);
  if (begin == std::string_view::npos) return {};
  text.remove_prefix(begin + first.size());
  return text.substr(0, text.find(last));
}

KindText kind_of(const Text& file) {
  const std::string_view text = file.text, head = text.substr(0, text.find("\n[launch]\n") + 1);
  KindText kind{.name = file.name};
  kind.title = between(text, "\ntitle = \"", "\"\n");
  kind.what = between(text, "\nwhat = \"", "\"\n");
  kind.multiply_adds = !between(head, "\nmultiply_adds = true", "[").empty();
  kind.own_check = between(head, "\n[own_check]\n", "\n[");
  kind.problem = head.substr(head.find("\n[problem]\n") + std::string_view("\n[problem]").size());
  kind.launch = text.substr(head.size(), text.find("---*/\n") - head.size());
  kind.code = text.substr(text.find("---*/\n") + std::string_view("---*/\n").size());
  return kind;
}

}  // namespace

std::span<const KindText> kind_texts() {
  static const std::vector<KindText> kKinds = [] {
    std::vector<KindText> kinds;
    for (const Text& file : kTexts) kinds.push_back(kind_of(file));
    return kinds;
  }();
  return kKinds;
}

const KindText* find_kind_text(std::string_view name) {
  const auto kinds = kind_texts();
  const auto found = std::ranges::find(kinds, name, &KindText::name);
  return found == kinds.end() ? nullptr : &*found;
}

std::string kernel_file_of(const KindText& kind) {
  if (!kind.own_check.empty())
    return fmt::format("/*---\ntitle = \"{}\"\nidea  = \"{}.\"\n[problem]\nkind  = \"{}\"\n{}\n{}---*/\n{}",
                       kind.title, kind.what, kind.name, kind.own_check, kind.launch, kind.code);
  return fmt::format("/*---\ntitle   = \"{}\"\nproblem = \"{}\"\nidea    = \"{}.\"\n{}---*/\n{}", kind.title,
                     kind.name, kind.what, kind.launch, kind.code);
}

}  // namespace warplens::problem
