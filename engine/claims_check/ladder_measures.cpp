// Of the steps of a ladder by their speeds, over sizes, and against what the device allows: found among the
// launches that are known, whatever a figure chose of them.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string>

#include "engine/claims_check/found.hpp"
#include "engine/problem/problem.hpp"
#include "engine/time/chip/parameters_of.hpp"

namespace warplens::claims_check {
namespace {

using explain::Quantity;
using Launch = Beside::Launch;

constexpr double kLarge = 1e300;

double size_of_run(const Subject& s) {
  const auto& sizes = s.run.plan().sizes;
  return sizes.empty() ? 0 : static_cast<double>(sizes.begin()->second);
}
// "GB/s"; empty where the step was not counted.
std::string unit_of(const Subject& s, const std::string& kernel) {
  const Beside::Step* step = step_named(s, kernel);
  return step != nullptr ? step->count.unit : "";
}
std::vector<Launch> at_size(const Subject& s, double size, bool is_measured) {
  std::vector<Launch> launches;
  const std::string own = unit_of(s, s.run.plan().spec.id);
  for (const Launch& launch : s.beside->launches) {
    const std::string unit = unit_of(s, launch.kernel);
    const bool is_comparable = own.empty() || unit.empty() || (unit == "GB/s") == (own == "GB/s");
    if (launch.size == size && launch.is_measured == is_measured && is_comparable) launches.push_back(launch);
  }
  return launches;
}
// Those that a picture of the run's size compares: what was measured, where that is two steps or all.
std::vector<Launch> compared(const Subject& s) {
  if (s.beside == nullptr) return {};
  auto measured = at_size(s, size_of_run(s), true), predicted = at_size(s, size_of_run(s), false);
  return measured.size() >= 2 || predicted.size() <= measured.size() ? measured : predicted;
}
std::optional<Launch> fastest(const std::vector<Launch>& launches, const std::string& problem) {
  std::optional<Launch> best;
  for (const Launch& launch : launches)
    if (launch.problem == problem && (!best || launch.speed > best->speed)) best = launch;
  return best;
}
double number_of(const std::string& kernel) {
  return std::strtod(kernel.c_str() + kernel.find('/') + 1, nullptr);
}

// ---- at the run's size

struct Way {
  Launch first, best;
};
std::optional<Way> way_of(const Subject& s) {
  const auto launches = compared(s);
  if (launches.size() < 2) return std::nullopt;
  return Way{launches.front(), *fastest(launches, launches.front().problem)};
}
Measured best_over_first(const Subject& s) {
  const auto way = way_of(s);
  return way ? Measured(one(way->best.speed / way->first.speed)) : std::nullopt;
}
Measured steps_to_best(const Subject& s) {
  const auto way = way_of(s);
  return way ? Measured(one(number_of(way->best.kernel) - number_of(way->first.kernel) + 1)) : std::nullopt;
}
Measured best_of_library(const Subject& s) {
  const auto way = way_of(s);
  return way && way->best.library > 0 ? Measured(one(way->best.speed / way->best.library)) : std::nullopt;
}
// Of the step that is named, where no other one brings more.
Measured over_best_before(const Subject& s) {
  const auto launches = compared(s);
  double most = 0, named = 0;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const auto before =
        fastest({launches.begin(), launches.begin() + static_cast<std::ptrdiff_t>(i)}, launches[i].problem);
    const double gain = before ? launches[i].speed / before->speed : 0;
    most = std::max(most, gain);
    if (launches[i].kernel == s.claim.of) named = gain;
  }
  return named > 0 && named >= most ? Measured(one(named)) : std::nullopt;
}
Measured next_over_own(const Subject& s) {
  constexpr double kSame = 0.015;
  const auto launches = compared(s);
  const auto own = std::ranges::find(launches, s.run.plan().spec.id, &Launch::kernel);
  if (own == launches.end() || own + 1 == launches.end() || (own + 1)->kernel != s.claim.of)
    return std::nullopt;
  const double ratio = (own + 1)->speed / own->speed;
  const bool has_number = s.claim.shown.find_first_of("0123456789") != std::string::npos;
  const bool is_said = has_number                  ? ratio > 1 + kSame
                       : s.claim.shown == "slower" ? ratio < 1 - kSame
                                                   : std::abs(ratio - 1) <= kSame;
  return is_said ? Measured(one(ratio)) : std::nullopt;
}

// ---- over sizes

// The run's step where its speed is known at the run's size, else the quickest there.
std::optional<Launch> shown_launch(const Subject& s) {
  const auto launches = compared(s);
  const auto own = std::ranges::find(launches, s.run.plan().spec.id, &Launch::kernel);
  if (own != launches.end()) return *own;
  const auto best = std::ranges::max_element(launches, {}, &Launch::speed);
  return best == launches.end() ? std::nullopt : std::optional(*best);
}
// "matmul/02_coalesced at 4096".
struct At {
  std::string kernel;
  double size = 0;
};
At named(const Subject& s) {
  constexpr std::string_view at = " at ";
  const std::string& of = s.claim.of;
  const std::size_t found = of.rfind(at);
  if (found == std::string::npos) return {of};
  return {of.substr(0, found), std::strtod(of.c_str() + found + at.size(), nullptr)};
}
// Speeds of one kind: those that are measured where the step was at several sizes.
std::vector<Launch> curve_of(const Subject& s, const std::string& kernel) {
  std::array<std::vector<Launch>, 2> curves;
  for (const Launch& launch : s.beside->launches)
    if (launch.kernel == kernel) curves[launch.is_measured ? 1 : 0].push_back(launch);
  return curves[1].empty() ? curves[0] : curves[1];
}
std::optional<Launch> named_launch(const Subject& s) {
  if (s.beside == nullptr) return std::nullopt;
  const At at = named(s);
  for (const Launch& launch : curve_of(s, at.kernel))
    if (launch.size == at.size) return launch;
  return std::nullopt;
}
Launch best_of_curve(const Subject& s) {
  const auto curve = curve_of(s, named(s).kernel);
  return *std::ranges::max_element(curve, {}, &Launch::speed);
}
Measured speed_at_size(const Subject& s) {
  const auto launch = named_launch(s);
  return launch ? Measured(one(launch->speed)) : std::nullopt;
}
Measured known_size(const Subject& s) {
  const auto launch = named_launch(s);
  return launch ? Measured(one(launch->size)) : std::nullopt;
}
Measured best_size(const Subject& s) {
  return named_launch(s) ? Measured(one(best_of_curve(s).size)) : std::nullopt;
}
Measured share_of_best(const Subject& s) {
  const auto launch = named_launch(s);
  return launch ? Measured(one(launch->speed / best_of_curve(s).speed)) : std::nullopt;
}
// The number that is claimed, where it holds of this size and of all that are larger.
Measured least_share_from(const Subject& s) {
  const auto from = named_launch(s);
  if (!from) return std::nullopt;
  double least = kLarge;
  for (const Launch& launch : curve_of(s, from->kernel))
    if (launch.size >= from->size) least = std::min(least, launch.speed / best_of_curve(s).speed);
  return one(least >= s.claim.number ? s.claim.number : least);
}

// ---- what the device allows: seconds that each of its parts needs at least

struct Part {
  std::string name;
  double seconds = 0;
};
// The most work a second, and the part that allows no more.
struct Bound {
  double speed = 0;
  std::string by;
};
std::optional<Bound> bound_of(const Subject& s) {
  const auto shown = shown_launch(s);
  const Beside::Step* step = shown ? step_named(s, shown->kernel) : nullptr;
  if (step == nullptr) return std::nullopt;
  const run::StepCount& count = step->count;
  const device::Device& device = s.run.device();
  const double clocks =
      1e6 * device.boost_clock_mhz * std::min<double>(device.sm_count, static_cast<double>(count.blocks));
  const bool has_caches = device.compute_capability >= 20, is_in_bytes = count.unit == "GB/s";
  const double a_lane = problem::has_multiply_adds(s.run.plan().spec) ? 2 : 1;
  const double tensor_peak = time::parameters_of(device).tensor_peak;
  const double memory = 1e9 * device.memory_gb_per_s;
  const double kept = static_cast<double>(device.l2_bytes) * count.share;
  const double moved = has_caches ? std::max(0.0, count.least_bytes - kept) : count.bytes;
  std::vector<Part> parts = {
      {"arithmetic", ((is_in_bytes ? count.operations : count.work) - count.tensor.operations) /
                         (clocks * a_lane * device.fp32_lanes_per_sm)},
      {"tensor cores", tensor_peak > 0 ? count.tensor.of_16_bits / (clocks * tensor_peak) : 0},
      {"memory", moved / memory},
      {"L1",
       has_caches && device.l1_bytes_per_clock > 0 ? count.bytes / (clocks * device.l1_bytes_per_clock) : 0},
      {"shared memory", device.shared_wavefronts_per_clock > 0
                            ? count.wavefronts / (clocks * device.shared_wavefronts_per_clock)
                            : 0}};
  const auto most = std::ranges::max_element(parts, {}, &Part::seconds);
  if (most->seconds <= 0) return std::nullopt;
  const double speed = count.work / most->seconds;
  // Bytes that the caches cannot keep come from memory, however few pass in a launch.
  return is_in_bytes && speed > memory ? Bound{memory, "memory"} : Bound{speed, most->name};
}
Measured bound(const Subject& s) {
  const auto most = bound_of(s);
  return most ? Measured(one(most->speed)) : std::nullopt;
}
Measured is_bound(const Subject& s) {
  const auto most = bound_of(s);
  return most ? Measured(one(most->by == s.claim.of ? 1 : 0)) : std::nullopt;
}
std::optional<double> share_of(const Subject& s) {
  const auto most = bound_of(s);
  return most ? std::optional(std::min(1.0, shown_launch(s)->speed / most->speed)) : std::nullopt;
}
Measured share_of_bound(const Subject& s) {
  const auto share = share_of(s);
  return share ? Measured(one(*share)) : std::nullopt;
}

}  // namespace

std::vector<Row> ladder_measures() {
  return {{Quantity::best_over_first, best_over_first},
          {Quantity::steps_to_best, steps_to_best},
          {Quantity::best_of_library, best_of_library},
          {Quantity::over_best_before, over_best_before},
          {Quantity::next_over_own, next_over_own},
          {Quantity::speed_at_size, speed_at_size},
          {Quantity::best_size, best_size},
          {Quantity::known_size, known_size},
          {Quantity::share_of_best, share_of_best},
          {Quantity::least_share_from, least_share_from},
          {Quantity::bound, bound},
          {Quantity::share_of_bound, share_of_bound},
          {Quantity::is_bound, is_bound}};
}

}  // namespace warplens::claims_check
