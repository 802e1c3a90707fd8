// What the bank map says in a sentence.
#include <fmt/format.h>

#include "engine/base/text.hpp"
#include "engine/explain/claims/quantity.hpp"
#include "engine/explain/explain.hpp"
#include "engine/explain/payoff/payoff.hpp"
#include "engine/report/pieces.hpp"
#include "viz/figures/parts/places.hpp"
#include "viz/figures/warp/bank_map.hpp"

namespace warplens::figures {
namespace {

using explain::add, explain::Quantity;

// What is said of the access of the line that loses most; empty where it is no conflict of banks.
explain::Explanation words_of(const run::Run& run, std::size_t block, const study::WorstAccess& worst,
                              const explain::Payoffs* payoffs) {
  const auto facts = explain::facts_at(run, {block, worst.warp, worst.access});
  if (!facts) return {};
  explain::Explanation said = explain::explain(*facts);
  return said.verdict == explain::Verdict::costly ? explain::that_pays(std::move(said), payoffs, &*facts)
                                                  : explain::Explanation{};
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
  const auto of_block = [](std::string words, Quantity quantity, std::uint64_t number) {
    return explain::claim::words(std::move(words), quantity, static_cast<double>(number),
                                 explain::Scope::block);
  };
  const auto take = [&](std::string& part, explain::Said words) {
    part = std::move(words.text);
    add(said.claims, std::move(words.claims));
  };
  take(said.what, explain::say("{} wavefronts in one block, ideal {}",
                               {of_block(grouped(wavefronts), Quantity::wavefronts_of_block, wavefronts),
                                of_block(grouped(ideal), Quantity::least_wavefronts_of_block, ideal)}));
  if (lost(*worst) == 0) {
    said.verdict = explain::Verdict::good;
    take(said.why,
         explain::say("{} wait for one bank", {of_block("no two words", Quantity::lost_of_block, 0)}));
    take(said.fix, explain::say("{}", {of_block("nothing to fix", Quantity::lost_of_block, 0)}));
    return said;
  }
  const auto loses = study::worst_access(run, block, worst->line);
  const explain::Explanation access = loses ? words_of(run, block, *loses, payoffs) : explain::Explanation{};
  said.verdict = 10 * lost(*worst) > wavefronts ? explain::Verdict::costly : explain::Verdict::neutral;
  const std::string line = std::to_string(worst->line);
  take(
      said.why,
      explain::say(
          "{} loses {}",
          {explain::claim::of(
               of_block("line " + line, Quantity::line, static_cast<std::uint64_t>(worst->line)), line),
           explain::claim::of(of_block(grouped(lost(*worst)), Quantity::lost_of_line, lost(*worst)), line)}));
  if (!access.why.empty())
    said.why += (loses->is_as_all ? ": " : "; at the worst of its accesses ") + access.why;
  said.fix = access.fix;
  add(said.claims, access.claims);
  explain::drop_unsaid(said);
  return said;
}

}  // namespace warplens::figures
