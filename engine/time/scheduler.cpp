#include "engine/time/scheduler.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace warplens::time {
namespace {

constexpr int kMostParts = 4;
constexpr double kGolden = 0.6180339887498949;

struct Warp {
  std::uint32_t instruction = 0, block = 0;
  std::uint32_t number = 0;  // of its thread block
  int slot = 0;
  int part = 0;
  bool alive = false, at_barrier = false;
  std::uint32_t barrier = 0;  // the instruction at which it waits for the others
  double ready = 0;           // by the stall count
  double started = 0;
  std::array<double, 6> barriers{};
  std::array<bool, 6> far{};  // the barrier waits for global memory
  double copies = 0;          // when the open group of copies is complete
  std::vector<double> groups;
  std::vector<float> credit;          // of the first edge of each block
  std::vector<float> splits;          // of the blocks at whose ends its lanes part
  std::vector<std::uint32_t> parted;  // blocks where other lanes of it wait for their turn
  double phase = 0;                   // 0 to 1, another for each warp
  double order = 0;
  double stored = 0;  // when its last store has arrived
};

struct Slot {
  int alive = 0, waiting = 0;
  double last_arrival = 0;
  double stored = 0;
};

struct Earliest {
  double time = 0;
  Stall reason = Stall::wait;
};

// What the search for the next issue reads of a warp.
struct Waiting {
  Earliest own;
  double order = 0;
  std::uint8_t unit = 0;
  std::array<std::uint8_t, 2> reads{};
  bool queues = false;  // for the load/store unit
  bool at_barrier = false;
};

class Machine {
 public:
  Machine(const SmWork& work, const Parameters& parameters, std::vector<WarpHistory>* history)
      : work_(work), p_(parameters), history_(history) {
    warps_.resize(static_cast<std::size_t>(work.resident * work.warps_per_block));
    waiting_.resize(warps_.size());
    slots_.resize(static_cast<std::size_t>(work.resident));
    result_.stalls_at.assign(work.code.size(), {});
    if (history_ != nullptr) history_->assign(warps_.size(), {});
    for (auto& part : pipe_free_) part.fill(0);
  }

  SmResult run() {
    for (int s = 0; s < work_.resident && launched_ < work_.launched; ++s) launch(s, 0);
    const double most = most_instructions();
    while (alive_ > 0 && !result_.runs_away) {
      if (!step()) break;
      result_.runs_away = result_.instructions > most;
    }
    if (result_.runs_away) result_.block_ends.assign(work_.launched, most);  // what they are is of no use
    std::sort(result_.block_ends.begin(), result_.block_ends.end());
    result_.cycles = result_.block_ends.empty() ? 0 : result_.block_ends.back();
    return std::move(result_);
  }

 private:
  // Far more than all warps execute by what was counted.
  double most_instructions() const {
    constexpr double kTimes = 4, kMore = 10'000;
    double of_a_warp = 0;
    for (const Block& block : work_.blocks) of_a_warp += block.executed * (block.end - block.first);
    return kTimes * of_a_warp * work_.warps_per_block * static_cast<double>(work_.launched) + kMore;
  }

  void launch(int s, double now) {
    const double at = std::max(now, next_launch_);
    next_launch_ = at + work_.launch_interval;
    Slot& slot = slots_[static_cast<std::size_t>(s)];
    slot = {work_.warps_per_block, 0, 0, 0};
    for (int w = 0; w < work_.warps_per_block; ++w) {
      const std::size_t index = static_cast<std::size_t>(s * work_.warps_per_block + w);
      Warp& warp = warps_[index];
      warp = Warp{};
      warp.slot = s;
      warp.part = next_part_++ % parts_in_use_;
      warp.alive = true;
      warp.number = static_cast<std::uint32_t>(launched_);
      if (history_ != nullptr) (*history_)[index].part = warp.part;
      warp.ready = at + p_.block_latency + w * p_.warp_interval;
      warp.started = warp.ready;
      warp.phase = std::fmod((static_cast<double>(launched_) * work_.warps_per_block + w) * kGolden, 1.0);
      warp.order = static_cast<double>(launched_) * 64 + w;
      warp.credit.assign(work_.blocks.size(), -1.0f);
      parts_[static_cast<std::size_t>(warp.part)].push_back(static_cast<int>(index));
      look_again(static_cast<int>(index));
      ++alive_;
    }
    ++launched_;
  }

