// What the bank map says in a sentence.
#include <fmt/format.h>

#include "engine/base/text.hpp"
#include "engine/explain/explain.hpp"
#include "engine/explain/payoff/payoff.hpp"
#include "engine/report/pieces.hpp"
#include "viz/figures/parts/places.hpp"
#include "viz/figures/warp/bank_map.hpp"

namespace warplens::figures {
namespace {

// What is said of an access of the line that loses wavefronts; nothing where the first ones of the first
// warps lose none.
explain::Explanation words_of_line(const run::Run& run, std::size_t block, int line,
                                   const explain::Payoffs* payoffs) {
  constexpr std::uint32_t most_warps = 4, most_accesses = 256;
  for (std::uint32_t warp = 0; warp < most_warps; ++warp)
    for (std::uint32_t access = 0; access < most_accesses; ++access) {
      const auto facts = explain::facts_at(run, {block, warp, access});
      if (!facts || !facts->pieces.is_shared || facts->pieces.units <= facts->pieces.ideal ||
          (line_of(run, facts->access.pc) != line && facts->line != line))
        continue;
      if (explain::Explanation said = explain::explain(*facts); said.verdict == explain::Verdict::costly)
        return explain::that_pays(std::move(said), payoffs, &*facts);
    }
  return {};
}

}  // namespace

explain::Explanation bank_map_words(const BankMap& map, const run::Run& run, std::size_t block,
                                    const explain::Payoffs* payoffs) {
  std::uint64_t wavefronts = 0, ideal = 0;
  const BankMap::Line* worst = nullptr;
  const auto lost = [](const BankMap::Line& line) {
    return line.wavefronts - line.ideal - line.without_words;
  };
  for (const BankMap::Line& line : map.lines) {
    wavefronts += line.wavefronts, ideal += line.ideal;
    if (worst == nullptr || lost(line) > lost(*worst)) worst = &line;
  }
  explain::Explanation said;
  if (worst == nullptr) return said;
  said.rule = explain::RuleId::of_figure;
  said.what = fmt::format("{} wavefronts in one block, ideal {}", grouped(wavefronts), grouped(ideal));
  if (lost(*worst) == 0) {
    said.verdict = explain::Verdict::good;
    said.why = "no two words wait for one bank", said.fix = "nothing to fix";
    return said;
  }
  const explain::Explanation access = words_of_line(run, block, worst->line, payoffs);
  said.verdict = 10 * lost(*worst) > wavefronts ? explain::Verdict::costly : explain::Verdict::neutral;
  said.why = fmt::format("line {} loses {}{}{}", worst->line, grouped(lost(*worst)),
                         access.why.empty() ? "" : ": ", access.why);
  said.fix = access.fix;
  return said;
}

}  // namespace warplens::figures
