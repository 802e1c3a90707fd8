#include "app/window/pages/ladder/code_times.hpp"

#include <fmt/format.h>

#include <numeric>

#include "engine/time/why/stalls_by_line.hpp"
#include "viz/figures/time/time_words.hpp"

namespace warplens::app {

template <class IsThere>
CodeTimes::Shares CodeTimes::shares(IsThere is_there) const {
  Shares shares{};
  if (p_ == nullptr) return shares;
  for (const time::StallsAt& at : p_->stalls_at)
    if (is_there(at))
      for (std::size_t i = 0; i < shares.size(); ++i) shares[i] += static_cast<double>(at.shares[i]);
  return shares;
}

double CodeTimes::sum(const Shares& shares) { return std::accumulate(shares.begin(), shares.end(), 0.0); }

std::string CodeTimes::words(const Shares& shares) {
  constexpr double kLeast = 0.0005;
  const double all = sum(shares);
  if (all < kLeast) return {};
  std::string text =
      fmt::format("{} of the warps' time goes by here, by the model", figures::share_text(all));
  for (const time::Reason& reason : time::reasons_of(shares)) text += "\n" + time::reason_words({reason}, 1);
  return text;
}

namespace {

auto on_line(int line) {
  return [line](const time::StallsAt& at) { return line > 0 && at.line == line; };
}
auto on_ptx_line(int line) {
  return [line](const time::StallsAt& at) { return line > 0 && at.ptx_line == line; };
}

}  // namespace

double CodeTimes::of_line(int line) const { return sum(shares(on_line(line))); }
double CodeTimes::of_ptx_line(int line) const { return sum(shares(on_ptx_line(line))); }
std::string CodeTimes::words_of_line(int line) const { return words(shares(on_line(line))); }
std::string CodeTimes::words_of_ptx_line(int line) const { return words(shares(on_ptx_line(line))); }

double CodeTimes::of_address(std::uint32_t address) const {
  if (p_ == nullptr || p_->basis != "sass") return 0;
  return sum(shares([address](const time::StallsAt& at) { return at.offset == address; }));
}
std::string CodeTimes::words_of_address(std::uint32_t address) const {
  if (p_ == nullptr || p_->basis != "sass") return {};
  return words(shares([address](const time::StallsAt& at) { return at.offset == address; }));
}

}  // namespace warplens::app