  // By what the warp itself waits for; it changes only when the warp issues or leaves a barrier.
  Earliest by_itself(const Warp& warp) const {
    const Step& step = work_.code[warp.instruction];
    Earliest e{warp.ready, Stall::wait};
    for (std::size_t b = 0; step.waits >> b != 0; ++b)
      if ((step.waits >> b & 1) != 0 && warp.barriers[b] > e.time)
        e = {warp.barriers[b], warp.far[b] ? Stall::long_scoreboard : Stall::short_scoreboard};
    if (step.control == Control::wait_for_copies) {
      const std::size_t open = warp.groups.size();
      for (std::size_t g = 0; g + step.pending < open; ++g)
        if (warp.groups[g] > e.time) e = {warp.groups[g], Stall::long_scoreboard};
    }
    return e;
  }
  void look_again(int index) {
    const auto w = static_cast<std::size_t>(index);
    const Step& step = work_.code[warps_[w].instruction];
    Waiting& waiting = waiting_[w];
    waiting.own = by_itself(warps_[w]);
    waiting.order = warps_[w].order;
    waiting.unit = static_cast<std::uint8_t>(step.unit);
    waiting.reads = step.reads;
    waiting.queues =
        (step.unit == Unit::memory && step.access != Access::constant_load) || step.unit == Unit::shuffle;
    waiting.at_barrier = warps_[w].at_barrier;
  }
  Earliest earliest(const Waiting& waiting, std::size_t part) const {
    Earliest e = waiting.own;
    for (std::size_t bank = 0; bank < 2; ++bank) {
      const double free = bank_free_[part][bank] - p_.read_window;
      if (waiting.reads[bank] > 0 && free > e.time) e = {free, Stall::dispatch};
    }
    const double free = pipe_free_[part][waiting.unit];  // of Unit::none always 0
    if (free > e.time) e = {free, waiting.queues ? Stall::memory_throttle : Stall::pipe};
    if (waiting.queues && lsu_free_ - p_.queue > e.time) e = {lsu_free_ - p_.queue, Stall::memory_throttle};
    return e;
  }

  // Issues the next instruction of the part that can do so first.
  bool step() {
    double best = std::numeric_limits<double>::infinity();
    int chosen = -1;
    const auto parts = static_cast<std::size_t>(parts_in_use_);
    for (std::size_t i = 0; i < parts; ++i) {  // what they share goes round
      const std::size_t part = (next_turn_ + i) % parts;
      Candidate& c = candidates_[part];
      if (c.stale) find_candidate(part);
      if (c.warp >= 0 && c.time < best) best = c.time, chosen = c.warp;
    }
    if (chosen < 0) return false;
    const auto part = static_cast<std::size_t>(warps_[static_cast<std::size_t>(chosen)].part);
    // What it waited for may have moved since it was looked at: the queue of the load/store unit.
    const Earliest again = earliest(waiting_[static_cast<std::size_t>(chosen)], part);
    if (again.time > best + 1e-9) {
      candidates_[part].stale = true;
      return true;
    }
    issue(chosen, best, again);
    candidates_[part].stale = true;
    next_turn_ = part + 1;
    return true;
  }

