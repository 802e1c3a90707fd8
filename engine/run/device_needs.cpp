#include "engine/run/device_needs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/run/run.hpp"

namespace warplens::run {
namespace {

struct Need {
  ptx::Opcode opcode;
  int compute_capability;
};
constexpr std::array kNeeds = {Need{ptx::Opcode::shfl, 30},
                               Need{ptx::Opcode::cp_async, 80},
                               Need{ptx::Opcode::redux, 80},
                               Need{ptx::Opcode::match, 70},
                               Need{ptx::Opcode::mma, 70},
                               Need{ptx::Opcode::wmma_mma, 70},
                               Need{ptx::Opcode::ldmatrix, 75},
                               Need{ptx::Opcode::stmatrix, 90},
                               Need{ptx::Opcode::mbarrier_init, 80},
                               Need{ptx::Opcode::cp_async_bulk, 90},
                               Need{ptx::Opcode::barrier_cluster_arrive, 90},
                               Need{ptx::Opcode::mapa, 90}};

}  // namespace

std::string missing_instruction(const ptx::Function& function, const device::Device& device) {
  for (const ptx::Instruction& instruction : function.code) {
    const auto need = std::ranges::find(kNeeds, instruction.opcode, &Need::opcode);
    if (need == kNeeds.end() || need->compute_capability <= device.compute_capability) continue;
    return fmt::format("{} needs {}.{}", ptx::name(need->opcode), need->compute_capability / 10,
                       need->compute_capability % 10);
  }
  return "";
}

std::string missing_instruction(const Run& run) {
  return run.kernel == nullptr ? "" : missing_instruction(run.kernel->function(), run.device());
}

std::string replaced_instruction(std::string_view source, const ptx::Function& function,
                                 const device::Device& device) {
  if (source.find("__CUDA_ARCH__") == std::string_view::npos) return "";
  for (const Need& need : kNeeds) {
    if (need.compute_capability <= device.compute_capability) continue;
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
