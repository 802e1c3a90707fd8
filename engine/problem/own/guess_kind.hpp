// Whether a kernel is of a kind, by its name, what it does with its parameters, and how.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/catalog/problem_text.hpp"
#include "engine/problem/body/kind_signs.hpp"
#include "engine/problem/own/binding.hpp"
#include "engine/problem/own/guess_buffers.hpp"
#include "engine/problem/own/guess_words.hpp"

namespace warplens::problem {

class GuessedKind : protected GuessedBuffers {
 protected:
  GuessedKind(std::string_view code, const source::KernelSignature& kernel, std::string_view body);

  // What a word in its name means, where the body does not say otherwise; empty: nothing. name: in small letters.
  std::string kind_of(const Hint& hint, std::string_view name) const;
  // Three matrices and their sizes, or vectors and one size: what a kernel takes says so much.
  bool is_alike(std::string_view kind) const;
  // Whether what is read and written is what the kind reads and writes.
  bool fits_use(const catalog::ProblemText& text, const Binding& binding) const;
  // Whether its arrays have another number of elements than the kind's: a matrix where that has a vector, one result
  // a block where that has one.
  bool has_other_extents(const Guess& guess, const catalog::ProblemText& text, const Binding& binding) const;
  // "in" and "out" mean what they say, also where a kernel mixes them up.
  bool names_are_clear() const;
  // Names that lead to the wrong buffers are no names: what is only read is an input, one after the other.
  bool bind_by_use(const catalog::ProblemText& text, Binding& binding) const;
  static std::vector<std::string> names_of(const catalog::ProblemText& text, const Binding& binding);

 private:
  bool is_of_extremes() const;
  bool is_exclusive_scan(std::string_view name) const;

  KindSigns signs_;
};

}  // namespace warplens::problem