  struct Candidate {
    bool stale = true;
    int warp = -1;
    double time = 0;
  };
  // The warp that issued last goes on; else, of those that can issue first, the oldest, and parts_ has the oldest first.
  void find_candidate(std::size_t part) {
    constexpr double kSame = 1e-9;
    Candidate& c = candidates_[part];
    c = {false, -1, std::numeric_limits<double>::infinity()};
    const double now = issue_free_[part];
    const auto look_at = [&](int w, double most) {
      const Waiting& waiting = waiting_[static_cast<std::size_t>(w)];
      if (waiting.at_barrier || waiting.own.time >= most) return;
      const double time = std::max(earliest(waiting, part).time, now);
      if (time < most) c = {false, w, time};
    };
    if (goes_on(part)) look_at(last_[part], c.time);
    const int last = c.warp;
    for (const int w : parts_[part]) {
      if (c.time <= now + kSame) return;  // nobody can sooner
      if (w != last) look_at(w, c.time - kSame);
    }
  }
  // Whether the warp that issued last in a part is there still.
  bool goes_on(std::size_t part) const {
    if (last_[part] < 0) return false;
    const Warp& warp = warps_[static_cast<std::size_t>(last_[part])];
    return warp.alive && warp.part == static_cast<int>(part);
  }

  void issue(int index, double now, const Earliest& e) {
    Warp& warp = warps_[static_cast<std::size_t>(index)];
    const Step& step = work_.code[warp.instruction];
    const std::size_t part = static_cast<std::size_t>(warp.part);
    account(index, now, e);
    const double kept = issue_of(step);
    issue_free_[part] = now + kept;
    for (std::size_t bank = 0; bank < 2; ++bank)
      if (step.reads[bank] > 0)
        bank_free_[part][bank] = std::max(bank_free_[part][bank], now) + step.reads[bank];
    last_[part] = index;
    result_.instructions += 1;
    warp.ready = now + std::max(step.stall * p_.stall_scale, kept);
    warp.started = now + kept;
    double done = now;
    bool far = false;
    use_units(warp, step, now, done, far);
    if (step.write_barrier < 6) raise(warp, step.write_barrier, done, far);
    if (step.read_barrier < 6)
      raise(warp, step.read_barrier, std::min(done, std::max(now + 8, read_done_)), far);
    if (step.control == Control::barrier) arrive(index, now);
    if (step.control == Control::end_of_copies) {
      warp.groups.push_back(warp.copies);
      if (warp.groups.size() > 16) warp.groups.erase(warp.groups.begin());
      warp.copies = 0;
    }
    advance(index, now);
    if (warp.alive) look_again(index);
  }

  // Cycles for which it keeps its part from issuing.
  double issue_of(const Step& step) const {
    if (!is_shared(step.access)) return p_.issue_interval;
    const double words = std::max(step.width / 4.0, 1.0);
    const double own = step.access == Access::shared_load
                           ? p_.shared_issue * (p_.replay_issue > 0 ? words : 1)
                           : p_.issue_interval;
    return own + p_.replay_issue * std::max(0.0, step.cost.turns - p_.issue_interval * words);
  }

  // What the warp did from the instruction before to the end of this one, of which it issues `now`.
  void account(int index, double now, const Earliest& e) {
    const Warp& warp = warps_[static_cast<std::size_t>(index)];
    const Earliest& own = waiting_[static_cast<std::size_t>(index)].own;
    double at = warp.started;
    const auto until = [&](double to, Stall what) {
      if (to <= at) return;
      charge(warp.instruction, what, to - at);
      keep(index, at, to, what, warp.instruction);
      at = to;
    };
    until(std::min(warp.ready, own.time), Stall::wait);
    until(own.time, own.reason);
    if (e.time > at) until(at + (e.time - at) * throttled_share(warp.instruction, e.reason), e.reason);
    until(now, Stall::not_selected);
    until(now + 1, Stall::selected);
  }
  // Of the cycles in which a pipe or the registers serve others: in the first of each turn they are free, and
  // another warp is chosen.
  double throttled_share(std::uint32_t instruction, Stall reason) const {
    if (reason != Stall::pipe && reason != Stall::dispatch) return 1;
    const Step& step = work_.code[instruction];
    const double interval =
        reason == Stall::pipe ? work_.interval_of(step) : std::max(step.reads[0], step.reads[1]);
    return std::max(0.0, interval - p_.issue_interval) / interval;
  }

