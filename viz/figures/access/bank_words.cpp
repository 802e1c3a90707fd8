#include "viz/figures/access/bank_words.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "engine/report/pieces.hpp"
#include "viz/figures/access/lane_card.hpp"

namespace warplens::figures {
namespace {

constexpr int kLanes = 32;

// Half-warps that ask for the same word ask for one.
void add_words(const analysis::SharedPieces& pieces, std::vector<int>& words) {
  std::set<std::pair<int, std::uint64_t>> seen;
  for (const auto& wavefront : pieces.wavefronts)
    for (const auto& word : wavefront.words)
      if (seen.emplace(word.bank, word.word).second) ++words[static_cast<std::size_t>(word.bank)];
}

void add_turns(const analysis::SharedPieces& pieces, std::vector<int>& turns) {
  for (int phase = 0; phase < pieces.phases; ++phase) {
    const std::vector<analysis::Bank> banks = analysis::bank_map(pieces, phase);
    for (std::size_t bank = 0; bank < std::min(banks.size(), turns.size()); ++bank)
      turns[bank] = std::max(turns[bank], static_cast<int>(banks[bank].words.size()));
  }
}

}  // namespace

int BankWords::most() const { return words.empty() ? 0 : *std::ranges::max_element(words); }

BankWords words_by_bank(const run::Run& run, const trace::Access& access) {
  BankWords asked{std::vector<int>(static_cast<std::size_t>(run.device().shared_banks), 0)};
  if (access.space != ptx::Space::shared) return asked;
  const int banks = run.device().shared_banks;
  const auto pieces = report::access_pieces(access, run.kernel->function().code[access.pc], run.device());
  asked.elsewhere = pieces.elsewhere != 0 && pieces.elsewhere == access.active;
  asked.by_halves = banks < kLanes;
  asked.by_halves ? add_turns(pieces.shared, asked.words) : add_words(pieces.shared, asked.words);
  // Where all banks that are asked had as many. A copy that arrives is no access of the lanes: nobody waits.
  int all = 0;
  for (const int words : asked.words) all += words;
  if (!is_arrival(access) && pieces.units > pieces.ideal)
    asked.even = asked.by_halves ? 1 : (all + banks - 1) / banks;
  return asked;
}

}  // namespace warplens::figures
