// Of the kernel by the model of time: what its units do, what its warps wait for, and how its blocks come and go.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "engine/claims_check/found.hpp"
#include "engine/time/predict_run.hpp"
#include "engine/time/why/without.hpp"

namespace warplens::claims_check {
namespace {

using explain::Quantity;
using time::Prediction;

const time::Modelled* modelled(const Subject& s) {
  if (const auto* own = s.claim.scope == explain::Scope::two_steps ? own_step(s) : nullptr)
    return own->modelled ? &*own->modelled : nullptr;
  return s.beside != nullptr && s.beside->of_run ? &*s.beside->of_run : nullptr;
}

template <double Prediction::*which>
Measured of_prediction(const Subject& s) {
  const Prediction* p = predicted(s);
  return p != nullptr ? Measured(one(p->*which)) : std::nullopt;
}
Measured busy(const Subject& s) {
  const Prediction* p = predicted(s);
  const auto share = p != nullptr ? busy_share(*p, s.claim.of) : std::nullopt;
  return share ? Measured(one(*share)) : std::nullopt;
}
Measured most_busy(const Subject& s) {
  const Prediction* p = predicted(s);
  if (p == nullptr) return std::nullopt;
  double most = 0;
  for (const time::UnitShare& unit : time::shares_of(p->units)) most = std::max(most, unit.busy);
  return one(most);
}
// Nothing where another unit is busier, or where it is not busy most of the time: then nothing limits.
Measured limits(const Subject& s) {
  constexpr double kMost = 0.65;
  const auto share = busy(s), most = most_busy(s);
  return share && most && share->mean >= kMost && share->mean >= most->mean ? share : std::nullopt;
}
// By what one block needs and what an SM has. Nothing where no other block waits for its turn, or the kernel would be hardly quicker
// if an SM held as many warps as it may.
Measured warps_to_spare(const Subject& s) {
  const auto fit = time::occupancy_of(*s.run.job);
  const auto& device = s.run.device();
  const double blocks = static_cast<double>(catalog::blocks_in_grid(s.run.plan().launch));
  if (!fit || blocks <= static_cast<double>(fit->blocks_per_sm) * device.sm_count) return std::nullopt;
  const double more = device.max_warps_per_sm - fit->warps_per_sm;
  const time::Modelled* known = modelled(s);
  if (more <= 0 || known == nullptr) return std::nullopt;
  constexpr double kLeast = 0.03;  // of the time: it is predicted here with all turns of loops
  const int most =
      std::min(device.max_warps_per_sm / known->model.work.warps_per_block, device.max_blocks_per_sm);
  const bool pays = time::seconds_with_blocks(*known, most) <= (1 - kLeast) * known->prediction.seconds;
  return pays ? Measured(one(more)) : std::nullopt;
}
Measured share_of_wait(const Subject& s) {
  const Prediction* p = predicted(s);
  for (std::size_t stall = 0; p != nullptr && stall < time::kStalls; ++stall)
    if (time::name(static_cast<time::Stall>(stall)) == s.claim.of) return one(p->stalls[stall]);
  return std::nullopt;
}
// Of the time that the starts of blocks need.
Measured cycles_a_start(const Subject& s) {
  const Prediction* p = predicted(s);
  return p != nullptr && p->blocks > 0 ? Measured(one(p->starts * p->cycles / p->blocks)) : std::nullopt;
}
std::optional<double> bytes(const Subject& s) {
  const Prediction* p = predicted(s);
  if (p == nullptr) return std::nullopt;
  const double most = s.run.device().memory_gb_per_s * 1e9 * (p->seconds - p->launch * p->seconds);
  return p->units.dram * most / std::max(p->crowding, 1.0);
}
Measured bytes_moved(const Subject& s) {
  const auto moved = bytes(s);
  return moved ? Measured(one(*moved)) : std::nullopt;
}
Measured times_needed(const Subject& s) {
  const auto moved = bytes(s);
  const double least = s.run.job->instance->least_bytes();
  return moved && least > 0 ? Measured(one(*moved / least)) : std::nullopt;
}
// False from where a word of it passes again.
Measured passes_once(const Subject& s) {
  constexpr double kAgain = 1.3, kSector = 32;
  const Prediction* p = predicted(s);
  const auto moved = bytes(s);
  const double least = s.run.job->instance->least_bytes();
  if (p == nullptr || !moved || least <= 0) return std::nullopt;
  const double times = (s.claim.of == "l2" ? kSector * p->l2_sectors : *moved) / least;
  return times < kAgain ? Measured(one(times)) : std::nullopt;
}
// Of loads and stores of global memory, by the counters of each instruction.
Measured useful_sectors(const Subject& s) {
  const emulator::Counters& counters = s.run.emulation.outcome.counters;
  const auto whole = static_cast<double>(counters.tensor.load_sectors + counters.tensor.store_sectors);
  double asked = whole, least = whole;
  for (const emulator::AccessCounts* one :
       {&counters.global_load, &counters.global_store, &counters.global_atomic}) {
    asked += static_cast<double>(one->sectors);
    least += static_cast<double>(one->ideal_sectors);
  }
  return one(asked > 0 ? std::min(1.0, least / asked) : 1);
}
Measured reachable_bandwidth(const Subject& s) {
  return one(time::parameters_of(s.run.device()).dram_efficiency);
}
Measured issued_together(const Subject& s) { return one(time::parameters_of(s.run.device()).issue_together); }
Measured seconds_of_launch(const Subject& s) {
  return predicted(s) != nullptr ? Measured(one(time::parameters_of(s.run.device()).launch_seconds))
                                 : std::nullopt;
}
// By the instructions that each block of the run executed.
Measured longest_block(const Subject& s) {
  const emulator::Outcome& outcome = s.run.emulation.outcome;
  double most = 0, all = 0, blocks = 0;
  for (const emulator::BlockWork& work : outcome.work) {
    const auto count = static_cast<double>(work.blocks), each = static_cast<double>(work.instructions);
    most = std::max(most, each), all += count * each, blocks += count;
  }
  return all > 0 ? Measured(one(most * blocks / all)) : std::nullopt;
}
// Nothing where no block does clearly more than the others: then nobody waits for it.
Measured waits_for_longest(const Subject& s) {
  constexpr double kMore = 1.1;
  const auto times = longest_block(s);
  const Prediction* p = predicted(s);
  return p != nullptr && times && times->mean >= kMore ? Measured(one(p->waits_for_longest)) : std::nullopt;
}
Measured blocks_for_all_sms(const Subject& s) {
  const double sms = s.run.device().sm_count;
  const auto blocks = static_cast<double>(catalog::blocks_in_grid(s.run.plan().launch));
  return sms > 0 ? Measured(one(std::ceil(blocks / sms) * sms)) : std::nullopt;
}
Measured blocks_at_a_time(const Subject& s) {
  const auto fit = time::occupancy_of(*s.run.job);
  return fit ? Measured(one(static_cast<double>(fit->blocks_per_sm) * s.run.device().sm_count))
             : std::nullopt;
}
Measured parts_of_sm(const Subject& s) { return one(time::parameters_of(s.run.device()).parts); }
Measured cycles_an_issue(const Subject& s) { return one(time::parameters_of(s.run.device()).issue_interval); }

}  // namespace

// Beside other steps a kernel is counted as these are, in part where its blocks are alike.
const Prediction* predicted(const Subject& s) {
  const time::Modelled* known = modelled(s);
  return known != nullptr ? &known->prediction : nullptr;
}

std::optional<double> busy_share(const Prediction& prediction, const std::string& name) {
  std::map<std::string, double> shares = {{"idle", prediction.tail},
                                          {"longest", prediction.waits_for_longest},
                                          {"starts", prediction.starts},
                                          {"atomics", prediction.same_address},
                                          {"launch", prediction.launch}};
  for (const time::UnitShare& unit : time::shares_of(prediction.units))
    shares.emplace(std::string(unit.name), unit.busy);
  const auto found = shares.find(name);
  return found == shares.end() ? std::nullopt : std::optional(found->second);
}

std::vector<Row> time_measures() {
  return {{Quantity::busy, busy},
          {Quantity::most_busy, most_busy},
          {Quantity::limits, limits},
          {Quantity::warps_to_spare, warps_to_spare},
          {Quantity::share_of_wait, share_of_wait},
          {Quantity::warps_of_sm, of_prediction<&Prediction::resident_warps>},
          {Quantity::meetings, of_prediction<&Prediction::meetings>},
          {Quantity::share_of_grid, of_prediction<&Prediction::waves>},
          {Quantity::crowding, of_prediction<&Prediction::crowding>},
          {Quantity::seconds, of_prediction<&Prediction::seconds>},
          {Quantity::cycles_a_start, cycles_a_start},
          {Quantity::saved_in_smaller_blocks, of_prediction<&Prediction::in_smaller_blocks>},
          {Quantity::waits_for_longest, waits_for_longest},
          {Quantity::saved_by_longest_first, of_prediction<&Prediction::longest_first>},
          {Quantity::longest_block, longest_block},
          {Quantity::blocks_for_all_sms, blocks_for_all_sms},
          {Quantity::all_sms_longer, of_prediction<&Prediction::all_sms_longer>},
          {Quantity::blocks_at_a_time, blocks_at_a_time},
          {Quantity::issued_together, issued_together},
          {Quantity::useful_sectors, useful_sectors},
          {Quantity::passes_once, passes_once},
          {Quantity::reachable_bandwidth, reachable_bandwidth},
          {Quantity::seconds_of_launch, seconds_of_launch},
          {Quantity::bytes_moved, bytes_moved},
          {Quantity::times_needed, times_needed},
          {Quantity::parts_of_sm, parts_of_sm},
          {Quantity::cycles_an_issue, cycles_an_issue}};
}

}  // namespace warplens::claims_check
