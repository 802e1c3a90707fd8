#include "engine/lesson/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "engine/catalog/launches.hpp"
#include "engine/device/occupancy.hpp"
#include "engine/device/roofline.hpp"
#include "engine/emulator/memory.hpp"
#include "engine/instrument/counts.hpp"
#include "engine/report/pieces.hpp"

namespace warplens::lesson {
namespace {

using run::Run;

template <class Number>
Result<Value> number(Number value) {
  return Value(static_cast<double>(value));
}

// ---- of a run

Result<device::Occupancy> occupancy_of(const Subject& s) {
  return device::occupancy(s.run->device(), s.use());
}

template <class Field>
Result<Value> of_occupancy(const Subject& s, Field field) {
  const auto fit = occupancy_of(s);
  return fit ? number(field(*fit)) : Result<Value>(fit.error());
}

Result<Value> limiter(const Subject& s) {
  const auto fit = occupancy_of(s);
  if (!fit) return fit.error();
  return Value(fit->limiters.empty() ? "none" : device::to_string(fit->limiters.front()));
}

// Of the whole grid.
Result<Value> whole(const Run& run, std::uint64_t counted) {
  return number(std::round(static_cast<double>(counted) * blocks_per_sample(run)));
}

Result<Value> of_device(const Run& run, double value) {
  if (value > 0) return number(value);
  return Error{
      fmt::format("{} is a compute capability, not a device, and has no such number", run.device().id),
      "name a device such as h100"};
}

double work(const Run& run) {
  const double operations = run.job->instance->operations();
  return operations > 0 ? operations : run.job->instance->least_bytes();
}

Result<Value> waves(const Subject& s) {
  const Run& run = *s.run;
  const auto fit = occupancy_of(s);
  if (!fit) return fit.error();
  const double room = static_cast<double>(fit->blocks_per_sm) * run.device().sm_count;
  if (room <= 0) return of_device(run, 0);
  return number(static_cast<double>(catalog::blocks_in_grid(run.plan().launch)) / room);
}

Result<Value> peak(const Subject& s) {
  const auto roof = device::roofline(s.run->device());
  return roof ? number(roof->peak_gflops) : Result<Value>(roof.error());
}

constexpr auto kQuantities = std::to_array<Quantity>({
    {"verified", [](const Subject& s) { return number(s.run->report.verified ? 1 : 0); }},
    {"max_relative_error", [](const Subject& s) { return number(s.run->report.max_relative_error); }},
    {"kernel", [](const Subject& s) { return Result<Value>(Value(s.run->plan().spec.id)); }},
    {"device", [](const Subject& s) { return Result<Value>(Value(s.run->device().id)); }},
    {"blocks", [](const Subject& s) { return number(catalog::blocks_in_grid(s.run->plan().launch)); }},
    {"threads", [](const Subject& s) { return number(s.use().threads_per_block); }},
    {"warps", [](const Subject& s) { return number(catalog::warps_in_block(s.run->plan().launch)); }},
    {"registers", [](const Subject& s) { return number(s.use().registers_per_thread); }},
    {"shared_bytes", [](const Subject& s) { return number(s.use().shared_bytes_per_block); }},
    {"spill_bytes", [](const Subject& s) { return number(s.run->report.spill_bytes); }},
    {"blocks_per_sm",
     [](const Subject& s) { return of_occupancy(s, [](const auto& o) { return o.blocks_per_sm; }); }},
    {"warps_per_sm",
     [](const Subject& s) { return of_occupancy(s, [](const auto& o) { return o.warps_per_sm; }); }},
    {"occupancy",
     [](const Subject& s) { return of_occupancy(s, [](const auto& o) { return o.occupancy; }); }},
    {"limiter", limiter},
    {"waves", waves},
    {"instructions", [](const Subject& s) { return whole(*s.run, s.run->report.counts.warp_instructions); }},
    {"thread_instructions",
     [](const Subject& s) { return whole(*s.run, s.run->report.counts.thread_instructions); }},
    {"diverged", [](const Subject& s) { return whole(*s.run, s.run->lines.total.diverged); }},
    {"lane_efficiency",
     [](const Subject& s) {
       const auto& counts = s.run->report.counts;
       return number(static_cast<double>(counts.thread_instructions) /
                     (32.0 * static_cast<double>(std::max<std::uint64_t>(counts.warp_instructions, 1))));
     }},
    {"operations", [](const Subject& s) { return number(work(*s.run)); }},
    {"least_bytes", [](const Subject& s) { return number(s.run->job->instance->least_bytes()); }},
    {"flop_per_byte",
     [](const Subject& s) {
       return number(s.run->job->instance->operations() / s.run->job->instance->least_bytes());
     }},
    {"sms", [](const Subject& s) { return of_device(*s.run, s.run->device().sm_count); }},
    {"clock_ghz", [](const Subject& s) { return of_device(*s.run, s.run->device().boost_clock_mhz / 1000); }},
    {"bandwidth_gb", [](const Subject& s) { return of_device(*s.run, s.run->device().memory_gb_per_s); }},
    {"peak_gflops", peak},
    {"cc", [](const Subject& s) { return number(s.run->device().compute_capability / 10.0); }},
});

// ---- of an access, an array or a memory

using emulator::AccessCounts;
constexpr auto kCounts = std::to_array<Count>({
    {"requests", &AccessCounts::requests, Kind::any},
    {"sectors", &AccessCounts::sectors, Kind::sectors},
    {"ideal_sectors", &AccessCounts::ideal_sectors, Kind::sectors},
    {"bytes_used", &AccessCounts::bytes_used, Kind::any},
    {"wavefronts", &AccessCounts::wavefronts, Kind::wavefronts},
    {"ideal_wavefronts", &AccessCounts::ideal_wavefronts, Kind::wavefronts},
});

// ---- of one access

// Between each active lane and the next active one, for each lane that lies between.
Result<Value> stride(const AccessView& view, int) {
  std::optional<double> common;
  int before = -1;
  for (int lane = 0; lane < 32; ++lane) {
    if ((view.access.active >> lane & 1) == 0) continue;
    if (before >= 0) {
      const auto at = [&](int l) {
        return static_cast<std::int64_t>(view.access.address[static_cast<std::size_t>(l)]);
      };
      const double here = static_cast<double>(at(lane) - at(before)) / (lane - before);
      if (common && *common != here)
        return Error{
            fmt::format("lanes {} and {} are {} bytes apart, those before {}", before, lane, here, *common),
            "ask for address(access, lane) where the stride is not constant"};
      common = here;
    }
    before = lane;
  }
  if (!common) return Error{"one lane alone has no stride", "show an access of more lanes"};
  return number(*common);
}

Result<std::uint64_t> place_of(const AccessView& view, int lane) {
  if (lane < 0 || lane > 31) return Error{fmt::format("there is no lane {}", lane), "write 0 to 31"};
  if ((view.access.active >> lane & 1) == 0)
    return Error{fmt::format("lane {} takes no part in this access", lane), "name an active one"};
  return view.access.address[static_cast<std::size_t>(lane)] - view.start;
}

Result<analysis::SharedPieces> shared_of(const AccessView& view) {
  analysis::WarpAccess own = view.access;
  own.active &= ~view.elsewhere;
  if (view.shared) return analysis::shared_pieces(own, view.device);
  return Error{"the access shown is not to shared memory and has no banks",
               "show one that is, by array = \"...\""};
}

Result<Value> degree(const AccessView& view, int) {
  const auto pieces = shared_of(view);
  if (!pieces) return pieces.error();
  std::size_t most = 0;
  for (int phase = 0; phase < pieces->phases; ++phase)
    for (const analysis::Bank& bank : analysis::bank_map(*pieces, phase))
      most = std::max(most, bank.words.size());
  return number(most);
}

Result<Value> banks(const AccessView& view, int) {
  const auto pieces = shared_of(view);
  if (!pieces) return pieces.error();
  std::set<int> hit;
  for (const analysis::Wavefront& wavefront : pieces->wavefronts)
    for (const analysis::BankWord& word : wavefront.words) hit.insert(word.bank);
  return number(hit.size());
}

constexpr auto kAccessNumbers = std::to_array<AccessNumber>({
    {"stride", 0, stride},
    {"lanes", 0, [](const AccessView& v, int) { return number(std::popcount(v.access.active)); }},
    {"address", 1,
     [](const AccessView& v, int lane) {
       const auto place = place_of(v, lane);
       return place ? number(*place) : Result<Value>(place.error());
     }},
    {"element", 1,
     [](const AccessView& v, int lane) {
       const auto place = place_of(v, lane);
       return place ? number(*place / v.element_bytes) : Result<Value>(place.error());
     }},
    {"banks", 0, banks},
    {"degree", 0, degree},
});

// ---- arithmetic

using Numbers = std::span<const double>;
constexpr auto kFunctions = std::to_array<Function>({
    {"min", 0, [](Numbers n) { return *std::min_element(n.begin(), n.end()); }},
    {"max", 0, [](Numbers n) { return *std::max_element(n.begin(), n.end()); }},
    {"abs", 1, [](Numbers n) { return std::abs(n[0]); }},
    {"round", 1, [](Numbers n) { return std::round(n[0]); }},
    {"floor", 1, [](Numbers n) { return std::floor(n[0]); }},
    {"ceil", 1, [](Numbers n) { return std::ceil(n[0]); }},
    {"ceil_div", 2, [](Numbers n) { return std::ceil(n[0] / n[1]); }},
    {"log2", 1, [](Numbers n) { return std::log2(n[0]); }},
    {"sqrt", 1, [](Numbers n) { return std::sqrt(n[0]); }},
});

}  // namespace

std::span<const Quantity> quantities() { return kQuantities; }
std::span<const Count> counts() { return kCounts; }
std::span<const AccessNumber> access_numbers() { return kAccessNumbers; }
std::span<const Function> functions() { return kFunctions; }

Result<AccessView> view_of(const Subject& subject) {
  const run::Run& run = *subject.run;
  const report::AccessStory& story = *run.stories[subject.place.block];
  const auto access = story.accesses().at(subject.place.warp, subject.place.access);
  if (!access || access->active == 0)
    return Error{fmt::format("warp {} of {} makes no access", subject.place.warp, run.plan().spec.id),
                 "show another warp"};
  AccessView view{.access = report::warp_access(*access), .device = run.device()};
  view.elsewhere = report::lanes_elsewhere(*access);
  if (access->space == ptx::Space::shared)  // blocks of a cluster have their arrays at the same places
    for (std::uint64_t& address : view.access.address) address &= emulator::kOwnOffset;
  view.shared = access->space == ptx::Space::shared;
  view.global = !view.shared;
  view.counts = instrument::counts_of(*access, run.kernel->function().code[access->pc], run.device());
  if (const report::Face* face = face_of(story, *access); face != nullptr)
    view.start = face->address, view.element_bytes = face->element_bytes;
  return view;
}

AccessView view_of(const OwnAccess& own) {
  AccessView view{.access = own.access, .device = own.device, .global = own.global, .shared = own.shared};
  const auto global = analysis::count_global(own.access, own.device);
  const auto shared = analysis::count_shared(own.access, own.device);
  const auto count = [](int value) { return static_cast<std::uint64_t>(value); };
  view.counts = {.requests = 1,
                 .requests_in_ptx = 1,
                 .sectors = count(global.sectors),
                 .ideal_sectors = count(global.ideal_sectors),
                 .wavefronts = count(shared.wavefronts),
                 .ideal_wavefronts = count(shared.ideal_wavefronts),
                 .bytes_used = count(global.bytes_used)};
  view.element_bytes = static_cast<std::uint64_t>(own.access.width);
  return view;
}

}  // namespace warplens::lesson
