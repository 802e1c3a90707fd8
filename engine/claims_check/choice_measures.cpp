// Of other values of a kernel's parameters, each predicted by itself; and of the order in which its blocks go
// over its matrices, by the addresses that they touch.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <memory>
#include <numeric>
#include <string>

#include "engine/claims_check/found.hpp"
#include "engine/emulator/observer.hpp"
#include "engine/run/count.hpp"
#include "engine/run/emulate.hpp"

namespace warplens::claims_check {
namespace {

using explain::Quantity;
using Set = Beside::Set;

// ---- other values

double seconds_of(const Set& set) { return set.modelled ? set.modelled->prediction.seconds : 0; }
const std::pair<const catalog::Values, Set>* best_of(const Subject& s) {
  const std::pair<const catalog::Values, Set>* best = nullptr;
  if (s.beside == nullptr) return nullptr;
  for (const auto& each : s.beside->sets)
    if (each.second.modelled && (best == nullptr || seconds_of(each.second) < seconds_of(best->second)))
      best = &each;
  return best;
}
std::optional<double> now_over_best(const Subject& s) {
  const auto* best = best_of(s);
  if (best == nullptr) return std::nullopt;
  const auto now = s.beside->sets.find(s.run.plan().parameters);
  if (now == s.beside->sets.end() || !now->second.modelled) return std::nullopt;
  return seconds_of(now->second) / seconds_of(best->second);
}
Measured sets_known(const Subject& s) {
  return s.beside != nullptr ? Measured(one(static_cast<double>(s.beside->sets.size()))) : std::nullopt;
}
Measured sets_of_file(const Subject& s) {
  const run::Plan& plan = s.run.plan();
  return one(static_cast<double>(catalog::valid_parameter_sets(plan.spec, plan.sizes).size()));
}
Measured value_of_best(const Subject& s) {
  const auto* best = best_of(s);
  if (best == nullptr || !best->first.contains(s.claim.of)) return std::nullopt;
  return one(static_cast<double>(best->first.at(s.claim.of)));
}
Measured best_set_over_now(const Subject& s) {
  const auto times = now_over_best(s);
  return times ? Measured(one(*times)) : std::nullopt;
}
Measured best_set_faster(const Subject& s) {
  const auto times = now_over_best(s);
  return times ? Measured(one(std::max(*times - 1, 0.01))) : std::nullopt;
}
// In the unit that speeds of the problem have.
double work_of(const run::Run& run) {
  const problem::Instance& instance = *run.job->instance;
  const double work = run::unit_of(instance) != "GB/s" ? instance.operations() : instance.least_bytes();
  return work > 0 ? work : 1;  // a launch
}
Measured speed_in(const Subject& s, std::optional<double> seconds) {
  return seconds && *seconds > 0 ? Measured(one(work_of(s.run) / *seconds)) : std::nullopt;
}
Measured speed_of_best(const Subject& s) {
  const auto* best = best_of(s);
  return best != nullptr ? speed_in(s, seconds_of(best->second)) : std::nullopt;
}
Measured speed_of_now(const Subject& s) {
  const auto* best = best_of(s);
  const auto times = now_over_best(s);
  return times ? speed_in(s, *times * seconds_of(best->second)) : std::nullopt;
}
Measured limits_best(const Subject& s) {
  const auto* best = best_of(s);
  if (best == nullptr) return std::nullopt;
  double most = 0, named = -1;
  for (const time::UnitShare& unit : time::shares_of(best->second.modelled->prediction.units)) {
    most = std::max(most, unit.busy);
    if (unit.name == s.claim.of) named = unit.busy;
  }
  return one(named >= most ? 1 : 0);
}
std::optional<double> recorded_of_best(const Subject& s) {
  const auto* best = best_of(s);
  return best != nullptr ? best->second.recorded : std::nullopt;
}
Measured recorded_speed_of_best(const Subject& s) { return speed_in(s, recorded_of_best(s)); }
Measured recorded_over_predicted(const Subject& s) {
  const auto recorded = recorded_of_best(s);
  if (!recorded) return std::nullopt;
  return one(std::abs(seconds_of(best_of(s)->second) / *recorded - 1));
}

// ---- the order of blocks

struct Span {
  std::uint64_t low = ~std::uint64_t{0}, high = 0;
  void widen(std::uint64_t value) { low = std::min(low, value), high = std::max(high, value); }
  bool meets(const Span& other) const { return low <= other.high && other.low <= high; }
};
// The rows and columns of one matrix that a block touches.
struct Touched {
  Span rows, columns;
  bool meets(const Touched& other) const { return rows.meets(other.rows) || columns.meets(other.columns); }
};
using TouchedByBlock = std::vector<std::vector<Touched>>;  // by matrix and block

class Touching final : public emulator::Observer, private emulator::BlockObserver {
 public:
  Touching(const std::vector<report::Face>& faces, std::size_t blocks)
      : faces_(faces), touched_(faces.size(), std::vector<Touched>(blocks)) {}
  emulator::BlockObserver* begin_block(std::uint64_t block) override {
    block_ = static_cast<std::size_t>(block);
    return this;
  }
  TouchedByBlock take() { return std::move(touched_); }

