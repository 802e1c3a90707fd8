#include "engine/check/lock_order.hpp"

#include <algorithm>

#include "engine/emulator/memory.hpp"

namespace warplens::check {
namespace {

// Of structures with a lock for each element some are enough.
constexpr std::size_t kMostEdges = 4096, kMostThreads = 1u << 16, kMostHeld = 8;

std::uint64_t number_of(const ThreadId& thread) {
  return std::uint64_t{thread.block} << 16 | thread.warp << 5 | thread.lane;
}

std::string name_of(const Scene& scene, std::uint64_t address, std::uint32_t width) {
  const bool shared = address >> 32 << 32 == emulator::kSharedWindow;
  return scene.name_at(shared, shared ? address & emulator::kOwnOffset : address, width);
}

bool is_in(const Loop& loop, std::uint32_t pc) { return pc >= loop.first && pc < loop.end; }

}  // namespace

void LockOrder::take(const Change& change, const Loop& wait) {
  if (held_.size() >= kMostThreads) return;
  std::vector<Held>& own = held_[number_of(change.thread)];
  Edge edge{{change.thread}, change.pc, change.width, {}};
  for (const Held& one : own) edge.gates.insert(one.address);
  for (Held& one : own) {
    // Who gives the first back in the loop in which it tries the second does not wait with it.
    if (wait.end <= wait.first + 1 || is_in(wait, one.pc) || one.then.size() >= kMostHeld) continue;
    Edge to = edge;
    to.gates.erase(one.address);
    one.then.emplace_back(change.address, std::move(to));
  }
  if (own.size() >= kMostHeld) own.erase(own.begin());
  own.push_back({change.address, change.before, change.pc, change.width, {}});
}

void LockOrder::put(const Change& change) {
  const auto found = held_.find(number_of(change.thread));
  if (found == held_.end()) return;
  std::vector<Held>& own = found->second;
  const auto one = std::find_if(own.begin(), own.end(), [&](const Held& held) {
    return held.address == change.address && held.free == change.after;
  });
  if (one == own.end()) return;
  if (locks_.size() < kMostEdges) locks_.insert(one->address);
  for (const auto& [address, edge] : one->then) add({one->address, address}, edge);
  own.erase(one);
  if (own.empty()) held_.erase(found);
}

void LockOrder::add(const Key& key, const Edge& edge) {
  const auto known = edges_.find(key);
  if (known == edges_.end()) {
    if (edges_.size() < kMostEdges) edges_.emplace(key, edge);
    return;
  }
  Edge& same = known->second;
  std::erase_if(same.gates, [&](std::uint64_t gate) { return !edge.gates.contains(gate); });
  if (same.threads.size() < 2 && !(same.threads[0] == edge.threads[0]))
    same.threads.push_back(edge.threads[0]);
}

void LockOrder::tell(Scene& scene) const {
  for (const auto& [key, one] : edges_) {
    const auto [from, to] = key;
    const auto other = from < to ? edges_.find({to, from}) : edges_.end();
    if (other == edges_.end() || !locks_.contains(from) || !locks_.contains(to)) continue;
    const bool has_gate = std::any_of(one.gates.begin(), one.gates.end(),
                                      [&](std::uint64_t gate) { return other->second.gates.contains(gate); });
    if (!has_gate && scene.is_new(Kind::deadlock, one.pc, other->second.pc))
      tell(scene, key, one, other->second);
  }
}

void LockOrder::tell(Scene& scene, const Key& key, const Edge& one, const Edge& other) const {
  const ThreadId& first = one.threads[0];
  const ThreadId* second = nullptr;
  for (const ThreadId& thread : other.threads)
    if (!(thread == first)) second = &thread;
  if (second == nullptr && one.threads.size() > 1) return tell(scene, {key.second, key.first}, other, one);
  if (second == nullptr) return;  // one thread takes them in both orders, one after the other
  const std::string held = name_of(scene, key.first, other.width),
                    taken = name_of(scene, key.second, one.width);
  Finding finding;
  finding.kind = Kind::deadlock;
  scene.set_line(finding, one.pc);
  finding.other_line = scene.line(other.pc);
  finding.at = scene.place(first);
  finding.other = scene.place(*second);
  finding.message = scene.words(first) + " waits for " + taken + " while it holds " + held + ", and " +
                    scene.words(*second) + " waits for " + held + " while it holds " + taken +
                    ": both may wait for ever";
  finding.fix = "let all threads take " + held + " and " + taken + " in the same order";
  scene.add(std::move(finding));
}

void LaneLocks::fail(const ThreadId& thread, std::uint64_t address, std::uint32_t pc) {
  waits_[number_of(thread)] = {address, pc};
}

void LaneLocks::take(const ThreadId& thread, std::uint64_t address) {
  waits_.erase(number_of(thread));
  holders_[address] = number_of(thread);
}

void LaneLocks::put(Scene& scene, const ThreadId& thread, std::uint64_t address, std::uint32_t width,
                    std::uint32_t pc) {
  const auto holder = holders_.find(address);
  if (holder == holders_.end() || holder->second != number_of(thread)) return;
  holders_.erase(holder);
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    const ThreadId other{thread.block, thread.warp, lane};
    const auto wait = waits_.find(number_of(other));
    if (lane == thread.lane || wait == waits_.end() || wait->second.address != address) continue;
    const Loop loop = loop_around(scene.function(), wait->second.pc);
    const bool is_tried_again = loop.end > loop.first + 1, is_inside = pc >= loop.first && pc < loop.end;
    if (!is_tried_again || is_inside || !scene.is_new(Kind::deadlock, wait->second.pc, pc)) continue;
    const std::string word = name_of(scene, address, width);
    Finding finding;
    finding.kind = Kind::deadlock;
    scene.set_line(finding, wait->second.pc);
    finding.other_line = scene.line(pc);
    finding.at = scene.place(other), finding.other = scene.place(thread);
    finding.address = word;
    finding.message =
        scene.words(other) + " waits in this loop for " + word + ", which " + scene.words(thread) +
        " of its warp has taken and sets back at line " + std::to_string(finding.other_line) +
        ", behind the loop: before compute capability 7.0 the lanes of a warp leave a loop together, "
        "so neither goes on";
    finding.fix = "set " + word +
                  " back inside the loop: if (atomicCAS(...) == 0) { ...; atomicExch(...); done = true; }";
    scene.add(std::move(finding));
    return;
  }
}

}  // namespace warplens::check
