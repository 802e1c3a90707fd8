// The arrays of a kernel in shared memory: where they lie, and how long their rows are.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/catalog/kernel_spec.hpp"
#include "engine/emulator/launch.hpp"
#include "engine/report/block_accesses.hpp"

namespace warplens::report {

struct SharedArray {
  std::string name;                     // as in the source
  std::uint64_t offset = 0, bytes = 0;  // in shared memory; a dynamic array reaches to the last byte touched
  std::int64_t row_words = 32;          // 4-byte words from one row to the next
  // Where the length of rows comes from: the array's declaration with the run's parameters, the steps between
  // accesses, or neither: then a row is one word of each bank.
  enum class Rows : std::uint8_t { declared, seen, banks } rows = Rows::banks;
};

// What tells where the arrays are: the kernel, its file and the parameters that it was compiled with.
struct KernelText {
  const emulator::Kernel& kernel;
  std::string_view source;
  const catalog::Values& parameters;
};

// By offset. Dynamic shared memory counts as far as the block touches it, and falls into the arrays that the
// source names in it.
std::vector<SharedArray> shared_arrays(const KernelText& text, const BlockAccesses& accesses);

// The extents of a declaration such as "__shared__ float tile[TILE][TILE + PAD];" in the kernel's source,
// evaluated with the parameters and the constants declared before it; empty where it is not found or not
// understood.
std::vector<std::int64_t> declared_extents(std::string_view source, std::string_view array,
                                           const catalog::Values& parameters);

// A name that the source gives a part of an array: "auto B = reinterpret_cast<float(*)[BK][BN]>(shared +
// SIZE);" or "float* B = shared + SIZE;".
struct SharedAlias {
  std::string name;
  std::int64_t offset = 0;                 // in elements of the array
  std::vector<std::int64_t> extents = {};  // of what it points at; empty for a plain pointer
  bool operator==(const SharedAlias&) const = default;
};
// Ascending offsets, one each. Those that are not understood are left out.
std::vector<SharedAlias> shared_aliases(std::string_view source, std::string_view array,
                                        const catalog::Values& parameters);

}  // namespace warplens::report
