// What a device allows of a step, by what must pass each of its parts at least.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "viz/figures/performance/performance.hpp"
#include "viz/plot/number_format.hpp"

namespace warplens::figures {
namespace {

bool counts_operations(const PerformanceInput& input) { return is_of_operations(input.unit); }

device::Work work_of(const PerformanceInput& input, const PerformancePoint& point) {
  const double operations = counts_operations(input) ? point.work : point.operations;
  return {.operations = std::max(0.0, operations - point.tensor.operations),
          .tensor_operations = point.tensor.of_16_bits,
          .sector_bytes = point.bytes,
          .wavefronts = point.wavefronts,
          .least_bytes = point.least_bytes,
          .share = point.share,
          .blocks = point.blocks};
}

// "1.21 TB of sectors at 33.5 TB/s".
std::string amount_words(const device::Roofline& roof, const device::Work& work, device::Roof by) {
  const double busy = device::busy_share(roof, work);
  const auto of = [](double amount, const char* unit, const char* what, double giga_per_s) {
    return fmt::format("{}{} at {}", plot::si(amount, 3, " ", unit), what,
                       plot::si(1e9 * giga_per_s, 3, " ", unit));
  };
  switch (by) {
    case device::Roof::arithmetic:
      return of(work.operations, "", roof.multiply_adds ? " operations" : " operations without multiply-adds",
                roof.peak_gflops * busy);
    case device::Roof::tensor:
      return of(work.tensor_operations, "", " operations of 16-bit operands", roof.tensor_gflops * busy);
    case device::Roof::memory:
      return of(device::memory_bytes(roof, work), "B",
                roof.caches ? " that L2 cannot have kept" : " of sectors", roof.memory_gb_per_s);
    case device::Roof::l1:
      return of(work.sector_bytes, "B", " of sectors", roof.l1_gb_per_s * busy);
    case device::Roof::shared:
      break;
  }
  return of(work.wavefronts, "", " wavefronts", roof.shared_giga_per_s * busy);
}

// Whether L2 can hold all that the whole problem moves.
bool stays_in_l2(const device::Roofline& roof, const PerformancePoint& point) {
  return roof.caches && point.least_bytes <= roof.l2_bytes * point.share;
}

// "16-bit operands": of those that a step multiplies on tensor cores; the products of one step have one type.
std::string operands_of(const run::TensorOperations& tensor) {
  return fmt::format("{:.0f}-bit operands on tensor cores", 16 * tensor.of_16_bits / tensor.operations);
}

// Of what computes for a point; nothing where no table has it.
std::optional<Peak> known_peak(const device::Roofline& roof, const PerformancePoint& point) {
  const run::TensorOperations& tensor = point.tensor;
  if (tensor.operations == 0)
    return point.are_floats ? std::optional(Peak{"fp32", roof.peak_gflops}) : std::nullopt;
  if (tensor.of_16_bits == 0 || roof.tensor_gflops == 0) return std::nullopt;
  return Peak{operands_of(tensor), roof.tensor_gflops * tensor.operations / tensor.of_16_bits};
}
bool has_peak(const PerformanceInput& input, const PerformancePoint& point) {
  return point.are_floats && known_peak(*input.roofline, point);
}

}  // namespace

std::string idle_words(std::uint64_t blocks, int multiprocessors) {
  const auto all = static_cast<std::uint64_t>(multiprocessors);
  if (blocks == 0 || multiprocessors <= 0 || blocks >= all) return "";
  return fmt::format("{} {} on {} SMs: {} idle", blocks, blocks == 1 ? "block" : "blocks", all, all - blocks);
}

std::optional<Bound> bound_of(const PerformanceInput& input, const PerformancePoint& point) {
  if (!input.roofline || point.work <= 0 || point.bytes <= 0) return std::nullopt;
  if (counts_operations(input) && !has_peak(input, point)) return std::nullopt;
  const auto times = device::least_times(*input.roofline, work_of(input, point));
  if (times.empty()) return std::nullopt;
  const Bound bound{1e-9 * point.work / times.front().seconds, times.front().roof};
  if (counts_operations(input) || bound.speed <= input.roofline->memory_gb_per_s) return bound;
  return stays_in_l2(*input.roofline, point)
             ? std::nullopt
             : std::optional(Bound{input.roofline->memory_gb_per_s, device::Roof::memory});
}

std::string no_bound_note(const PerformanceInput& input) {
  std::vector<std::size_t> others, kept;
  for (std::size_t i = 0; i < input.points.size(); ++i) {
    const PerformancePoint& point = input.points[i];
    if (!input.roofline || point.work <= 0 || bound_of(input, point)) continue;
    (counts_operations(input) && !has_peak(input, point) ? others : kept)
        .push_back(point.number > 0 ? point.number : i + 1);
  }
  const auto note = [](const std::vector<std::size_t>& numbers, std::string_view why) {
    return numbers.empty() ? ""
                           : fmt::format("No mark at step{} {}: {}", numbers.size() == 1 ? "" : "s",
                                         fmt::join(numbers, ", "), why);
  };
  const std::string of_others = note(others, "no peak is known of what computes for it"),
                    of_kept =
                        note(kept, "L2 may hold all that passes, and how fast it is no data sheet says");
  return of_others + (of_others.empty() || of_kept.empty() ? "" : ". ") + of_kept;
}

std::string bound_formula(const PerformanceInput& input, const PerformancePoint& point) {
  const auto bound = bound_of(input, point);
  if (!bound) return "";
  const device::Work work = work_of(input, point);
  const auto times = device::least_times(*input.roofline, work);
  std::string text = fmt::format("At most, by {}", device::to_string(bound->by));
  if (bound->speed < 0.999e-9 * point.work / times.front().seconds)
    text += fmt::format(
        ": all of {} at {}, as L2 has only {}", plot::si(point.work / point.share, 3, " ", "B"),
        plot::si(1e9 * bound->speed, 3, " ", "B/s"), plot::si(input.roofline->l2_bytes, 3, " ", "B"));
  for (const device::RoofTime& time : times)
    text += fmt::format("\n{}: {} a second: {}", device::to_string(time.roof),
                        amount_words(*input.roofline, work, time.roof), plot::si(time.seconds, 3, " ", "s"));
  if (const std::string idle = idle_words(point.blocks, input.roofline->multiprocessors); !idle.empty())
    text += "\n" + idle;
  return text + (point.counted.empty() ? "" : "\n" + point.counted);
}

bool has_operations(const PerformanceInput& input) {
  return counts_operations(input) ||
         std::ranges::any_of(input.points, [](const auto& point) { return point.operations > 0; });
}

double chip_rate(const device::Roofline& roofline) {
  return roofline.shared_giga_per_s * roofline.wavefront_bytes;
}

Intensities intensities_of(const device::Roofline& roofline, const PerformancePoint& point) {
  const double memory = device::memory_bytes(
      roofline, {.sector_bytes = point.bytes, .least_bytes = point.least_bytes, .share = point.share});
  const double l1 = roofline.caches && roofline.l1_gb_per_s > 0
                        ? point.bytes * chip_rate(roofline) / roofline.l1_gb_per_s
                        : 0;
  const double on_chip = std::max(l1, point.wavefronts * roofline.wavefront_bytes);
  return {memory > 0 ? point.work / memory : 0, point.l2_bytes > 0 ? point.work / point.l2_bytes : 0,
          on_chip > 0 && chip_rate(roofline) > 0 ? point.work / on_chip : 0};
}

std::vector<Peak> peaks_of(const PerformanceInput& input) {
  std::map<double, Peak, std::greater<>> peaks;
  for (const PerformancePoint& point : input.points)
    if (auto peak = known_peak(*input.roofline, point)) peaks.try_emplace(peak->gflops, *std::move(peak));
  if (peaks.empty()) return {{"fp32", input.roofline->peak_gflops}};
  std::vector<Peak> sorted;
  for (auto& [gflops, peak] : peaks) sorted.push_back(std::move(peak));
  return sorted;
}

double peak_of(const PerformanceInput& input, const PerformancePoint& point) {
  const auto peak = known_peak(*input.roofline, point);
  return peak ? peak->gflops : input.roofline->peak_gflops;
}

}  // namespace warplens::figures
