#include "engine/report/tile_flights.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

namespace warplens::report {
namespace {

using emulator::AccessKind;

// The first tiles show what the others are like.
constexpr std::uint32_t kMostFlights = 8192;

enum class Role { none, asks, stores, copies, reads };

Role role_of(const trace::Access& access) {
  const bool is_shared = access.space == ptx::Space::shared;
  if (access.kind == AccessKind::async_copy) return is_shared ? Role::copies : Role::none;
  if (access.kind == AccessKind::load) return is_shared ? Role::reads : Role::asks;
  return is_shared && access.kind == AccessKind::store ? Role::stores : Role::none;
}

// What a warp does between two barriers of its block.
struct Span {
  std::optional<std::uint32_t> asked, stored, read;  // the first access of each kind
  std::uint32_t after = 0;                           // behind the last one that reads
};

class Finder {
 public:
  Finder(const BlockAccesses& accesses, std::uint32_t warp) : accesses_(accesses), warp_(warp) {}

  std::vector<TileFlight> find() {
    look();
    match_stores();
    std::vector<TileFlight> flights;
    for (const auto& [span, asked] : asked_of_)
      flights.push_back({asked, *spans_[span].read, spans_[span].after});
    return flights;
  }

 private:
  void look() {
    const auto events = accesses_.of_warp(warp_);
    const auto barriers = accesses_.trace().barriers(accesses_.block());
    auto barrier = barriers.begin();
    const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(events.size(), kMostFlights));
    spans_.emplace_back();
    for (std::uint32_t a = 0; a < count; ++a) {
      const bool passes = barrier != barriers.end() && barrier->before_event <= events[a];
      while (barrier != barriers.end() && barrier->before_event <= events[a]) ++barrier;
      if (passes) spans_.emplace_back();
      note(a, *accesses_.at(warp_, a));
    }
  }

  void note(std::uint32_t a, const trace::Access& access) {
    Span& span = spans_.back();
    switch (role_of(access)) {
      case Role::asks:
        if (!span.asked) span.asked = a;
        break;
      case Role::stores:
        if (!span.stored) span.stored = a;
        break;
      case Role::copies:
        for_each_word(access, [&](std::uint64_t word) { copied_[word] = a; });
        break;
      case Role::reads:
        if (!span.read) span.read = a;
        span.after = a + 1;
        take_copies(access);
        break;
      case Role::none:
        break;
    }
  }

  template <class Do>
  static void for_each_word(const trace::Access& access, Do act) {
    for (std::size_t lane = 0; lane < 32; ++lane)
      if (access.active >> lane & 1)
        for (std::uint64_t byte = 0; byte < access.width; byte += 4) act((access.address[lane] + byte) / 4);
  }

  // Copies that are read here were for the tile of this span.
  void take_copies(const trace::Access& access) {
    for_each_word(access, [&](std::uint64_t word) {
      const auto found = copied_.find(word);
      if (found != copied_.end()) add(spans_.size() - 1, found->second), copied_.erase(found);
    });
  }

  void add(std::size_t span, std::uint32_t asked) {
    const auto [at, is_new] = asked_of_.emplace(span, asked);
    if (!is_new) at->second = std::min(at->second, asked);
  }

  // What a span stores was asked for before, in the same span or else in an older one, and is read in the
  // next one that reads.
  void match_stores() {
    std::optional<std::uint32_t> asked;
    for (auto span = spans_.begin(); span != spans_.end(); ++span) {
      const bool asks_first = span->asked && span->stored && *span->asked < *span->stored;
      const auto from = asks_first ? span->asked : asked;
      if (span->asked) asked = span->asked;
      if (!span->stored || !from) continue;
      const auto reader =
          std::find_if(span + 1, spans_.end(), [](const Span& other) { return other.read.has_value(); });
      if (reader != spans_.end()) add(static_cast<std::size_t>(reader - spans_.begin()), *from);
    }
  }

  const BlockAccesses& accesses_;
  std::uint32_t warp_;
  std::vector<Span> spans_;
  std::unordered_map<std::uint64_t, std::uint32_t> copied_;  // words of shared memory -> the copy to them
  std::map<std::size_t, std::uint32_t> asked_of_;  // span that reads a tile -> when it was asked for
};

}  // namespace

std::vector<TileFlight> tile_flights(const BlockAccesses& accesses, std::uint32_t warp) {
  return Finder(accesses, warp).find();
}

std::size_t under_way(const std::vector<TileFlight>& flights, std::size_t tile) {
  std::size_t count = 0;
  for (std::size_t other = tile + 1; other < flights.size(); ++other)
    count += flights[other].asked < flights[tile].after ? 1 : 0;
  return count;
}

}  // namespace warplens::report
