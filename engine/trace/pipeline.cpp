#include "engine/trace/pipeline.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <map>

namespace warplens::trace {
namespace {

using Kind = PipelineEvent::Kind;

std::vector<PipelineBarrier> barriers_of(const TensorWork& work) {
  std::vector<PipelineBarrier> barriers;
  const auto at = [&](std::uint32_t offset) {
    return std::ranges::find(barriers, offset, &PipelineBarrier::at);
  };
  for (const PipelineEvent& event : work.events) {
    if (event.kind == Kind::initialise && at(event.barrier) == barriers.end()) {
      PipelineBarrier barrier;
      barrier.at = event.barrier, barrier.arrivals = event.count;
      barriers.push_back(barrier);
    }
    if (event.kind == Kind::copy && event.phase == 0)
      if (const auto found = at(event.barrier); found != barriers.end()) found->bytes += event.bytes;
  }
  std::ranges::stable_sort(barriers, [](const PipelineBarrier& a, const PipelineBarrier& b) {
    return a.is_full() != b.is_full() ? a.is_full() : a.at < b.at;
  });
  int full = 0, empty = 0;
  for (PipelineBarrier& barrier : barriers) barrier.stage = barrier.is_full() ? full++ : empty++;
  return barriers;
}

// Each warp's events in their order, and no wait before what it waits for. What another block of the cluster does at a barrier of
// this one comes when the same warp of this block is as far.
class Order {
 public:
  explicit Order(const TensorWork& work) : work_(work) { pipeline_.barriers = barriers_of(work); }

  Pipeline made() {
    find_roles();
    for (const PipelineEvent& event : work_.events) {
      if (event.is_peers) {
        take(event);
      } else {
        waiting_[event.warp].push_back(&event);
      }
      while (advance()) {
      }
    }
    for (const auto& [key, over] : over_)
      if (!pipeline_.barriers[key.first].is_full())
        pipeline_.releases.push_back({key.first, key.second, over});
    for (const PipelineBarrier& barrier : pipeline_.barriers) pipeline_.stages += barrier.is_full() ? 1 : 0;
    return std::move(pipeline_);
  }

 private:
  void find_roles() {
    std::array<PipelineRole, 32> of{};
    std::array<bool, 32> has{};
    for (const PipelineEvent& event : work_.events) {
      const std::uint32_t first = event.warp / 4 * 4;
      if (event.kind == Kind::multiply) of[first].multiplies = has[first] = true;
    }
    for (const PipelineEvent& event : work_.events) {
      if (event.kind != Kind::copy) continue;
      const std::uint32_t group = event.warp / 4 * 4, role = has[group] ? group : event.warp;
      of[role].copies = has[role] = true;
    }
    for (const bool copies : {true, false})
      for (std::uint32_t warp = 0; warp < 32; ++warp)
        if (has[warp] && of[warp].copies == copies) of[warp].warp = warp, pipeline_.roles.push_back(of[warp]);
  }

  bool is_shown(std::uint32_t warp) const {
    return std::ranges::find(pipeline_.roles, warp, &PipelineRole::warp) != pipeline_.roles.end();
  }
  std::size_t barrier_at(std::uint32_t offset) const {
    return static_cast<std::size_t>(std::ranges::find(pipeline_.barriers, offset, &PipelineBarrier::at) -
                                    pipeline_.barriers.begin());
  }
  void add(PipelineSpan span) {
    pipeline_.end = std::max(pipeline_.end, span.to);
    if (is_shown(span.warp)) pipeline_.spans.push_back(span);
  }

  // Takes what the warps are not kept from; false: nothing.
  bool advance() {
    bool any = false;
    for (std::deque<const PipelineEvent*>& events : waiting_)
      while (!events.empty() && !must_wait(*events.front())) {
        take(*events.front());
        events.pop_front();
        any = true;
      }
    return any;
  }

  // A phase is over when as many threads have arrived as it expects, and its copies are asked for.
  bool must_wait(const PipelineEvent& event) const {
    const std::size_t barrier = barrier_at(event.barrier);
    if (event.kind == Kind::drain)
      return committed_[event.warp] > event.count && products_[event.warp / 4].empty();
    if (event.kind != Kind::wait || barrier >= pipeline_.barriers.size()) return false;
    const auto arrived = arrived_.find({barrier, event.phase});
    const PipelineBarrier& of = pipeline_.barriers[barrier];
    if (arrived == arrived_.end() || arrived->second.threads < of.arrivals) return true;
    return of.is_full() && !arrived->second.has_copy;
  }

