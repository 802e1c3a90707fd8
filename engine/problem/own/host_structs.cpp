// Structs of a file: those that its arrays are made of, and those that it gives to kernels.
#include <algorithm>

#include "engine/base/code_text.hpp"
#include "engine/problem/own/host_code.hpp"
#include "engine/source/types.hpp"

namespace warplens::problem {
namespace {

// Those of CUDA's own that arrays are made of: curand_kernel.h.
std::optional<HostStruct> struct_of_cuda(std::string_view name) {
  if (name.ends_with("_t")) name.remove_suffix(2);
  if (name == "curandState" || name == "curandStateXORWOW" || name == "curandStateMRG32k3a")
    return HostStruct{48, 8, "uint32", 48};
  if (name == "curandStatePhilox4_32_10") return HostStruct{64, 16, "uint32", 64};
  return std::nullopt;
}

}  // namespace

const source::Structs& HostCode::structs() const {
  if (!structs_) structs_.emplace(plain_, macros_, [this](std::string_view extent) { return value(extent); });
  return *structs_;
}

std::optional<HostStruct> HostCode::struct_of(std::string_view name) const {
  if (const auto known = struct_of_cuda(name)) return known;
  const auto layout = structs().has(name) ? structs().of(name) : Result<source::SharedLayout>(Error{});
  if (!layout) return std::nullopt;
  HostStruct laid{(*layout)->bytes, (*layout)->alignment, (*layout)->element, (*layout)->used};
  if (laid.used == 0) return std::nullopt;
  const bool is_of_reals = laid.element == "float" || laid.element == "double";
  if (!is_of_reals) laid.element = laid.bytes % 4 == 0 ? "uint32" : "uint8";
  return laid;
}

}  // namespace warplens::problem
