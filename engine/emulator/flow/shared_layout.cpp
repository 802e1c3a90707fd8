#include "engine/emulator/flow/shared_layout.hpp"

#include <algorithm>

#include "engine/base/round_up.hpp"
#include "engine/base/text.hpp"
#include "engine/emulator/flow/source_name.hpp"

namespace warplens::emulator {
namespace {
std::uint32_t rounded_up(std::uint32_t value, std::uint32_t unit) {
  return static_cast<std::uint32_t>(round_up(value, unit));
}

bool is_dynamic(const ptx::Variable& variable) { return variable.external && variable.size == 0; }
}  // namespace

void SharedLayout::place(const ptx::Variable& variable, std::uint32_t& offset) {
  const std::uint32_t alignment = std::max<std::uint32_t>(variable.alignment, 1);
  if (variable.space == ptx::Space::local) {
    local_bytes_ = rounded_up(local_bytes_, alignment);
    offset = local_bytes_;
    local_bytes_ += static_cast<std::uint32_t>(variable.size);
  } else if (variable.space == ptx::Space::shared && !is_dynamic(variable)) {
    static_bytes_ = rounded_up(static_bytes_, alignment);
    offset = static_bytes_;
    static_bytes_ += static_cast<std::uint32_t>(variable.size);
    shared_.push_back({variable.name, offset, static_cast<std::uint32_t>(variable.size)});
  }
}

SharedLayout::SharedLayout(const ptx::Program& program, const ptx::Function& function)
    : module_offsets_(program.variables.size()), function_offsets_(function.variables.size()) {
  for (std::size_t i = 0; i < program.variables.size(); ++i) place(program.variables[i], module_offsets_[i]);
  for (std::size_t i = 0; i < function.variables.size(); ++i)
    place(function.variables[i], function_offsets_[i]);
  const auto place_dynamic = [&](const std::vector<ptx::Variable>& variables,
                                 std::vector<std::uint32_t>& offsets) {
    for (std::size_t i = 0; i < variables.size(); ++i) {
      if (variables[i].space != ptx::Space::shared || !is_dynamic(variables[i])) continue;
      static_bytes_ = rounded_up(static_bytes_, std::max<std::uint32_t>(variables[i].alignment, 16));
      offsets[i] = static_bytes_;
      shared_.push_back({variables[i].name, static_bytes_, 0});
    }
  };
  place_dynamic(program.variables, module_offsets_);
  place_dynamic(function.variables, function_offsets_);
  for (std::size_t i = 0; i < program.variables.size(); ++i)  // several extern arrays share one place
    if (program.variables[i].space == ptx::Space::shared && is_dynamic(program.variables[i]))
      module_offsets_[i] = static_bytes_;
  local_bytes_ = rounded_up(local_bytes_, 16);
}

std::string SharedLayout::describe(std::uint32_t offset) const {
  constexpr std::uint32_t kMost = (1u << 24) - 1;  // without the block of the cluster that it is in
  offset &= kMost;
  const Named* best = nullptr;
  for (const Named& variable : shared_)
    if (variable.offset <= offset && (best == nullptr || variable.offset >= best->offset)) best = &variable;
  if (best == nullptr) return "shared memory";
  const std::uint32_t into = offset - best->offset;
  return source_name(best->name) + " + " + grouped(into) + (into == 1 ? " byte" : " bytes");
}

}  // namespace warplens::emulator