 private:
  void on_access(const emulator::AccessEvent& event) override {
    if (event.space != ptx::Space::global) return;
    for (std::uint32_t left = event.active; left != 0; left &= left - 1)
      touch(event.address(static_cast<std::uint32_t>(std::countr_zero(left))));
  }
  void touch(std::uint64_t address) {
    for (std::size_t f = 0; f < faces_.size(); ++f) {
      const report::Face& face = faces_[f];
      if (face.is_shared || address < face.address ||
          address >= face.address + face.elements * face.element_bytes)
        continue;
      const std::uint64_t element = (address - face.address) / face.element_bytes,
                          line = element / static_cast<std::uint64_t>(face.pitch),
                          in_line = element % static_cast<std::uint64_t>(face.pitch);
      Touched& touched = touched_[f][block_];
      touched.rows.widen(face.row_major ? line : in_line),
          touched.columns.widen(face.row_major ? in_line : line);
      return;
    }
  }

  const std::vector<report::Face>& faces_;
  TouchedByBlock touched_;
  std::size_t block_ = 0;
};

std::shared_ptr<const TouchedByBlock> watch_blocks(const run::Run& run) {
  const auto all = static_cast<std::size_t>(catalog::blocks_in_grid(run.plan().launch));
  std::vector<std::uint64_t> blocks(all);
  std::iota(blocks.begin(), blocks.end(), 0);
  Touching touching(run.stories.front()->faces(), all);
  const auto done = run::emulate(*run.kernel, *run.job->instance, run.plan().launch,
                                 {.threads = 1, .observer = &touching, .blocks = std::move(blocks)});
  return done ? std::make_shared<const TouchedByBlock>(touching.take()) : nullptr;
}
std::shared_ptr<const TouchedByBlock> touched_by_blocks(const Subject& s) {
  return once(s, "what blocks touch", [&] { return watch_blocks(s.run); });
}
// Matrices, inputs first.
std::vector<std::size_t> matrices_of(const Subject& s) {
  const std::vector<report::Face>& faces = s.run.stories.front()->faces();
  std::vector<std::size_t> matrices;
  for (const bool is_output : {false, true})
    for (std::size_t f = 0; f < faces.size(); ++f)
      if (!faces[f].is_shared && faces[f].fold == 0 && faces[f].is_output == is_output) matrices.push_back(f);
  return matrices;
}
Measured blocks_apart(const Subject& s) {
  const auto touched = touched_by_blocks(s);
  const auto matrices = matrices_of(s);
  if (touched == nullptr || matrices.empty()) return std::nullopt;
  const auto meets_one_before = [&](std::size_t block) {
    for (const std::size_t m : matrices)
      for (std::size_t before = 0; before < block; ++before)
        if ((*touched)[m][block].meets((*touched)[m][before])) return true;
    return false;
  };
  const std::size_t all = (*touched)[matrices.front()].size();
  std::size_t apart = 0;
  while (apart < all && !meets_one_before(apart)) ++apart;
  return one(static_cast<double>(apart));
}
// Those that touch the rows of the first matrix that block 0 does.
std::vector<std::size_t> first_row(const Subject& s, const TouchedByBlock& touched) {
  const auto& blocks = touched[matrices_of(s).front()];
  std::vector<std::size_t> row;
  for (std::size_t b = 0; b < blocks.size(); ++b)
    if (blocks[b].rows.low == 0) row.push_back(b);
  return row;
}
Measured blocks_of_row(const Subject& s) {
  const auto touched = touched_by_blocks(s);
  return touched != nullptr ? Measured(one(static_cast<double>(first_row(s, *touched).size())))
                            : std::nullopt;
}
Measured columns_of_row(const Subject& s) {
  const auto touched = touched_by_blocks(s);
  if (touched == nullptr) return std::nullopt;
  for (const std::size_t m : matrices_of(s)) {
    if (s.run.stories.front()->faces()[m].name != s.claim.of) continue;
    std::vector<std::uint64_t> columns;
    for (const std::size_t b : first_row(s, *touched)) columns.push_back((*touched)[m][b].columns.low);
    std::ranges::sort(columns);
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    return one(static_cast<double>(columns.size()));
  }
  return std::nullopt;
}

}  // namespace

std::vector<Row> choice_measures() {
  return {{Quantity::sets_known, sets_known},
          {Quantity::sets_of_file, sets_of_file},
          {Quantity::value_of_best, value_of_best},
          {Quantity::best_set_over_now, best_set_over_now},
          {Quantity::best_set_faster, best_set_faster},
          {Quantity::speed_of_now, speed_of_now},
          {Quantity::speed_of_best, speed_of_best},
          {Quantity::limits_best, limits_best},
          {Quantity::recorded_speed_of_best, recorded_speed_of_best},
          {Quantity::recorded_over_predicted, recorded_over_predicted},
          {Quantity::blocks_apart, blocks_apart},
          {Quantity::blocks_of_row, blocks_of_row},
          {Quantity::columns_of_row, columns_of_row}};
}

}  // namespace warplens::claims_check
