// What would be gained without something: the run predicted once more, with what is taken away counted here.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "engine/claims_check/found.hpp"
#include "engine/time/why/without.hpp"

namespace warplens::claims_check {
namespace {

using explain::Quantity;
using time::AnchorKey;

// An instruction that accesses memory, with what it asks for in all.
struct Site {
  AnchorKey at;
  bool is_shared = false;
  double units = 0, wasted = 0, requests = 0;
};
using Sites = std::map<std::uint32_t, Site>;  // by pc

// Those whose words another instruction carries have none of their own.
Sites sites_of(const run::Run& run) {
  const ptx::Function& function = run.kernel->function();
  Sites sites;
  for (std::uint32_t pc = 0; pc < function.code.size(); ++pc) {
    const auto& counted = run.emulation.outcome.counters.instructions[pc];
    const time::Anchor anchor = time::anchor_of(function.code[pc]);
    const bool is_shared = counted.space == ptx::Space::shared;
    if (counted.requests == 0 || anchor == time::Anchor::none ||
        (!is_shared && counted.space != ptx::Space::global))
      continue;
    Site site{{time::line_of(function, function.code[pc]), anchor}, is_shared};
    site.units = static_cast<double>(is_shared ? counted.wavefronts : counted.sectors);
    site.wasted = std::max(
        0.0, site.units - static_cast<double>(is_shared ? counted.ideal_wavefronts : counted.ideal_sectors));
    site.requests = static_cast<double>(counted.requests);
    sites.emplace(pc, site);
  }
  return sites;
}
bool is_like(const Site& one, const Site& other) {
  const auto same = [&](double Site::*amount) {
    return std::abs(one.*amount / one.requests - other.*amount / other.requests) < 1e-3;
  };
  return one.at == other.at && same(&Site::units) && same(&Site::wasted);
}

class Without {
 public:
  explicit Without(const Subject& s) : s_(s), sites_(sites_of(s.run)) {
    for (const auto& [pc, site] : sites_)
      all_[site.at].first += site.units, all_[site.at].second += site.requests;
  }

  std::optional<double> gain(std::optional<double> seconds) const {
    return seconds ? std::optional(1 - *seconds / short_().prediction.seconds) : std::nullopt;
  }
  std::optional<double> of_space(bool is_shared) const {
    return without_waste([&](const Site& site) { return site.is_shared == is_shared; });
  }
  // Mended before all others of its kind, and after them: the mean.
  std::optional<double> of_access() const {
    const Site* own = own_site();
    if (own == nullptr) return std::nullopt;
    const auto of_kind = [&](const Site& site) { return site.is_shared == own->is_shared; };
    const auto first = without_waste([&](const Site&site) { return is_like(site, *own); }),
               others = without_waste([&](const Site&site) { return of_kind(site) && !is_like(site, *own); }),
               both = without_waste(of_kind);
    return (first.value_or(0) + both.value_or(0) - others.value_or(0)) / 2;
  }
  std::optional<double> share_of_access() const {
    const Site* own = own_site();
    if (own == nullptr) return std::nullopt;
    double units = 0, requests = 0;
    for (const auto& [pc, site] : sites_)
      if (is_like(site, *own)) units += site.units, requests += site.requests;
    const auto& [all_units, all_requests] = all_.at(own->at);
    const time::Left left{own->at, 1 - units / all_units, 1 - requests / all_requests};
    const auto share = gain_with({left});
    // A model that is slower without an access does not know what the access costs: that is not nothing.
    return share.value_or(0) < -0.02 ? std::optional(-*share) : share;
  }
  const time::Modelled& short_() const { return *s_.beside->of_run_in_short; }

 private:
  const Site* own_site() const {
    const auto access = access_of(s_);
    const auto found = access ? sites_.find(access->pc) : sites_.end();
    return found == sites_.end() ? nullptr : &found->second;
  }
  std::optional<double> without_waste(const std::function<bool(const Site&)>& goes) const {
    std::map<AnchorKey, double> cost;
    for (const auto& [pc, site] : sites_)
      if (goes(site) && all_.at(site.at).first > 0)
        cost.try_emplace(site.at, 1.0).first->second -= site.wasted / all_.at(site.at).first;
    std::vector<time::Left> left;
    for (const auto& [at, share] : cost)
      if (share != 1) left.push_back({at, share});
    return gain_with(left);
  }
  std::optional<double> gain_with(const std::vector<time::Left>& left) const {
    if (left.empty()) return std::nullopt;
    std::string key = "without";
    for (const time::Left& each : left)
      key += fmt::format(" {} {} {} {}", each.at.first, static_cast<int>(each.at.second), each.cost,
                         each.accesses);
    return once(s_, key, [&] { return gain(time::seconds_with(short_(), left, least_of_grid())); });
  }

  // Sectors without which the whole grid cannot do: its arrays, or the parts of them that lanes want.
  double least_of_grid() const {
    const run::Emulation& ran = s_.run.emulation;
    double wanted = 0;
    bool by_tma = false;
    for (const auto& row : s_.run.instructions) {
      by_tma |= row.text.find("cp.async.bulk") != std::string::npos;
      if (row.counters.space == ptx::Space::global) wanted += static_cast<double>(row.counters.bytes_used);
    }
    wanted /= ran.counted_share();
    const double arrays = s_.run.job->instance->least_bytes();
    return (by_tma ? arrays : std::min(arrays, wanted)) / 32;
  }