  void charge(std::uint32_t instruction, Stall stall, double cycles) {
    result_.stalls[static_cast<std::size_t>(stall)] += cycles;
    result_.stalls_at[instruction][static_cast<std::size_t>(stall)] += cycles;
  }

  void keep(int index, double from, double to, Stall what, std::uint32_t instruction) {
    if (history_ == nullptr || to <= from) return;
    (*history_)[static_cast<std::size_t>(index)].stretches.push_back(
        {from, to, what, instruction, warps_[static_cast<std::size_t>(index)].number});
  }

  void raise(Warp& warp, std::size_t barrier, double until, bool far) {
    if (until < warp.barriers[barrier]) return;
    warp.barriers[barrier] = until;
    warp.far[barrier] = far;
  }

  void use_units(Warp& warp, const Step& step, double now, double& done, bool& far) {
    const auto unit = static_cast<std::size_t>(step.unit);
    read_done_ = now;
    if (step.unit == Unit::none) return;
    auto& pipes = pipe_free_[static_cast<std::size_t>(warp.part)];
    pipes[unit] = now + work_.interval_of(step);
    result_.busy[unit] += work_.interval_of(step);
    if (step.doubles) {  // it takes a turn of their unit too
      const auto fp64 = static_cast<std::size_t>(Unit::fp64);
      const double interval = work_.intervals[fp64];
      pipes[fp64] = std::max(pipes[fp64], now) + interval;
      pipes[unit] = std::max(pipes[unit], pipes[fp64]);
      result_.busy[fp64] += interval;
    }
    if (step.unit == Unit::fma_heavy) {
      auto& fma = pipes[static_cast<std::size_t>(Unit::fma)];
      fma = std::max(fma, now + 1);
    }
    switch (step.unit) {
      case Unit::special:
        done = now + p_.special_latency;
        break;
      case Unit::uniform:
        done = now + 12;
        break;
      case Unit::fp64:
        done = now + 16;
        break;
      case Unit::tensor:
        done = now + p_.tensor_latency;
        break;
      case Unit::shuffle: {
        const double start = std::max(now + 2, lsu_free_);
        lsu_free_ = start + 1;
        result_.shared_turns += 1;
        done = start + p_.shuffle_latency;
        break;
      }
      case Unit::memory:
        access(warp, step, now, done, far);
        break;
      default:
        done = now + 5;
    }
  }

  bool takes_part(const Warp& warp, const Step& step) {
    if (step.cost.active >= 0.999) return true;
    const double place = (warp.order - std::floor(warp.order / 64) * 64 + 0.5) / work_.warps_per_block;
    return place < step.cost.active;
  }
  // Every n-th execution, so that the share comes out.
  static bool next_of(float& sum, double share) {
    sum += static_cast<float>(share);
    if (sum < 1.0f - 1e-4f) return false;
    sum -= 1.0f;
    return true;
  }

