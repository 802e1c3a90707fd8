#include "engine/explain/payoff/other_launches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "engine/time/predict_run.hpp"

namespace warplens::explain {
namespace {

// The kernel's text, with what tells the compiler how many blocks have to fit on an SM.
std::string with_launch_bounds(std::string code, int threads, int blocks) {
  constexpr std::string_view kBounds = "__launch_bounds__", kVoid = "void";
  const std::string bounds = fmt::format("{}({}, {}) ", kBounds, threads, blocks);
  if (const std::size_t at = code.find(kBounds); at != std::string::npos) {
    std::size_t end = code.find('(', at);
    for (int open = 0; end < code.size(); ++end) {
      open += code[end] == '(' ? 1 : code[end] == ')' ? -1 : 0;
      if (open == 0) return code.replace(at, end + 1 - at, bounds);
    }
  }
  const std::size_t kernel = code.find("__global__"), at = code.find(kVoid, kernel);
  return at == std::string::npos ? code : code.insert(at + kVoid.size(), " " + bounds);
}

}  // namespace

bool registers_limit(const run::Run& run) {
  const auto fit = time::occupancy_of(*run.job);
  return fit && std::ranges::count(fit->limiters, device::Limiter::registers) > 0;
}

catalog::KernelSpec with_blocks_on_sm(const run::Plan& plan, int blocks) {
  catalog::KernelSpec spec = plan.spec;
  spec.code = with_launch_bounds(spec.code, run::threads_per_block(plan), blocks);
  return spec;
}

catalog::KernelSpec with_grid_of(const run::Plan& plan, std::uint64_t blocks) {
  catalog::KernelSpec spec = plan.spec;
  spec.grid = {std::to_string(blocks)};
  return spec;
}

}  // namespace warplens::explain