  const Subject& s_;
  Sites sites_;
  std::map<AnchorKey, std::pair<double, double>> all_;  // units and requests
};

// A line of the kernel's own text, by the line that the machine code has for it.
std::optional<double> without_line(const Subject& s, const Without& without) {
  const ptx::Function& function = s.run.kernel->function();
  for (std::uint32_t pc = 0; pc < function.code.size(); ++pc)
    if (s.run.kernel_lines[pc] == s.place.line)
      return without.gain(
          time::seconds_without_line(without.short_(), time::line_of(function, function.code[pc])));
  return std::nullopt;
}
double lanes_at_work(const run::Run& run) {
  const auto& all = run.report.counts;
  return static_cast<double>(all.thread_instructions) / (32.0 * static_cast<double>(all.warp_instructions));
}
// Of which something is said: of itself, or of an access in it.
int line_of(const Subject& s) {
  if (s.place.line > 0) return s.place.line;
  const auto access = access_of(s);
  return access ? s.run.kernel_lines[access->pc] : 0;
}
// Where all lanes of the warps that come to the line would be at work there.
double instructions_with_full_line(const run::Run& run, int line) {
  double left = static_cast<double>(run.report.counts.warp_instructions);
  const double all = left;
  for (std::size_t pc = 0; pc < run.instructions.size(); ++pc) {
    const auto& row = run.instructions[pc].counters;
    if (run.instructions[pc].line == line || run.kernel_lines[pc] == line)
      left -= static_cast<double>(32 * row.executed - row.lanes) / 32;
  }
  return left / all;
}
// Predicted with other values of its parameters, as another kernel of the list.
std::optional<double> of_variant(const Subject& s, const std::string& variant) {
  const auto* other = step_named(s, s.run.plan().spec.id + " " + variant);
  if (other == nullptr || !other->modelled) return std::nullopt;
  return 1 - other->modelled->prediction.seconds / s.beside->of_run->prediction.seconds;
}

// 0 where it is none.
int number_of(const std::string& of) {
  int number = 0;
  const auto read = std::from_chars(of.data(), of.data() + of.size(), number);
  return read.ec == std::errc() && read.ptr == of.data() + of.size() ? number : 0;
}

std::optional<double> find_gain(const Subject& s) {
  const Without without(s);
  const time::Modelled& model = without.short_();
  const std::map<std::string, std::function<std::optional<double>()>> gains = {
      {"this access", [&] { return without.of_access(); }},
      {"an access", [&] { return without.share_of_access(); }},
      {"wasted sectors", [&] { return without.of_space(false); }},
      {"wasted wavefronts", [&] { return without.of_space(true); }},
      {"traffic", [&] { return without.gain(time::seconds_without_traffic(model)); }},
      {"wavefronts", [&] { return without.gain(time::seconds_without_wavefronts(model)); }},
      {"spills", [&] { return without.gain(time::seconds_without_spills(model)); }},
      {"more blocks", [&] { return of_variant(s, "with more blocks"); }},
      {"idle lanes",
       [&] { return without.gain(time::seconds_with_instructions(model, lanes_at_work(s.run))); }},
      {"costliest line", [&] { return without_line(s, without); }},
      {"one block more",
       [&] {
         // What would gain little with all its registers is not compiled anew.
         auto freely = without.gain(time::seconds_with_blocks(model, model.model.held + 1));
         const time::Modelled& all = *s.beside->of_run;  // with all turns of loops: it may gain less
         if (freely.value_or(0) >= 0.05)
           freely = std::min(*freely,
                             1 - time::seconds_with_blocks(all, all.model.held + 1) / all.prediction.seconds);
         const auto variant = of_variant(s, "with one block more");
         return variant && freely.value_or(0) >= 0.05 ? variant : freely;
       }},
      {"turned blocks", [&] { return of_variant(s, "turned"); }}};
  if (const int line = number_of(s.claim.of); line > 0) {  // idle lanes of this line
    if (const int own = line_of(s); own > 0 && own != line) return std::nullopt;
    return without.gain(time::seconds_with_instructions(model, instructions_with_full_line(s.run, line)));
  }
  const auto found = gains.find(s.claim.of);
  return found == gains.end() ? std::nullopt : found->second();
}

// Once for all sentences that speak of it: of an access by its instruction, of a line by its number.
std::optional<double> gain_of(const Subject& s) {
  if (s.beside == nullptr || !s.beside->of_run) return std::nullopt;
  const auto access = access_of(s);
  const std::string key = s.claim.of + " " +
                          std::to_string(access && s.claim.of.ends_with("access") ? access->pc : 0) + " " +
                          std::to_string(s.claim.of.ends_with("line") ? line_of(s) : 0);
  return once(s, "gain of " + key, [&] { return find_gain(s); });
}

// Predicted from counts of their own, in which blocks may stand for others: the same to a thousandth.
constexpr double kSamePrediction = 1e-3;
Measured gain(const Subject& s) {
  const auto gained = gain_of(s);
  if (!gained) return std::nullopt;
  return one(std::abs(*gained - s.claim.number) < kSamePrediction ? s.claim.number : *gained);
}
Measured below(const Subject& s, double least) {
  const auto gained = gain_of(s);
  return gained ? Measured(one(*gained < least ? 0 : *gained)) : std::nullopt;
}
Measured no_gain(const Subject& s) { return below(s, 0.01); }
Measured gain_too_small(const Subject& s) { return below(s, 0.05); }
Measured share_of_access(const Subject& s) {
  if (s.beside == nullptr || !s.beside->of_run) return std::nullopt;
  const auto access = access_of(s);
  const auto share = once(s, "share of " + std::to_string(access ? access->pc : 0),
                          [&] { return access ? Without(s).share_of_access() : std::nullopt; });
  return share ? Measured(one(*share)) : std::nullopt;
}

}  // namespace

std::vector<Row> gain_measures() {
  return {{Quantity::gain, gain},
          {Quantity::no_gain, no_gain},
          {Quantity::gain_too_small, gain_too_small},
          {Quantity::share_of_access, share_of_access}};
}

}  // namespace warplens::claims_check