  void access(Warp& warp, const Step& step, double now, double& done, bool& far) {
    if (step.access == Access::constant_load) {
      done = load_constants(warp, step, now) + p_.constant_latency;
      return;
    }
    const AccessCost& cost = step.cost;
    const bool is_of_shared = is_shared(step.access);
    double start = std::max(now + 2, lsu_free_);
    // Without a lane an access to shared memory passes the pipe all the same (h200.csv of tools/limiters).
    if (!takes_part(warp, step)) {
      done = now + 6;
      if (!is_of_shared) return;
      lsu_free_ = start + 1;
      result_.shared_turns += 1;
      return;
    }
    if (!is_of_shared) start = std::max(start, std::max(l2_free_, way_free_) - p_.store_queue);
    lsu_free_ = start + cost.turns;
    read_done_ = lsu_free_ + 4;
    (is_of_shared ? result_.shared_turns : result_.l1_turns) += cost.turns;
    if (is_of_shared) {
      done = lsu_free_ - 1 + p_.shared_latency + cost.latency;
      return;
    }
    far = true;
    double arrived = lsu_free_ + p_.l1_latency;
    if (cost.l2_sectors > 0) {
      const double leaves = std::max(lsu_free_ + 4, way_free_);
      way_free_ = leaves + cost.l2_packets / work_.l2_packets_per_cycle;
      result_.l2_packets += cost.l2_packets;
      const double from = std::max(leaves, l2_free_);
      l2_free_ = from + cost.l2_sectors / work_.l2_sectors_per_cycle;
      const double service = cost.dram_sectors / work_.dram_sectors_per_cycle;
      dram_free_ = std::max(dram_free_, from) + service;
      keep_memory_busy(from, service);
      result_.l2_sectors += cost.l2_sectors;
      result_.dram_sectors += cost.dram_sectors;
      if (l2_free_ < dram_free_ - p_.store_queue) l2_free_ = dram_free_ - p_.store_queue;
      const bool miss = next_of(l1_credit_[step.line & 63], cost.l1_miss);
      if (miss) {
        arrived = l2_free_ + p_.l2_latency;
        if (next_of(l2_credit_[step.line & 63], cost.l2_miss))
          arrived = std::max(l2_free_, dram_free_) + p_.dram_latency + wait_in_banks();
      }
    }
    if (step.access == Access::global_store) warp.stored = std::max(warp.stored, l2_free_ + p_.l2_latency);
    done = arrived;
    if (step.access == Access::async_copy) {
      warp.copies = std::max(warp.copies, arrived);
      done = lsu_free_ + 10;
      far = false;
    }
  }

  // When its last turn begins.
  double load_constants(const Warp& warp, const Step& step, double now) {
    if (!step.of_lanes || !takes_part(warp, step)) return now;
    constant_free_ = std::max(now, constant_free_) + step.cost.turns * p_.constant_interval;
    result_.constant_turns += step.cost.turns;
    return constant_free_ - p_.constant_interval;
  }

  // How busy memory was of late: a mean over the time, of which what is long ago counts less and less.
  void keep_memory_busy(double now, double cycles) {
    constexpr double kMemory = 3000;
    memory_busy_ *= std::exp(-std::max(0.0, now - memory_looked_) / kMemory);
    memory_looked_ = std::max(memory_looked_, now);
    memory_busy_ += cycles / kMemory;
  }
  double wait_in_banks() const {
    constexpr double kMost = 0.97;
    const double busy = std::min(memory_busy_, kMost);
    return p_.dram_queue * busy / (1 - busy);
  }

  void arrive(int index, double now) {
    Warp& warp = warps_[static_cast<std::size_t>(index)];
    Slot& slot = slots_[static_cast<std::size_t>(warp.slot)];
    warp.at_barrier = true;
    warp.barrier = warp.instruction;
    ++slot.waiting;
    slot.last_arrival = std::max(slot.last_arrival, now);
    release(warp.slot);
  }
  void release(int s) {
    Slot& slot = slots_[static_cast<std::size_t>(s)];
    if (slot.waiting == 0 || slot.waiting < slot.alive) return;
    const double at = slot.last_arrival + p_.barrier_latency;
    for (int w = 0; w < work_.warps_per_block; ++w) {
      Warp& warp = warps_[static_cast<std::size_t>(s * work_.warps_per_block + w)];
      if (!warp.at_barrier) continue;
      warp.at_barrier = false;
      if (at > warp.ready) {
        const int index = s * work_.warps_per_block + w;
        charge(warp.barrier, Stall::barrier, at - warp.started);
        keep(index, warp.started, at, Stall::barrier, warp.barrier);
        warp.ready = at;
        warp.started = std::max(warp.started, at);
      }
      candidates_[static_cast<std::size_t>(warp.part)].stale = true;
      look_again(s * work_.warps_per_block + w);
    }
    slot.waiting = 0;
    slot.last_arrival = 0;
  }

