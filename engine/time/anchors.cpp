#include "engine/time/anchors.hpp"

#include <map>
#include <set>

#include "engine/emulator/semantics/matrix.hpp"

namespace warplens::time {
namespace {

// Kinds of which ptxas makes more than the PTX has, in what becomes of this instruction. sin and its kind are
// scaled before or after, where small numbers count.
std::vector<Anchor> blurs(const ptx::Instruction& i) {
  using ptx::Opcode;
  const bool is_double = i.type == ptx::Type::f64;
  switch (i.opcode) {
    case Opcode::div:
    case Opcode::rem:
    case Opcode::rcp:
    case Opcode::sqrt:
    case Opcode::rsqrt:
      return {is_double ? Anchor::fp64 : Anchor::fp32, Anchor::function};
    case Opcode::sin:
    case Opcode::cos:
      return {Anchor::fp32};
    case Opcode::ex2:
    case Opcode::lg2:
      return i.ftz ? std::vector<Anchor>{} : std::vector{Anchor::fp32};
    default:
      return {};
  }
}

int accesses_of(const ptx::Instruction& i) {
  const bool is_wmma = i.opcode == ptx::Opcode::wmma_load || i.opcode == ptx::Opcode::wmma_store;
  return is_wmma ? emulator::wmma_accesses(i).number : 1;
}

std::set<AnchorKey> blurred_keys(const ptx::Function& function) {
  std::set<AnchorKey> keys;
  for (const ptx::Instruction& instruction : function.code)
    for (const Anchor anchor : blurs(instruction)) keys.insert({line_of(function, instruction), anchor});
  return keys;
}

}  // namespace

Anchor anchor_of(const Instruction& i) {
  if (i.arithmetic != Anchor::none) return i.arithmetic;
  if (i.control == Control::barrier) return Anchor::barrier;
  if (i.unit == Unit::shuffle) return Anchor::shuffle;
  switch (i.access) {
    case Access::shared_load:
      return Anchor::shared_load;
    case Access::shared_store:
      return Anchor::shared_store;
    case Access::global_load:
      return Anchor::global_load;
    case Access::global_store:
      return Anchor::global_store;
    case Access::global_atomic:
      return Anchor::atomic;
    case Access::async_copy:
      return Anchor::async_copy;
    default:
      return Anchor::none;
  }
}

Anchor anchor_of(const ptx::Instruction& i) {
  using ptx::Opcode, ptx::Space;
  switch (i.opcode) {
    case Opcode::fma:
    case Opcode::mad:
    case Opcode::add:
    case Opcode::sub:
    case Opcode::mul:
      return i.type == ptx::Type::f32 ? Anchor::fp32 : i.type == ptx::Type::f64 ? Anchor::fp64 : Anchor::none;
    case Opcode::sin:
    case Opcode::cos:
    case Opcode::ex2:
    case Opcode::lg2:
    case Opcode::tanh:
      return i.type == ptx::Type::f32 ? Anchor::function : Anchor::none;
    case Opcode::min:
    case Opcode::max:
      return i.type == ptx::Type::f32 ? Anchor::minimum : Anchor::none;
    case Opcode::ld:
      return i.space == Space::shared   ? Anchor::shared_load
             : i.space == Space::global ? Anchor::global_load
                                        : Anchor::none;
    case Opcode::st:
      return i.space == Space::shared   ? Anchor::shared_store
             : i.space == Space::global ? Anchor::global_store
                                        : Anchor::none;
    case Opcode::ldmatrix:
      return Anchor::shared_load;
    case Opcode::wmma_load:
      return i.space == Space::shared ? Anchor::shared_load : Anchor::global_load;
    case Opcode::wmma_store:
      return i.space == Space::shared ? Anchor::shared_store : Anchor::global_store;
    case Opcode::atom:
    case Opcode::red:
      return i.space == Space::shared ? Anchor::none : Anchor::atomic;
    case Opcode::cp_async:
      return Anchor::async_copy;
    case Opcode::bar_sync:
      return Anchor::barrier;
    case Opcode::shfl:
      return Anchor::shuffle;
    default:
      return Anchor::none;
  }
}

int line_of(const ptx::Function& function, const ptx::Instruction& instruction) {
  const auto& locations = function.locations;
  const auto at = [&](int location) -> const ptx::SourceLocation& {
    return locations[static_cast<std::size_t>(location)];
  };
  if (instruction.location < 0) return 0;
  int own = instruction.location, outermost = own;
  while (at(outermost).inlined_at >= 0) outermost = at(outermost).inlined_at;
  while (at(own).file != at(outermost).file) own = at(own).inlined_at;
  return at(own).line;
}

Result<std::vector<Instruction>> read_instructions(std::span<const std::byte> cubin,
                                                   const ptx::Function& function) {
  auto code = read_instructions(cubin, function.name);
  if (!code) return code;
  std::map<int, int> lines;  // of the source, by line of the PTX
  for (const ptx::Instruction& instruction : function.code)
    if (const int line = line_of(function, instruction); line > 0) lines[instruction.ptx_line] = line;
  for (Instruction& instruction : *code)
    if (const auto found = lines.find(instruction.ptx_line); found != lines.end())
      instruction.line = found->second;
  return code;
}

Singles singles_in_ptx(const ptx::Function& function, const emulator::Counters& counters,
                       const std::vector<emulator::VectorizedAccess>& accesses) {
  const auto blurred = blurred_keys(function);
  Singles singles;
  for (std::uint32_t pc = 0; pc < function.code.size(); ++pc) {
    const auto& instruction = function.code[pc];
    const Anchor anchor = anchor_of(instruction);
    if (anchor == Anchor::none || blurred.contains({line_of(function, instruction), anchor})) continue;
    if (pc < accesses.size() && accesses[pc].leader != pc) continue;
    auto& counts = singles[{line_of(function, instruction), anchor}];
    counts.insert(counts.end(), static_cast<std::size_t>(accesses_of(instruction)),
                  static_cast<double>(counters.instructions[pc].executed));
  }
  return singles;
}

}  // namespace warplens::time
