// The launches of a kernel at one size, for any values of its parameters: the front matter's expressions are
// compiled once. For a single launch there is launch_shape() in kernel_spec.hpp.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/catalog/kernel_spec.hpp"

namespace warplens::catalog {

inline std::uint64_t threads_in_block(const LaunchShape& launch) {
  return std::uint64_t{launch.block[0]} * launch.block[1] * launch.block[2];
}
inline std::uint64_t warps_in_block(const LaunchShape& launch) {
  return (threads_in_block(launch) + 31) / 32;
}

class Launches {
 public:
  Launches(KernelSpec spec, Values sizes);
  Launches(Launches&&) noexcept;
  Launches& operator=(Launches&&) noexcept;
  ~Launches();

  // Values that are missing take their defaults. Errors: as launch_shape().
  Result<LaunchShape> at(const Values& values);

 private:
  struct Compiled;
  std::unique_ptr<Compiled> compiled_;
};

}  // namespace warplens::catalog
