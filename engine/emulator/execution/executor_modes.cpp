// Changing between the fast and the general code of a kernel.
//
// The fast code may run while other lanes of the warp wait elsewhere only if it cannot write a register that
// they still need. That is decided where a group starts to run, from the code it can reach before another
// group's turn.
#include <algorithm>

#include "engine/emulator/execution/executor.hpp"

namespace warplens::emulator {

using ptx::RegisterId;

const std::vector<RegisterId>& Executor::live_scalars(std::uint32_t pc) {
  auto& entry = live_scalars_[pc];
  if (entry == nullptr) {
    entry = std::make_unique<std::vector<RegisterId>>();
    code_->flow->live_before(pc).for_each([&](std::size_t r) {
      const RegisterPlace& place = code_->registers[r];
      if (place.bytes != 0 && place.cls != RegisterClass::varying)
        entry->push_back(static_cast<RegisterId>(r));
    });
  }
  return *entry;
}

bool Executor::needs_general(const Warp& warp, std::uint32_t stop) {
  std::vector<std::uint32_t> key;
  for (const Group& group : warp.groups) key.push_back(group.pc);
  std::sort(key.begin(), key.end());
  key.push_back(stop);
  key.push_back(warp.running.pc);
  const auto [known, fresh] = conflicts_.try_emplace(key, false);
  if (fresh) {
    key.resize(key.size() - 2);
    known->second = find_conflict(warp.running.pc, stop, key);
  }
  return known->second;
}

// Whether code reachable from pc, up to where it is another group's turn, writes a register that is live where another group waits.
// Predicates do not count: they are written lane by lane in both codes.
bool Executor::find_conflict(std::uint32_t pc, std::uint32_t stop,
                             const std::vector<std::uint32_t>& waiting) const {
  const Flow& flow = *code_->flow;
  const auto& code = code_->function.code;
  BitSet needed(flow.register_count());
  for (std::uint32_t at : waiting) needed.merge(flow.live_before(at));
  std::vector<bool> seen(code.size() + 1, false);
  std::vector<std::uint32_t> starts{pc};
  std::vector<RegisterId> written, read;
  while (!starts.empty()) {
    std::uint32_t at = starts.back();
    starts.pop_back();
    if (at >= code.size() || seen[at]) continue;
    const BasicBlock& block = flow.blocks()[flow.block_of(at)];
    bool stopped = false;
    for (; at < block.end && !stopped; ++at) {
      if (code_->turn(at) >= stop || seen[at]) {
        stopped = true;
        break;
      }
      seen[at] = true;
      registers_of(code[at], written, read);
      for (RegisterId r : written)
        if (code_->registers[r].bytes != 0 && needed.test(r)) return true;
    }
    if (stopped) continue;
    for (std::uint32_t next : block.successors) starts.push_back(flow.blocks()[next].begin);
  }
  return false;
}

namespace {
template <class T>
void expand(std::byte* regs, const RegisterPlace& place) {
  const ScalarForm form = *reinterpret_cast<const ScalarForm*>(regs + place.scalar);
  T* lanes = reinterpret_cast<T*>(regs + place.vector);
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    lanes[lane] = static_cast<T>(form.base + form.stride * lane);
}

// The scalar form of the active lanes of a register, if they have one.
template <class T>
bool contract(std::byte* regs, const RegisterPlace& place, std::uint32_t active) {
  const T* lanes = reinterpret_cast<const T*>(regs + place.vector);
  const auto first = static_cast<std::uint32_t>(__builtin_ctz(active));
  const std::uint32_t rest = active & (active - 1);
  T stride = 0;
  if (place.cls == RegisterClass::affine && rest != 0) {
    const auto second = static_cast<std::uint32_t>(__builtin_ctz(rest));
    using Signed = std::make_signed_t<T>;
    stride = static_cast<T>(static_cast<Signed>(lanes[second] - lanes[first]) /
                            static_cast<Signed>(second - first));
  }
  const T base = lanes[first] - stride * static_cast<T>(first);
  for (std::uint32_t mask = rest; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(mask));
    if (lanes[lane] != static_cast<T>(base + stride * static_cast<T>(lane))) return false;
  }
  *reinterpret_cast<ScalarForm*>(regs + place.scalar) = {base, stride};
  return true;
}
}  // namespace

void Executor::make_general(Warp& warp, std::uint32_t pc) {
  const auto expand_live = [&](std::uint32_t at) {
    for (RegisterId r : live_scalars(at)) {
      const RegisterPlace& place = code_->registers[r];
      if (place.vector_kept) continue;
      if (place.bytes == 8)
        expand<std::uint64_t>(warp.regs, place);
      else
        expand<std::uint32_t>(warp.regs, place);
    }
  };
  expand_live(pc);
  for (const Group& group : warp.groups) expand_live(group.pc);
  warp.general = true;
}

bool Executor::make_fast(Warp& warp) {
  const std::uint32_t pc = warp.running.pc;
  if (give_up_[pc] != 0) return false;
  for (RegisterId r : live_scalars(pc)) {
    const RegisterPlace& place = code_->registers[r];
    const bool fits = place.bytes == 8 ? contract<std::uint64_t>(warp.regs, place, warp.active)
                                       : contract<std::uint32_t>(warp.regs, place, warp.active);
    if (fits) continue;
    give_up_[pc] = 1;
    demote(r);
    return false;
  }
  warp.general = false;
  return true;
}

void Executor::demote(RegisterId shared) {
  const auto& members = code_->members[shared];
  demoted_.insert(demoted_.end(), members.begin(), members.end());
}

std::vector<RegisterId> Executor::take_demoted() {
  std::vector<RegisterId> taken;
  taken.swap(demoted_);
  return taken;
}

}  // namespace warplens::emulator
