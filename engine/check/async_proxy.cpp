#include "engine/check/async_proxy.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/text.hpp"
#include "engine/check/order/lanes.hpp"
#include "engine/tensor/swizzle.hpp"

namespace warplens::check {

using emulator::WatchedStep;
using ptx::Opcode, ptx::Operand;

namespace {

constexpr std::uint32_t kLanes = 32;

template <class Visit>
void for_each_register(const Operand& operand, Visit visit) {
  if (operand.kind == Operand::Kind::reg) visit(operand.register_id);
  for (const Operand& element : operand.elements)
    if (element.kind == Operand::Kind::reg) visit(element.register_id);
}

// "line 12", or the kernel where that is not known.
std::string place_words(const Scene& scene, std::uint32_t pc) {
  const int line = scene.line(pc);
  return line > 0 ? fmt::format("line {}", line) : "the kernel";
}

constexpr std::size_t kSums = 0, kFactors = 1;  // operands of wgmma.mma_async

}  // namespace

ProductRegisters::ProductRegisters(const ptx::Function& function)
    : sums(function.registers.size()), factors(function.registers.size()) {
  for (const ptx::Instruction& i : function.code) {
    if (i.opcode != Opcode::wgmma_mma_async) continue;
    any = true;
    for_each_register(i.operands[kSums], [&](ptx::RegisterId r) { sums[r] = true; });
    if (i.operands[kFactors].kind == Operand::Kind::vector)
      for_each_register(i.operands[kFactors], [&](ptx::RegisterId r) { factors[r] = true; });
  }
}

AsyncProxy::AsyncProxy(Scene& scene, const ProductRegisters& registers, std::uint32_t block,
                       std::uint32_t warps)
    : scene_(scene),
      registers_(registers),
      block_(block),
      warps_(warps),
      begun_(warps / kWarpsOfGroup + 1),
      read_now_(scene.facts().shared_bytes / tensor::kChunkBytes + 1) {}

void AsyncProxy::add(Kind kind, const WatchedStep& step, std::uint32_t lane, std::uint32_t other_pc,
                     std::string what, std::string fix) {
  if (!scene_.is_new(kind, step.pc, other_pc)) return;
  const ThreadId thread{block_, step.warp, lane};
  Finding finding;
  finding.kind = kind;
  scene_.set_line(finding, step.pc);
  finding.other_line = scene_.line(other_pc);
  finding.at = scene_.place(thread);
  finding.message = scene_.words(thread) + " " + std::move(what);
  finding.fix = std::move(fix);
  scene_.add(std::move(finding));
}

// ---- registers

void AsyncProxy::check_held(const WatchedStep& step, const std::unordered_map<ptx::RegisterId, Held>& held,
                            ptx::RegisterId r, const char* does) {
  const auto found = held.find(r);
  if (found == held.end()) return;
  add(Kind::register_in_flight, step, lowest(step.exec), found->second.pc,
      fmt::format("{} a register of the wgmma at {}, which is not waited for", does,
                  place_words(scene_, found->second.pc)),
      "put wgmma.commit_group behind the products and wgmma.wait_group before their registers are used");
}

void AsyncProxy::other_step(const WatchedStep& step, const std::vector<ptx::RegisterId>& read,
                            const std::vector<ptx::RegisterId>& written) {
  WarpState& warp = warps_[step.warp];
  for (const ptx::RegisterId r : read)
    if (registers_.sums[r]) check_held(step, warp.sums, r, "reads");
  for (const ptx::RegisterId r : written) {
    if (!registers_.sums[r] && !registers_.factors[r]) continue;
    check_held(step, registers_.sums[r] ? warp.sums : warp.factors, r, "changes");
    warp.changed[r] = step.pc;
  }
}

void AsyncProxy::fence_registers(const WatchedStep& step) {
  warps_[step.warp].fenced = true;
  warps_[step.warp].changed.clear();
}

void AsyncProxy::check_fence(const WatchedStep& step, ptx::RegisterId r) {
  const WarpState& warp = warps_[step.warp];
  const auto changed = warp.changed.find(r);
  if (changed == warp.changed.end() && warp.fenced) return;
  const std::uint32_t other = changed == warp.changed.end() ? step.pc : changed->second;
  add(Kind::register_in_flight, step, lowest(step.exec), other,
      changed == warp.changed.end()
          ? "executes wgmma before any wgmma.fence"
          : fmt::format("executes wgmma on registers that {} changed, with no wgmma.fence in between",
                        place_words(scene_, other)),
      "put wgmma.fence before the first product behind what changes its registers");
}

bool AsyncProxy::begin_product(const WatchedStep& step) {
  WarpState& warp = warps_[step.warp];
  const auto& operands = step.instruction->operands;
  for_each_register(operands[kSums], [&](ptx::RegisterId r) { check_fence(step, r); });
  for_each_register(operands[kSums], [&](ptx::RegisterId r) { warp.sums[r] = {step.pc, warp.committed}; });
  if (operands[kFactors].kind == Operand::Kind::vector)
    for_each_register(operands[kFactors], [&](ptx::RegisterId r) {
      check_fence(step, r);
      warp.factors[r] = {step.pc, warp.committed};
    });
  if (warp.issued == 0) warp.first_pc = step.pc;
  std::uint32_t& begun = begun_[step.warp / kWarpsOfGroup];
  if (warp.issued++ < begun) return false;
  ++begun;
  return true;
}

Chunks AsyncProxy::wait_for_products(const WatchedStep& step, std::int64_t keep) {
  WarpState& warp = warps_[step.warp];
  const std::int64_t before = std::int64_t{warp.committed} - keep;
  const auto is_due = [&](const auto& held) { return std::int64_t{held.second.group} < before; };
  std::erase_if(warp.sums, is_due);
  std::erase_if(warp.factors, is_due);
  return retire([&](const Reading& one) {
    return one.by_product && one.who == step.warp / kWarpsOfGroup && std::int64_t{one.number} < before;
  });
}

void AsyncProxy::set_registers(const WatchedStep& step, std::uint32_t count) {
  WarpState& warp = warps_[step.warp];
  const std::uint32_t launched = scene_.facts().registers;
  const std::uint32_t now = warp.registers != 0 ? warp.registers : launched;
  const bool gives = step.instruction->atomic == ptx::AtomicOp::dec;
  if (launched != 0 && (gives ? count > now : count < now))
    add(Kind::register_pool, step, lowest(step.exec), step.pc,
        fmt::format("{} registers down to {} a thread with setmaxnreg, but has {}", gives ? "gives" : "takes",
                    count, now),
        gives ? "give setmaxnreg.dec fewer than the thread has" : "give setmaxnreg.inc more than it has");
  warp.registers = count, warp.registers_pc = step.pc;
}

// ---- shared memory

void AsyncProxy::fence(const WatchedStep& step, std::uint32_t moment) {
  for_each_lane(step.exec, [&](std::uint32_t lane) { warps_[step.warp].shown[lane] = moment; });
}

bool AsyncProxy::is_shown(const Stamp& write, const WatchedStep& reader) const {
  if (write.block != block_ + 1) return true;
  const auto shows = [&](std::uint32_t warp, std::uint32_t lanes) {
    bool any = false;
    for_each_lane(lanes, [&](std::uint32_t lane) { any |= warps_[warp].shown[lane] > write.step; });
    return any;
  };
  return shows(write.warp, write.lanes) || shows(reader.warp, reader.exec);
}

void AsyncProxy::tell_not_shown(const Stamp& write, const WatchedStep& reader, std::uint32_t offset) {
  const ThreadId writer{write.block - 1, write.warp, lowest(write.lanes)};
  add(Kind::missing_proxy_fence, reader, lowest(reader.exec), write.pc,
      fmt::format(
          "has {} read past the threads, but what {} wrote there at {} is not shown to that: there is no "
          "fence.proxy.async behind it",
          scene_.shared_name(offset, 4), scene_.words(writer), place_words(scene_, write.pc)),
      "put fence.proxy.async behind the stores, in the threads that made them, and a barrier behind that");
}

void AsyncProxy::read_by_product(const WatchedStep& step, Chunks chunks) {
  for (const std::uint32_t chunk : chunks) ++read_now_[chunk];
  readings_.push_back({true,
                       step.warp / kWarpsOfGroup,
                       warps_[step.warp].committed,
                       step.pc,
                       {block_, step.warp, lowest(step.exec)},
                       std::move(chunks)});
}

void AsyncProxy::read_by_copy(const WatchedStep& step, std::uint32_t lane, Chunks chunks) {
  for (const std::uint32_t chunk : chunks) ++read_now_[chunk];
  readings_.push_back({false,
                       step.warp * kLanes + lane,
                       warps_[step.warp].copies_committed[lane],
                       step.pc,
                       {block_, step.warp, lane},
                       std::move(chunks)});
}

void AsyncProxy::commit_copies(const WatchedStep& step) {
  for_each_lane(step.exec, [&](std::uint32_t lane) { ++warps_[step.warp].copies_committed[lane]; });
}

void AsyncProxy::wait_for_copies(const WatchedStep& step, std::int64_t keep) {
  retire([&](const Reading& one) {
    if (one.by_product || one.who / kLanes != step.warp) return false;
    const std::uint32_t lane = one.who % kLanes;
    return (step.exec >> lane & 1) != 0 &&
           std::int64_t{one.number} < std::int64_t{warps_[step.warp].copies_committed[lane]} - keep;
  });
}

template <class IsDue>
Chunks AsyncProxy::retire(IsDue is_due) {
  Chunks read;
  std::erase_if(readings_, [&](const Reading& one) {
    if (!is_due(one)) return false;
    for (const std::uint32_t chunk : one.chunks) --read_now_[chunk];
    read.insert(read.end(), one.chunks.begin(), one.chunks.end());
    return true;
  });
  std::ranges::sort(read);
  read.erase(std::unique(read.begin(), read.end()), read.end());
  return read;
}

void AsyncProxy::write(const WatchedStep& step, std::uint32_t lane, std::uint32_t offset,
                       std::uint32_t width) {
  for (std::uint32_t chunk = offset / tensor::kChunkBytes; chunk * tensor::kChunkBytes < offset + width;
       ++chunk) {
    if (chunk >= read_now_.size() || read_now_[chunk] == 0) continue;
    const auto reading = std::ranges::find_if(readings_, [&](const Reading& one) {
      return std::ranges::find(one.chunks, chunk) != one.chunks.end();
    });
    if (reading == readings_.end()) return;
    return add(Kind::race_async, step, lane, reading->pc,
               fmt::format("puts something else in {} while the {} that {} began at {} may still read it",
                           scene_.shared_name(offset, 4), reading->by_product ? "wgmma" : "copy",
                           scene_.words(reading->thread), place_words(scene_, reading->pc)),
               reading->by_product
                   ? "wait for the products (wgmma.wait_group) before the stage is said to be empty"
                   : "wait for the copy (cp.async.bulk.wait_group.read) and put a barrier behind that");
  }
}

// ---- at the end of the block

void AsyncProxy::finish(bool ended) {
  if (registers_.any) check_groups();
  check_register_groups();
  check_pool();
  if (ended) check_stores();
}

// setmaxnreg is of whole warp groups (PTX ISA, setmaxnreg).
void AsyncProxy::check_register_groups() {
  for (std::size_t w = 0; w < warps_.size(); ++w) {
    const auto first = w / kWarpsOfGroup * kWarpsOfGroup;
    if (warps_[w].registers == 0) continue;
    for (std::size_t other = first; other < std::min(first + kWarpsOfGroup, warps_.size()); ++other) {
      if (warps_[other].registers != 0) continue;
      WatchedStep step;
      step.pc = warps_[w].registers_pc, step.warp = static_cast<std::uint32_t>(w);
      add(Kind::partial_warp_group, step, 0, step.pc,
          fmt::format("executes setmaxnreg, and warp {} of its warp group (warps {} to {}) does not", other,
                      first, first + kWarpsOfGroup - 1),
          "let whole warp groups take a role: four warps from a multiple of four on");
      break;
    }
  }
}

// Shared memory ends with the block.
void AsyncProxy::check_stores() {
  for (const Reading& one : readings_) {
    if (one.by_product) continue;
    WatchedStep step;
    step.pc = one.pc, step.warp = one.who / kLanes;
    add(Kind::race_async, step, one.who % kLanes, one.pc,
        fmt::format(
            "ends, and its block with it, while the copy that it began may still read {}",
            scene_.shared_name(static_cast<std::uint32_t>(one.chunks.front() * tensor::kChunkBytes), 4)),
        "wait for the copy (cp.async.bulk.wait_group.read) before the end");
  }
}

void AsyncProxy::check_groups() {
  for (std::size_t first = 0; first < warps_.size(); first += kWarpsOfGroup) {
    const auto end =
        warps_.begin() + static_cast<std::ptrdiff_t>(std::min(first + kWarpsOfGroup, warps_.size()));
    const auto begin = warps_.begin() + static_cast<std::ptrdiff_t>(first);
    const auto [least, most] = std::minmax_element(
        begin, end, [](const WarpState& a, const WarpState& b) { return a.issued < b.issued; });
    if (least->issued == most->issued) continue;
    WatchedStep step;
    step.pc = most->first_pc, step.warp = static_cast<std::uint32_t>(most - warps_.begin());
    const auto other = least - warps_.begin();
    add(Kind::partial_warp_group, step, 0, step.pc,
        fmt::format(
            "executes wgmma {} times, and warp {} of its warp group (warps {} to {}) {}",
            grouped(std::uint64_t{most->issued}), other, first, first + kWarpsOfGroup - 1,
            least->issued == 0 ? "never" : fmt::format("{} times", grouped(std::uint64_t{least->issued}))),
        "let whole warp groups take a role: four warps from a multiple of four on");
  }
}

void AsyncProxy::check_pool() {
  const std::uint32_t launched = scene_.facts().registers;
  std::uint64_t asked = 0;
  const WarpState* last = nullptr;
  for (const WarpState& warp : warps_) {
    asked += std::uint64_t{warp.registers != 0 ? warp.registers : launched} * kLanes;
    if (warp.registers > launched && last == nullptr) last = &warp;
  }
  const std::uint64_t pool = std::uint64_t{launched} * kLanes * warps_.size();
  if (launched == 0 || last == nullptr || asked <= pool) return;
  WatchedStep step;
  step.pc = last->registers_pc, step.warp = static_cast<std::uint32_t>(last - warps_.data());
  add(Kind::register_pool, step, 0, step.pc,
      fmt::format(
          "takes {} registers with setmaxnreg, and the warps of its block then want {} together, of {} with "
          "which it was launched ({} a thread): it waits for ever",
          last->registers, grouped(asked), grouped(pool), launched),
      "let the other warps give back more, or take fewer");
}

void tell_bytes(Scene& scene, const BytesOfBarriers& bytes, bool stopped) {
  const auto& cluster = scene.facts().kernel->together().cluster;
  const bool is_in_cluster = cluster[0] * cluster[1] * cluster[2] > 1;
  if (stopped && is_in_cluster) return;  // the others may not have come to their copies
  for (const auto& [place, one] : bytes) {
    if (one.expected == one.brought) continue;
    const std::uint32_t pc = one.expected > 0 ? one.expect_pc : one.copy_pc;
    if (!scene.is_new(Kind::transaction_bytes, pc, one.copy_pc)) continue;
    Finding finding;
    finding.kind = Kind::transaction_bytes;
    scene.set_line(finding, pc);
    finding.other_line = scene.line(one.copy_pc);
    finding.at = scene.place(one.thread);
    finding.address = scene.shared_name(place.second, 8);
    finding.message = fmt::format("the barrier {} expects {} bytes in all, and copies bring {}",
                                  finding.address, grouped(one.expected), grouped(one.brought));
    finding.fix =
        "let each phase expect the bytes of the boxes that arrive in it, zeros outside of the matrix too";
    scene.add(std::move(finding));
  }
}

}  // namespace warplens::check