  void advance(int index, double now) {
    Warp& warp = warps_[static_cast<std::size_t>(index)];
    const Block& block = work_.blocks[warp.block];
    if (++warp.instruction < block.end) return;
    std::uint32_t next = next_block(warp, block);
    if ((block.joins || next == kLeave) && !warp.parted.empty()) {
      next = warp.parted.back();
      warp.parted.pop_back();
    }
    if (next == kLeave) return leave(index, now);
    warp.block = next;
    warp.instruction = work_.blocks[next].first;
  }

  // Whether its lanes take both ways this time.
  bool parts(Warp& warp, const Block& block) const {
    if (warp.splits.empty()) warp.splits.assign(work_.blocks.size(), static_cast<float>(warp.phase));
    return next_of(warp.splits[warp.block], block.splits / block.executed);
  }

  std::uint32_t next_block(Warp& warp, const Block& block) {
    if (block.edges.empty()) return kLeave;
    if (block.edges.size() == 1) return block.edges[0].to;
    double all = 0;
    for (const Edge& edge : block.edges) all += edge.taken;
    if (all <= 1e-6) return block.edges.back().to;
    // The way on: out of a loop, or the rarer one. It is taken when its share has added up to 1; where a warp
    // comes here but once, by its phase.
    const bool first_is_back = block.edges[0].to <= warp.block;
    const std::size_t on = first_is_back || block.edges[1].taken < block.edges[0].taken ? 1 : 0;
    if (block.splits > 1e-3 && parts(warp, block)) {
      warp.parted.push_back(block.edges[on].to);
      return block.edges[1 - on].to;
    }
    const double whole = std::max(all - 2 * block.splits, 1e-6);
    // Never none: it would not leave the loop.
    const double share = std::clamp((block.edges[on].taken - block.splits) / whole, 1e-5, 1.0);
    float& credit = warp.credit[warp.block];
    if (credit < 0) credit = block.executed > 1.5 ? 0 : static_cast<float>(warp.phase);
    return next_of(credit, share) ? block.edges[on].to : block.edges[1 - on].to;
  }

  void leave(int index, double now) {
    Warp& warp = warps_[static_cast<std::size_t>(index)];
    warp.alive = false;
    --alive_;
    auto& part = parts_[static_cast<std::size_t>(warp.part)];
    part.erase(std::find(part.begin(), part.end(), index));
    Slot& slot = slots_[static_cast<std::size_t>(warp.slot)];
    --slot.alive;
    slot.stored = std::max(slot.stored, warp.stored);
    if (slot.alive > 0) return release(warp.slot);
    const double end = std::max(now, slot.stored);
    result_.block_ends.push_back(end);
    if (launched_ < work_.launched) {
      launch(warp.slot, end);
      for (auto& c : candidates_) c.stale = true;
    }
  }

  const SmWork& work_;
  const Parameters& p_;
  std::vector<WarpHistory>* history_;
  std::vector<Warp> warps_;
  std::vector<Waiting> waiting_;
  std::vector<Slot> slots_;
  int parts_in_use_ = std::clamp(static_cast<int>(p_.parts), 1, kMostParts);
  std::array<std::vector<int>, kMostParts> parts_;
  std::array<std::array<double, kUnits>, kMostParts> pipe_free_{};
  std::array<std::array<double, 2>, kMostParts> bank_free_{};
  std::array<double, kMostParts> issue_free_{};
  std::array<int, kMostParts> last_{-1, -1, -1, -1};
  std::array<Candidate, kMostParts> candidates_{};
  std::array<float, 64> l1_credit_{}, l2_credit_{};
  double memory_busy_ = 0, memory_looked_ = 0;
  double lsu_free_ = 0, constant_free_ = 0, way_free_ = 0, l2_free_ = 0, dram_free_ = 0, next_launch_ = 0,
         read_done_ = 0;
  std::uint64_t launched_ = 0;
  std::size_t next_turn_ = 0;
  int alive_ = 0, next_part_ = 0;
  SmResult result_;
};

}  // namespace

SmResult simulate(const SmWork& work, const Parameters& parameters, std::vector<WarpHistory>* history) {
  return Machine(work, parameters, history).run();
}

}  // namespace warplens::time
