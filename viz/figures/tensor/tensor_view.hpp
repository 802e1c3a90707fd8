// Inside of the figures of tensor cores: one product of a block, its factors, and where their elements lie, from what was seen in
// the run (trace::TensorWork). A factor's lines are rows of A and columns of B; along a line runs k.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/report/faces.hpp"
#include "engine/tensor/matrix_descriptor.hpp"
#include "engine/trace/tensor_work.hpp"
#include "viz/figures/access/pick.hpp"
#include "viz/figures/parts/subject.hpp"
#include "viz/figures/tensor/followed.hpp"

namespace warplens::figures {

using trace::ElementNumber;

// What is known of the subject's tensor work. Errors: it is not known yet, or the kernel has none.
Result<const trace::TensorWork*> tensor_work(const Subject& subject);

// Where an element is in the registers of a warp: index counts elements through a lane's registers.
struct Holder {
  int lane = -1, index = 0;
  bool is_held() const { return lane >= 0; }
};

// A or B of one product.
struct Factor {
  bool is_a = true;
  std::size_t buffer = 0;  // of Instance::buffers()
  report::Face face;
  int lines = 0, depth = 0;  // of the product
  int bits = 16;
  // By line * depth + k.
  std::vector<ElementNumber> numbers;
  std::vector<Holder> holders;                   // of registers; empty: read from shared memory
  std::optional<std::uint64_t> descriptor = {};  // then

  ElementNumber number(int line, int k) const { return numbers[static_cast<std::size_t>(line * depth + k)]; }
  Holder holder(int line, int k) const {
    return holders.empty() ? Holder{} : holders[static_cast<std::size_t>(line * depth + k)];
  }
};

// Part of an input in shared memory: the lines of one tile. Rows and columns are those of the input's picture.
struct SharedTile {
  std::size_t buffer = 0;
  std::int64_t first_line = 0, lines = 0;   // lines are the input's in memory: element / leading dimension
  std::int64_t first_along = 0, along = 0;  // elements of a line
  std::vector<std::uint32_t> address;       // bytes of shared memory, by line * along + element; kNowhere
  static constexpr std::uint32_t kNowhere = ~0u;
  std::uint32_t at(std::int64_t line, std::int64_t element) const {
    return address[static_cast<std::size_t>((line - first_line) * along + element - first_along)];
  }
  bool has(std::int64_t line, std::int64_t element) const {
    return line >= first_line && line < first_line + lines && element >= first_along &&
           element < first_along + along;
  }
};

class TensorView {
 public:
  // The product of the place's warp that has the followed element, else its first one, else the block's first.
  TensorView(const Subject& subject, const trace::TensorWork& work);

  const run::Run& run() const { return run_; }
  const trace::TensorWork& work() const { return work_; }
  const trace::TensorProduct& product() const { return *product_; }
  const ptx::Instruction& instruction() const { return run_.kernel->function().code[product_->pc]; }
  bool of_group() const { return instruction().opcode == ptx::Opcode::wgmma_mma_async; }
  const Factor& a() const { return a_; }
  const Factor& b() const { return b_; }
  // A wgmma is 64 rows, of which this warp has 16, and up to 256 columns, of which 8 are shown.
  int first_row() const { return of_group() ? static_cast<int>(product_->warp % 4) * 16 : 0; }
  int rows() const { return of_group() ? 16 : a_.lines; }
  int first_column() const { return first_column_; }
  int columns() const { return of_group() ? 8 : b_.lines; }
  // Of the sums, by row and column of the product: PTX ISA 9.0, sections 9.7.14.5 and 9.7.15.5.
  Holder sum(int row, int column) const;

  // The element that is followed: that of the options, else the first of A that the place's lane holds. And where
  // it is in this product; line -1: it is not there.
  const CellId& followed() const { return followed_; }
  struct InFactor {
    const Factor* factor = nullptr;
    int line = -1, k = -1;
  };
  std::optional<InFactor> in_product() const;
  std::optional<InFactor> find(const CellId& cell) const;
  std::optional<CellId> cell(ElementNumber number) const;
  std::string name(ElementNumber number) const;  // "A[5][37]"
  std::optional<ElementNumber> number(const CellId& cell) const;
  // Byte offset in shared memory when the product was given; nothing: it is not there.
  std::optional<std::uint32_t> address(ElementNumber number) const;
  // Lane whose address ldmatrix or wmma.load read it by, and the instruction; nothing: none did.
  struct ReadBy {
    std::uint32_t pc = 0, lane = 0;
  };
  std::optional<ReadBy> read_by(std::uint32_t address) const;
  // The tile of A or B in shared memory; nothing where the factor comes from elsewhere.
  std::optional<SharedTile> tile(const Factor& factor) const;
  // Line and place in it of an element in memory, by the input's leading dimension.
  std::int64_t line_of(std::size_t buffer, std::uint64_t element) const;
  std::int64_t along_of(std::size_t buffer, std::uint64_t element) const;
  ElementNumber number_at(std::size_t buffer, std::int64_t line, std::int64_t along) const;

 private:
  Factor factor_of(const trace::TensorProduct& product, bool is_a) const;
  void choose(const Subject& subject);
  bool try_product(const trace::TensorProduct& product, const CellId* wanted);

  const run::Run& run_;
  const trace::TensorWork& work_;
  const trace::TensorProduct* product_ = nullptr;
  Factor a_, b_;
  CellId followed_;
  int first_column_ = 0;
  std::unordered_map<ElementNumber, std::uint32_t> addresses_;
};

// "a0", with "low half", "high half" or "byte 2" where it holds several elements.
struct RegisterName {
  std::string name, part;
};
RegisterName register_of(char prefix, int index, int bits);
// "lane 22", "lanes 20 to 23".
std::string lanes_words(std::vector<int> lanes);

}  // namespace warplens::figures
