// The words that pictures, numbers and lessons use, each with one plain sentence: the only place that says
// them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::explain {

struct Term {
  std::string_view word;     // as a heading has it: "Sector"
  std::string_view meaning;  // without a full stop
  // How texts write it, in small letters, with commas between: "sector,sectors".
  std::string_view forms;
};
// By the alphabet, with the numbers of a run that texts name by their titles (run::quantities()) among them.
std::span<const Term> glossary();
// The term of this heading. Precondition: there is one.
const Term& term(std::string_view word);

// "Sector: 32 bytes of memory, the least that a load brings".
std::string sentence_of(const Term& term);

// Where a text has terms: each once, at its first place. Whole words, in any case.
struct TermPlace {
  std::size_t at = 0, length = 0;  // bytes of the text
  const Term* term = nullptr;
};
std::vector<TermPlace> terms_in(std::string_view text);

}  // namespace warplens::explain
