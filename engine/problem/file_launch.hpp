// What the file of a kernel says itself of how the kernel is launched.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/catalog/kernel_spec.hpp"

namespace warplens::problem {

struct FileLaunch {
  int line = 0;                         // of the first launch
  bool is_cooperative = false;          // one of its launches is
  std::optional<std::int64_t> shared;   // dynamic bytes; nothing: not known for certain
  bool asks_for_shared_memory = false;  // some kernel of the file may have more than 48 KiB
  // By parameter: whether it is passed as it was allocated, or from an element on that is known.
  std::vector<bool> is_whole;
  // By parameter: whether nothing of the file gives the array values before the kernel runs. None where it
  // gives values to no array at all.
  std::vector<bool> is_never_set;
  // By parameter: the host copies the array back. No longer than the launch's arguments.
  std::vector<bool> is_copied_back = {};
  std::vector<std::optional<std::int64_t>> values = {};  // of the arguments that are whole numbers
  std::vector<std::int64_t> grid = {}, block = {};       // edges; empty: not known
  // Whether the host may write to an array of the launch while the kernel runs: one that both of them see, which the
  // host changes behind the launch or in another function.
  bool host_takes_part = false;
};

// Of the kernel that a specification runs; empty if its file does not launch it.
std::optional<FileLaunch> file_launch(const catalog::KernelSpec& spec);

// The other kernels of the file, in its order.
std::vector<std::string> other_kernels(const catalog::KernelSpec& spec);

}  // namespace warplens::problem
