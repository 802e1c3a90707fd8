// How much static shared memory a kernel's source declares, so that values which need too much for a device
// are known before anything is compiled: a compiler takes a quarter of a second for each set.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/catalog/kernel_spec.hpp"

namespace warplens::run {

// Bytes of the arrays in the source, with these parameters; 0 where it declares none. Nothing where it says
// so in a way that is not understood, such as an extent by a function, an unknown type, or a preprocessor's
// condition.
std::optional<std::int64_t> declared_shared_bytes(const std::string& code, const catalog::Values& parameters);

}  // namespace warplens::run
