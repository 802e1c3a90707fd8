#include "engine/lesson/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "engine/emulator/memory.hpp"
#include "engine/instrument/counts.hpp"
#include "engine/report/pieces.hpp"

namespace warplens::lesson {
namespace {

template <class Number>
Result<Value> number(Number value) {
  return Value(static_cast<double>(value));
}

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
