#include "engine/time/scheduler.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "engine/time/async_units.hpp"
#include "engine/time/scheduler_state.hpp"

namespace warplens::time {
namespace {

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
    if (work.async != nullptr) async_.emplace(work, parameters, warps_.size());
    flows_.assign(static_cast<std::size_t>(work.warps_per_block), &work.blocks);
    for (const WarpRole& role : work.roles)
      for (const int warp : role.warps) flows_[static_cast<std::size_t>(warp)] = &role.blocks;
  }

  SmResult run() {
    for (int s = 0; s < work_.resident && launched_ < work_.launched; ++s) launch(s, 0);
    const double most = most_instructions();
    while (alive_ > 0 && !result_.runs_away) {
      if (!step() && !force()) break;
      result_.runs_away = result_.instructions > most;
    }
    if (result_.runs_away)
      result_.block_ends.assign(static_cast<std::size_t>(work_.launched),
                                most);  // what they are is of no use
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
    slot = {.alive = work_.warps_per_block};
    if (async_) async_->begin(static_cast<std::size_t>(s * work_.warps_per_block));
    for (int w = 0; w < work_.warps_per_block; ++w) {
      const std::size_t index = static_cast<std::size_t>(s * work_.warps_per_block + w);
      Warp& warp = warps_[index];
      warp = Warp{};
      warp.slot = s;
      warp.code = flows_[static_cast<std::size_t>(w)];
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
  std::size_t place_of(const Warp& warp) const { return static_cast<std::size_t>(&warp - warps_.data()); }
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
    if (async_ && step.async != Async::none)
      if (const double time = async_->may_go_on(place_of(warp), step); time > e.time)
        e = {time, step.async == Async::wait_for_products ? Stall::pipe : Stall::barrier};
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
    if (waiting.queues && ways_.lsu_free - p_.queue > e.time)
      e = {ways_.lsu_free - p_.queue, Stall::memory_throttle};
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
    if (async_ && step.async != Async::none && step.control != Control::barrier)
      run_beside(warp, step, now, done);
    else
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
        const double start = std::max(now + 2, ways_.lsu_free);
        ways_.lsu_free = start + 1;
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
    double start = std::max(now + 2, ways_.lsu_free);
    // Without a lane an access to shared memory passes the pipe all the same (h200.csv of tools/limiters).
    if (!takes_part(warp, step)) {
      done = now + 6;
      if (!is_of_shared) return;
      ways_.lsu_free = start + 1;
      result_.shared_turns += 1;
      return;
    }
    if (!is_of_shared) start = std::max(start, std::max(ways_.l2_free, ways_.way_free) - p_.store_queue);
    ways_.lsu_free = start + cost.turns;
    read_done_ = ways_.lsu_free + 4;
    (is_of_shared ? result_.shared_turns : result_.l1_turns) += cost.turns;
    if (is_of_shared) {
      done = ways_.lsu_free - 1 + p_.shared_latency + cost.latency;
      return;
    }
    far = true;
    double arrived = ways_.lsu_free + p_.l1_latency;
    if (cost.l2_sectors > 0) {
      const double leaves = std::max(ways_.lsu_free + 4, ways_.way_free);
      ways_.way_free = leaves + cost.l2_packets / work_.l2_packets_per_cycle;
      result_.l2_packets += cost.l2_packets;
      const double from = std::max(leaves, ways_.l2_free);
      ways_.l2_free = from + cost.l2_sectors / work_.l2_sectors_per_cycle;
      const double service = cost.dram_sectors / work_.dram_sectors_per_cycle;
      ways_.dram_free = std::max(ways_.dram_free, from) + service;
      ways_.keep_memory_busy(from, service);
      result_.l2_sectors += cost.l2_sectors;
      result_.dram_sectors += cost.dram_sectors;
      if (ways_.l2_free < ways_.dram_free - p_.store_queue) ways_.l2_free = ways_.dram_free - p_.store_queue;
      const bool miss = next_of(l1_credit_[step.line & 63], cost.l1_miss);
      if (miss) {
        arrived = ways_.l2_free + p_.l2_latency;
        if (next_of(l2_credit_[step.line & 63], cost.l2_miss))
          arrived = std::max(ways_.l2_free, ways_.dram_free) + p_.dram_latency + ways_.wait_in_banks();
      }
    }
    if (step.access == Access::global_store)
      warp.stored = std::max(warp.stored, ways_.l2_free + p_.l2_latency);
    done = arrived;
    if (step.access == Access::async_copy) {
      warp.copies = std::max(warp.copies, arrived);
      done = ways_.lsu_free + 10;
      far = false;
    }
  }

  // When its last turn begins.
  double load_constants(const Warp& warp, const Step& step, double now) {
    if (!step.of_lanes || !takes_part(warp, step)) return now;
    ways_.constant_free = std::max(now, ways_.constant_free) + step.cost.turns * p_.constant_interval;
    result_.constant_turns += step.cost.turns;
    return ways_.constant_free - p_.constant_interval;
  }

  void arrive(int index, double now) {
    Warp& warp = warps_[static_cast<std::size_t>(index)];
    const Step& step = work_.code[warp.instruction];
    const AsyncUnits::Told told = async_ ? async_->told(place_of(warp), step) : AsyncUnits::Told{};
    const std::uint32_t name = told.count > 0 ? told.first->barrier % 16 : 0;
    Slot::Meeting& meeting = slots_[static_cast<std::size_t>(warp.slot)].meetings[name];
    if (told.count > 0) meeting.expected = static_cast<int>(told.first->count);
    meeting.threads += 32;
    meeting.last_arrival = std::max(meeting.last_arrival, now);
    if (step.async != Async::arrive) {
      warp.at_barrier = true;
      warp.barrier = warp.instruction, warp.barrier_name = name;
      ++meeting.waiting;
    }
    release(warp.slot, name);
  }
  void release(int s, std::uint32_t name) {
    Slot& slot = slots_[static_cast<std::size_t>(s)];
    Slot::Meeting& meeting = slot.meetings[name];
    const bool all =
        meeting.expected > 0 ? meeting.threads >= meeting.expected : meeting.waiting >= slot.alive;
    if (meeting.waiting == 0 || !all) return;
    const double at = meeting.last_arrival + p_.barrier_latency;
    for (int w = 0; w < work_.warps_per_block; ++w) {
      Warp& warp = warps_[static_cast<std::size_t>(s * work_.warps_per_block + w)];
      if (!warp.at_barrier || warp.barrier_name != name) continue;
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
    meeting = {};
  }

  // ---- what runs beside the warps

  void run_beside(Warp& warp, const Step& step, double now, double& done) {
    const std::size_t place = place_of(warp);
    const AsyncUnits::Told told = async_->told(place, step);
    bool tells = false;
    switch (step.async) {
      case Async::arrive:
        for (std::size_t i = 0; i < told.count; ++i) {
          ways_.lsu_free = std::max(now, ways_.lsu_free) + p_.arrival_interval;
          const double far = told.first[i].is_remote ? p_.arrival_remote : 0;
          const double from =
              told.first[i].after_copies ? std::max(ways_.lsu_free, warp.copies) : ways_.lsu_free;
          tells |= async_->arrive(place, told.first[i], from + p_.arrival_latency + far);
        }
        break;
      case Async::wait:
        done = now + p_.phase_test;
        break;
      case Async::load: {
        const double at = ways_.load_bulk(step.cost, now);
        for (std::size_t i = 0; i < told.count; ++i) tells |= async_->bring(place, told.first[i], at);
        break;
      }
      case Async::store:
        done = ways_.store_bulk(step.cost, now);
        async_->store(place, done + p_.bulk_read);
        warp.stored = std::max(warp.stored, done + p_.l2_latency);
        break;
      case Async::multiply:
        done = multiply(warp, step, now);
        async_->give_product(place, done, step.closes_group);
        break;
      case Async::cluster_arrive:
        tells = async_->arrive_at_cluster(place, now);
        break;
      default:
        break;
    }
    if (tells) wake(warp.slot);
  }

  // By one part of the SM for its warp of the group. All four read the operands once.
  double multiply(const Warp& warp, const Step& step, double now) {
    auto& pipe = pipe_free_[static_cast<std::size_t>(warp.part)][static_cast<std::size_t>(Unit::tensor)];
    ways_.lsu_free = std::max(now, ways_.lsu_free) + step.cost.operands;
    result_.shared_turns += step.cost.operands;
    const double interval = work_.interval_of(step);
    pipe = std::max(now + interval, ways_.lsu_free);
    result_.busy[static_cast<std::size_t>(Unit::tensor)] += interval;
    return pipe + p_.group_latency;
  }

  void wake(int s) {
    for (int w = 0; w < work_.warps_per_block; ++w) {
      const int index = s * work_.warps_per_block + w;
      const Warp& warp = warps_[static_cast<std::size_t>(index)];
      if (!warp.alive || std::isfinite(waiting_[static_cast<std::size_t>(index)].own.time)) continue;
      candidates_[static_cast<std::size_t>(warp.part)].stale = true;
      look_again(index);
    }
  }
  // Nobody can go on: the blocks of a cluster, taken to be alike, are not. Who waited longest does.
  bool force() {
    int first = -1;
    for (int index = 0; index < static_cast<int>(warps_.size()); ++index) {
      const Warp& warp = warps_[static_cast<std::size_t>(index)];
      if (!warp.alive || std::isfinite(waiting_[static_cast<std::size_t>(index)].own.time)) continue;
      if (first < 0 || warp.ready < warps_[static_cast<std::size_t>(first)].ready) first = index;
    }
    if (first < 0) return false;
    async_->forced(static_cast<std::size_t>(first));
    ++result_.forced;
    wake(warps_[static_cast<std::size_t>(first)].slot);
    return true;
  }

  void advance(int index, double now) {
    Warp& warp = warps_[static_cast<std::size_t>(index)];
    const Block& block = (*warp.code)[warp.block];
    if (++warp.instruction < block.end) return;
    std::uint32_t next = next_block(warp, block);
    if ((block.joins || next == kLeave) && !warp.parted.empty()) {
      next = warp.parted.back();
      warp.parted.pop_back();
    }
    if (next == kLeave) return leave(index, now);
    warp.block = next;
    warp.instruction = (*warp.code)[next].first;
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
    if (slot.alive > 0) return release(warp.slot, 0);
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
  std::optional<AsyncUnits> async_;
  std::vector<const std::vector<Block>*> flows_;  // of each warp of a block
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
  double next_launch_ = 0, read_done_ = 0;
  std::uint64_t launched_ = 0;
  std::size_t next_turn_ = 0;
  int alive_ = 0, next_part_ = 0;
  SmResult result_;
  SmWays ways_{work_, p_, result_};
};

}  // namespace

SmResult simulate(const SmWork& work, const Parameters& parameters, std::vector<WarpHistory>* history) {
  return Machine(work, parameters, history).run();
}

}  // namespace warplens::time
