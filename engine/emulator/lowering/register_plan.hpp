// Which class each register of a flat function has, and where it lies in a warp's register file.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/emulator/flow/flow.hpp"
#include "engine/emulator/lowering/handlers.hpp"
#include "engine/ptx/program.hpp"

namespace warplens::emulator {

enum class RegisterClass : std::uint8_t { uniform, affine, varying };

// The handler an instruction has, if any.
std::optional<Hot> hot_of(const ptx::Instruction& instruction);
std::optional<HotCompare> hot_compare_of(const ptx::Instruction& instruction);
std::optional<Hot> affine_of(const ptx::Instruction& instruction);  // of one with an affine handler
std::span<const int, 4> hot_bytes(Hot hot);                         // of a lane of d, a, b and c
// Whether the registers of an instruction have the widths that its warp-wide handler takes for granted (cvt
// may name wider ones: PTX ISA, "Operand Size Exceeding Instruction-Type Size").
bool fits_handler(const ptx::Instruction& instruction, Hot hot, const ptx::Function& function);
int register_bytes(ptx::Type type);                         // 0 for a predicate, else 4 or 8: bytes of a lane
bool is_uniform_load(const ptx::Instruction& instruction);  // of a space where one address gives one value

// What the launch makes of the special registers.
struct SpecialClasses {
  std::array<RegisterClass, 3> tid{};
  RegisterClass laneid = RegisterClass::affine;
};
SpecialClasses special_classes(std::span<const std::uint32_t, 3> block);
RegisterClass class_of(ptx::Special special, const SpecialClasses& classes);

// Decides the classes by propagating from the special registers, parameters and immediates through all
// instructions, taking for granted that control flow does not diverge: the run checks that as it goes
// (executor.hpp). forced: registers that must be varying because a run found them to be.
std::vector<RegisterClass> infer_classes(const ptx::Function& function, const SpecialClasses& special,
                                         const BitSet& forced);

// Renames registers so that those that are never live together share one (linear scan over live ranges),
// within a class and a width. classes is renamed along. members: the old registers of each new one.
struct Renamed {
  ptx::Function function;
  std::vector<RegisterClass> classes;
  std::vector<std::vector<ptx::RegisterId>> members;
};
Renamed share_registers(const ptx::Function& function, const std::vector<RegisterClass>& classes);

}  // namespace warplens::emulator
