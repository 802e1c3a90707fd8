// What a block has the tensor cores and the copies beside them do, and which elements of the inputs lay where meanwhile: seen, not
// derived. The block runs with inputs whose elements are their own numbers, so that a register or a byte of shared memory tells
// which element it holds, whatever way it came.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/tensor/tensor_map.hpp"

namespace warplens::trace {

// Elements of the inputs that are factors, counted from 1 through the buffers; 0: none of them, such as a zero
// in the place of what lies outside of a matrix.
using ElementNumber = std::uint32_t;
inline constexpr ElementNumber kNoElement = 0;

// The elements of one buffer of the problem.
struct NumberedBuffer {
  std::size_t buffer = 0;  // of Instance::buffers()
  ElementNumber first = 1;
  std::uint64_t elements = 0;
};

// Rows of 16 bytes of matrices of 8 x 8 that a warp reads or writes at once: by ldmatrix, stmatrix, or wmma.load of shared
// memory by name, which is ldmatrix underneath: lane 8 m + r has row r of matrix m. By an address of any kind four lanes side by
// side read a row word by word: the first of them has it, and none points to it.
struct MatrixRows {
  static constexpr std::uint32_t kToNone = ~std::uint32_t{0};
  std::uint32_t pc = 0, warp = 0;
  std::uint32_t lanes = 0;              // that have a row
  std::array<std::uint32_t, 32> row{};  // byte offset in the block's shared memory, or kToNone
  std::vector<ElementNumber> at_row =
      {};  // of each lane, the element that the row begins with; of a store: empty
};

// One product of a warp, or of its part of a warp group.
struct TensorProduct {
  std::uint32_t pc = 0, warp = 0;
  // What fragments in registers hold: of lane l, index i at [l * per_lane + i]; empty where the operand is read
  // from shared memory.
  std::vector<ElementNumber> a = {}, b = {};
  std::uint64_t a_descriptor = 0, b_descriptor = 0;  // of wgmma: matrix descriptors
};

// The copy of a box by the tensor memory accelerator.
struct BoxCopy {
  std::uint32_t pc = 0, warp = 0, lane = 0;
  bool is_store = false;
  std::size_t buffer = 0;  // of Instance::buffers()
  tensor::TensorMap map;
  tensor::Coordinates at{};
  std::uint32_t shared = 0;   // byte offset
  std::uint32_t barrier = 0;  // the same, of a load
  std::uint32_t rank = 0;     // of the block that asks for it, in its cluster
  std::uint32_t blocks = 0;   // mask of the ranks that get it; 0: the one that asks
  std::uint32_t product = 0;  // how many products the block's warps had given before
};

// What a warp does that others wait for, or that waits for others.
struct PipelineEvent {
  enum class Kind : std::uint8_t {
    initialise,  // a barrier, for `count` arrivals a phase
    arrive,      // `count` threads, of which some expect `bytes` of copies
    copy,        // a box with `bytes` that tells the barrier; `count` is its number among the boxes
    wait,        // for the phase to be over
    multiply,    // `count` products of a warp group that are committed together
    drain,       // until at most `count` groups of products are under way
  };
  Kind kind = Kind::arrive;
  std::uint32_t pc = 0, warp = 0;
  std::uint32_t barrier = 0;  // byte offset in shared memory
  std::uint32_t phase = 0;    // of the barrier, from 0
  std::uint32_t count = 0;
  std::uint64_t bytes = 0;
  bool is_remote = false;  // the barrier is another block's, of which phases are not known
  bool is_peers = false;   // the same warp of another block of the cluster did it
};

struct TensorWork {
  std::uint64_t block = 0;          // linear index
  std::uint32_t element_bytes = 2;  // of a factor
  std::vector<NumberedBuffer> buffers;
  // What each element of the block's shared memory held when its first product was given.
  std::vector<ElementNumber> shared;
  // Of the first tile of the block: until all its threads met after a product, or as many as are kept.
  std::vector<MatrixRows> reads, writes;  // writes: of the whole block, as many as are kept
  std::vector<TensorProduct> products;
  std::vector<BoxCopy> boxes;         // of the whole block
  std::vector<BoxCopy> peers;         // of the other blocks of its cluster
  std::vector<PipelineEvent> events;  // likewise, in the order in which they were made; as many as are kept
  bool is_cut = false;                // there were more of them
};

struct ElementPlace {
  std::size_t buffer = 0;     // of Instance::buffers()
  std::uint64_t element = 0;  // of it
};
// Nothing of a number that is none.
std::optional<ElementPlace> place_of(const TensorWork& work, ElementNumber number);
// Nothing of a buffer whose elements have no numbers.
std::optional<ElementNumber> number_of(const TensorWork& work, std::size_t buffer, std::uint64_t element);

}  // namespace warplens::trace