  void take(const PipelineEvent& event) {
    pipeline_.has_remote |= event.is_remote;
    const std::size_t barrier = barrier_at(event.barrier);
    double& clock = clock_[event.warp];
    const bool is_known = barrier < pipeline_.barriers.size() && !event.is_remote;
    switch (event.kind) {
      case Kind::initialise:
        return;
      case Kind::arrive:
        if (!is_known) return;
        end_of(barrier, event.phase) = std::max(end_of(barrier, event.phase), clock);
        arrived_[{barrier, event.phase}].threads += event.count;
        return;
      case Kind::copy: {
        if (!is_known) return;
        end_of(barrier, event.phase) = std::max(end_of(barrier, event.phase), clock + 1);
        arrived_[{barrier, event.phase}].has_copy = true;
        PipelineSpan span;
        span.kind = PipelineSpan::Kind::copy, span.warp = event.warp, span.pc = event.pc, span.from = clock,
        span.to = clock + 1;
        span.barrier = barrier, span.phase = event.phase, span.bytes = event.bytes;
        // The boxes of one phase are one tile.
        const auto last = std::ranges::find_if(pipeline_.spans, [&](const PipelineSpan& each) {
          return each.kind == span.kind && each.warp == span.warp && each.barrier == barrier &&
                 each.phase == event.phase;
        });
        if (last != pipeline_.spans.end()) {
          last->bytes += event.bytes;
          return;
        }
        span.number = copies_[event.warp]++;
        return add(span);
      }
      case Kind::wait: {
        if (!is_known) return;
        PipelineSpan span;
        span.warp = event.warp, span.pc = event.pc, span.from = clock, span.barrier = barrier,
        span.phase = event.phase;
        clock = std::max(clock, end_of(barrier, event.phase));
        span.to = clock;
        if (pipeline_.barriers[barrier].is_full()) full_[event.warp] = {barrier, event.phase};
        if (span.to > span.from) add(span);
        return;
      }
      case Kind::multiply:
        return multiply(event);
      case Kind::drain: {
        const std::vector<double>& finished = products_[event.warp / 4];
        const std::size_t committed = committed_[event.warp];
        if (committed > event.count) clock = std::max(clock, finished[committed - event.count - 1]);
        return;
      }
    }
  }

  // Each group of products is that of four warps: made where the first of them commits it.
  void multiply(const PipelineEvent& event) {
    std::vector<double>& finished = products_[event.warp / 4];
    const std::size_t number = committed_[event.warp]++;
    if (number < finished.size()) return;
    PipelineSpan span;
    span.kind = PipelineSpan::Kind::multiply, span.warp = event.warp / 4 * 4, span.pc = event.pc;
    span.from = std::max(clock_[event.warp], finished.empty() ? 0 : finished.back()), span.to = span.from + 1;
    span.barrier = full_[event.warp].first, span.phase = full_[event.warp].second;
    span.number = static_cast<std::uint32_t>(number), span.count = event.count;
    finished.push_back(span.to);
    add(span);
  }

  double& end_of(std::size_t barrier, std::uint32_t phase) { return over_[{barrier, phase}]; }

  const TensorWork& work_;
  Pipeline pipeline_;
  std::array<double, 32> clock_{};
  std::array<std::uint32_t, 32> copies_{};
  std::array<std::size_t, 32> committed_{};
  std::array<std::vector<double>, 8> products_;
  std::array<std::pair<std::size_t, std::uint32_t>, 32> full_{};
  std::map<std::pair<std::size_t, std::uint32_t>, double> over_;
  struct Arrived {
    std::uint32_t threads = 0;
    bool has_copy = false;
  };
  std::map<std::pair<std::size_t, std::uint32_t>, Arrived> arrived_;
  std::array<std::deque<const PipelineEvent*>, 32> waiting_;  // of each warp, in order
};

}  // namespace

Pipeline pipeline_of(const TensorWork& work) { return Order(work).made(); }

}  // namespace warplens::trace
