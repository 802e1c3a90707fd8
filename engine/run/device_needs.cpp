#include "engine/run/device_needs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <span>

#include "engine/run/run.hpp"

namespace warplens::run {
namespace {

using ptx::Instruction, ptx::Opcode, ptx::Space, ptx::Type;

// What an instruction needs of a device. is: nothing: by its opcode alone. name: empty: as PTX calls it.
struct Need {
  Opcode opcode = Opcode::none;
  int compute_capability = 0;
  bool (*is)(const Instruction&) = nullptr;
  std::string_view name = {};
  bool is_specific = false;  // to that one: later ones do not have it
};

bool is_atomic(const Instruction& i) { return i.opcode == Opcode::atom || i.opcode == Opcode::red; }
bool is_wide(const Instruction& i) { return is_atomic(i) && ptx::size_in_bytes(i.type) == 8; }
bool is_shared(const Instruction& i) { return i.space == Space::shared; }
// mma and wmma, of these elements of A.
bool multiplies(const Instruction& i, std::initializer_list<Type> elements) {
  const bool is_product = i.opcode == Opcode::mma || i.opcode == Opcode::wmma_mma;
  return is_product && std::ranges::find(elements, i.matrix_types[1]) != elements.end();
}

bool is_deep(const Instruction& i, int depth) {
  return i.opcode == Opcode::mma && i.shape[0] == 16 && i.shape[2] == depth;
}

constexpr std::array kNeeds = {
    Need{Opcode::shfl, 30},
    Need{Opcode::dp4a, 61},
    Need{Opcode::dp2a, 61},
    Need{Opcode::cp_async, 80},
    Need{Opcode::redux, 80},
    Need{Opcode::match, 70},
    Need{Opcode::none, 80,
         [](const Instruction& i) {
           return multiplies(i, {Type::bf16, Type::tf32});
         },
         "mma of bf16 or tf32"},
    Need{Opcode::none, 80, [](const Instruction& i) { return is_deep(i, 16); }, "mma.m16n8k16"},
    Need{Opcode::none, 80, [](const Instruction& i) { return is_deep(i, 32); }, "mma.m16n8k32"},
    Need{Opcode::none, 80, [](const Instruction& i) { return is_deep(i, 64); }, "mma.m16n8k64"},
    Need{Opcode::mma, 70},
    Need{Opcode::wmma_mma, 70},
    Need{Opcode::ldmatrix, 75},
    Need{Opcode::stmatrix, 90},
    Need{Opcode::mbarrier_init, 80},
    Need{Opcode::cp_async_bulk, 90},
    Need{Opcode::cp_async_bulk_tensor, 90},
    Need{Opcode::cp_reduce_async_bulk, 90},
    Need{Opcode::cp_reduce_async_bulk_tensor, 90},
    Need{Opcode::elect, 90},
    Need{Opcode::wgmma_mma_async, 90, nullptr, "wgmma", true},
    Need{Opcode::mma_sp, 80},
    Need{Opcode::barrier_cluster_arrive, 90},
    Need{Opcode::mapa, 90},
    Need{Opcode::setmaxnreg, 90},
    Need{Opcode::vote, 12},
    Need{Opcode::bar_red, 20},
    Need{Opcode::none, 13, [](const Instruction& i) { return !is_atomic(i) && i.type == Type::f64; },
         "a number in double"},
};
// The first that holds: the narrower ones stand before the wider ones.
constexpr std::array kNeedsOfAtomics = {
    Need{Opcode::none, 60, [](const Instruction& i) { return is_atomic(i) && i.type == Type::f64; },
         "atomicAdd of a double"},
    Need{Opcode::none, 20, [](const Instruction& i) { return is_atomic(i) && i.type == Type::f32; },
         "atomicAdd of a float"},
    Need{Opcode::none, 20, [](const Instruction& i) { return is_wide(i) && is_shared(i); },
         "an atomic of 64 bits in shared memory"},
    Need{Opcode::none, 12, is_wide, "an atomic of 64 bits"},
    Need{Opcode::none, 12, [](const Instruction& i) { return is_atomic(i) && is_shared(i); },
         "an atomic in shared memory"},
    Need{Opcode::none, 11, is_atomic, "an atomic"},
};

bool has_need(const Need& need, const Instruction& i) {
  return need.is != nullptr ? need.is(i) : need.opcode == i.opcode;
}

// Of the first instruction that the device does not have; empty: none.
std::string first_missing(std::span<const Need> needs, const ptx::Function& function,
                          int compute_capability) {
  for (const Instruction& instruction : function.code) {
    const auto need =
        std::ranges::find_if(needs, [&](const Need& one) { return has_need(one, instruction); });
    if (need == needs.end() || need->compute_capability == compute_capability) continue;
    if (need->compute_capability < compute_capability && !need->is_specific) continue;
    return fmt::format("{} needs {}.{}{}", need->name.empty() ? ptx::name(need->opcode) : need->name,
                       need->compute_capability / 10, need->compute_capability % 10,
                       need->is_specific ? "a" : "");
  }
  return "";
}

}  // namespace

std::string missing_instruction(const ptx::Function& function, const device::Device& device) {
  return first_missing(kNeeds, function, device.compute_capability);
}

std::string instruction_lacked(const ptx::Function& function, const device::Device& device) {
  const std::string missing = missing_instruction(function, device);
  return missing.empty() ? first_missing(kNeedsOfAtomics, function, device.compute_capability) : missing;
}

std::string missing_instruction(const Run& run) {
  return run.kernel == nullptr ? "" : missing_instruction(run.kernel->function(), run.device());
}

std::string replaced_instruction(std::string_view source, const ptx::Function& function,
                                 const device::Device& device) {
  if (source.find("__CUDA_ARCH__") == std::string_view::npos) return "";
  for (const Need& need : kNeeds) {
    if (need.compute_capability <= device.compute_capability || need.is != nullptr) continue;
    const auto has = [&](const ptx::Instruction& one) { return one.opcode == need.opcode; };
    const std::string name(ptx::name(need.opcode));
    if (source.find('"' + name + ".") == std::string_view::npos || std::ranges::any_of(function.code, has))
      continue;
    return fmt::format("{} needs {}.{}: {} run here", name, need.compute_capability / 10,
                       need.compute_capability % 10,
                       need.opcode == ptx::Opcode::cp_async ? "plain copies" : "other instructions");
  }
  return "";
}

}  // namespace warplens::run
