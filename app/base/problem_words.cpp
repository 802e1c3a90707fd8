#include "app/base/problem_words.hpp"

#include <fmt/format.h>

#include "engine/catalog/problem_text.hpp"
#include "engine/problem/kind_texts.hpp"

namespace warplens::app {

std::string problem_words(const catalog::KernelSpec& spec) {
  const std::string& kind = spec.own == nullptr ? spec.problem : spec.own->kind;
  if (kind.empty()) return "a problem of its own";
  const problem::KindText* text = problem::find_kind_text(kind);
  return fmt::format("“{}”", text == nullptr ? kind : std::string(text->title));
}

std::string guess_words(const catalog::KernelSpec& spec) {
  const std::string& kind = spec.own == nullptr ? spec.problem : spec.own->kind;
  return kind.empty() ? "Sizes and data are a guess" : fmt::format("A guess: {}", problem_words(spec));
}

}  // namespace warplens::app
