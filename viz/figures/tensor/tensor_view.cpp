#include "viz/figures/tensor/tensor_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "engine/emulator/semantics/group_matrix.hpp"
#include "engine/emulator/semantics/matrix.hpp"

namespace warplens::figures {
namespace {

using ptx::Opcode, trace::TensorProduct, trace::TensorWork;

int bits_of(ptx::Type type) { return 8 * ptx::size_in_bytes(type); }

// Row and column of a fragment's element, by the instruction's rule.
emulator::MatrixPosition rule(const ptx::Instruction& i, ptx::Fragment which, ptx::Type type, int lane,
                              int index) {
  const emulator::FragmentShape shape{which, i.shape, type};
  return i.opcode == Opcode::wmma_mma ? emulator::wmma_position(shape, lane, index)
                                      : emulator::mma_position(shape, lane, index);
}

emulator::GroupShape group_of(const ptx::Instruction& i) {
  return emulator::group_shape(i).value_or(emulator::GroupShape{});
}

// wgmma: {scale, scale {, major of A}, major of B} come last; nothing said is along k.
tensor::Major major_of(const ptx::Instruction& i, bool is_a) {
  constexpr std::size_t scales = 6;
  if (i.operands.size() <= scales) return tensor::Major::k;
  const std::size_t last = i.operands.size() - 1;
  return i.operands[is_a ? last - 1 : last].bits != 0 ? tensor::Major::mn : tensor::Major::k;
}

}  // namespace

std::optional<CellId> followed_cell(const std::string& element) {
  const std::size_t comma = element.find(',');
  if (comma == std::string::npos) return std::nullopt;
  return parse_cell("cell:" + element.substr(0, comma) + ":" + element.substr(comma + 1));
}

Result<const TensorWork*> tensor_work(const Subject& subject) {
  if (subject.run == nullptr || !subject.run->complete)
    return Error{"this run is not counted yet", "wait until it is"};
  if (subject.known.tensor == nullptr)
    return Error{"the elements of the tiles are followed once more", "wait a moment"};
  if (subject.known.tensor->work == nullptr) return subject.known.tensor->why_not;
  if (subject.known.tensor->work->products.empty())
    return Error{"no warp of this block multiplies", "choose another block"};
  return subject.known.tensor->work.get();
}

RegisterName register_of(char prefix, int index, int bits) {
  const int each = std::max(32 / bits, 1), at = index % each;
  const std::string part = each == 1   ? ""
                           : each == 2 ? (at == 0 ? "low half" : "high half")
                                       : fmt::format("byte {}", at);
  return {fmt::format("{}{}", prefix, bits > 32 ? index : index / each), part};
}

std::string lanes_words(std::vector<int> lanes) {
  std::ranges::sort(lanes);
  lanes.erase(std::unique(lanes.begin(), lanes.end()), lanes.end());
  if (lanes.empty()) return "no lane";
  if (lanes.size() == 1) return fmt::format("lane {}", lanes.front());
  if (lanes.back() - lanes.front() + 1 == std::ssize(lanes))
    return fmt::format("lanes {} to {}", lanes.front(), lanes.back());
  std::string text = "lanes";
  for (std::size_t l = 0; l < lanes.size(); ++l) text += fmt::format("{} {}", l > 0 ? "," : "", lanes[l]);
  return text;
}

TensorView::TensorView(const Subject& subject, const TensorWork& work) : run_(*subject.run), work_(work) {
  for (std::size_t e = 0; e < work.shared.size(); ++e)
    if (work.shared[e] != trace::kNoElement)
      addresses_.try_emplace(work.shared[e], static_cast<std::uint32_t>(e * work.element_bytes));
  choose(subject);
}

void TensorView::choose(const Subject& subject) {
  const auto wanted = followed_cell(subject.element);
  const auto of_warp = [&](const TensorProduct& product) { return product.warp == subject.place.warp; };
  if (wanted) {
    for (const bool own : {true, false})
      for (const TensorProduct& product : work_.products)
        if (of_warp(product) == own && try_product(product, &*wanted)) return void(followed_ = *wanted);
    followed_ = *wanted;
  }
  const auto own = std::ranges::find_if(work_.products, of_warp);
  const TensorProduct& first = own != work_.products.end() ? *own : work_.products.front();
  try_product(first, nullptr);
  if (wanted) return;
  // The first element that the lane holds, or by whose row it gets its first sum.
  const int lane = std::clamp(subject.place.lane, 0, 31);
  ElementNumber number = a_.number(first_row() + (of_group() ? lane / 4 : 0), 0);
  for (int line = a_.lines - 1; line >= 0; --line)
    for (int k = a_.depth - 1; k >= 0; --k)
      if (const Holder holder = a_.holder(line, k); holder.lane == lane && holder.index == 0)
        number = a_.number(line, k);
  if (const auto found = cell(number)) followed_ = *found;
}

// Takes the product where it has the element; any where none is wanted.
bool TensorView::try_product(const TensorProduct& product, const CellId* wanted) {
  product_ = &product;
  if (wanted != nullptr) {  // quickly, without its factors: most products have it not
    const auto number = this->number(*wanted);
    const auto has = [&](const std::vector<ElementNumber>& of) {
      return number && std::ranges::find(of, *number) != of.end();
    };
    const bool may = !product.b.empty() ? has(product.a) || has(product.b) : true;
    if (!may) return false;
  }
  a_ = factor_of(product, true), b_ = factor_of(product, false);
  first_column_ = 0;
  if (wanted == nullptr) return true;
  const auto found = find(*wanted);
  if (!found) return false;
  if (of_group() && !found->factor->is_a) first_column_ = found->line / 8 * 8;
  return !of_group() || !found->factor->is_a ||
         (found->line >= first_row() && found->line < first_row() + 16);
}

Factor TensorView::factor_of(const TensorProduct& product, bool is_a) const {
  const ptx::Instruction& i = run_.kernel->function().code[product.pc];
  const bool group = i.opcode == Opcode::wgmma_mma_async;
  Factor factor;
  factor.is_a = is_a;
  factor.bits = bits_of(i.matrix_types[is_a ? 1 : 2]);
  const std::vector<ElementNumber>& seen = is_a ? product.a : product.b;
  if (group) {
    const auto shape = group_of(i);
    factor.lines = is_a ? emulator::kGroupRows : shape.columns, factor.depth = shape.depth;
  } else {
    factor.lines = i.shape[is_a ? 0 : 1], factor.depth = i.shape[2];
  }
  factor.numbers.assign(static_cast<std::size_t>(factor.lines * factor.depth), trace::kNoElement);
  if (!seen.empty()) {
    factor.holders.resize(factor.numbers.size());
    const int per_lane = static_cast<int>(seen.size()) / 32;
    for (int lane = 31; lane >= 0; --lane)
      for (int index = per_lane - 1; index >= 0; --index) {
        const auto at = group ? emulator::group_a_position(factor.bits / 8, lane, index)
                              : rule(i, is_a ? ptx::Fragment::a : ptx::Fragment::b,
                                     i.matrix_types[is_a ? 1 : 2], lane, index);
        const int line = (is_a ? at.row : at.column) + (group ? static_cast<int>(product.warp % 4) * 16 : 0),
                  k = is_a ? at.column : at.row;
        const auto place = static_cast<std::size_t>(line * factor.depth + k);
        if (place >= factor.numbers.size()) continue;
        factor.numbers[place] = seen[static_cast<std::size_t>(lane * per_lane + index)];
        factor.holders[place] = {lane, index};
      }
  } else {
    factor.descriptor = is_a ? product.a_descriptor : product.b_descriptor;
    const auto descriptor = tensor::MatrixDescriptor::from(*factor.descriptor);
    for (int line = 0; line < factor.lines; ++line)
      for (int k = 0; k < factor.depth; ++k) {
        const std::uint32_t address = tensor::element_address(
            descriptor, major_of(i, is_a), static_cast<std::uint32_t>(line), static_cast<std::uint32_t>(k),
            static_cast<std::uint32_t>(factor.bits / 8));
        const std::size_t element = address / work_.element_bytes;
        if (element < work_.shared.size())
          factor.numbers[static_cast<std::size_t>(line * factor.depth + k)] = work_.shared[element];
      }
  }
  const auto any =
      std::ranges::find_if(factor.numbers, [](ElementNumber n) { return n != trace::kNoElement; });
  if (any == factor.numbers.end()) return factor;
  if (const auto place = trace::place_of(work_, *any)) {
    factor.buffer = place->buffer;
    factor.face = report::face_of(run_.buffers[place->buffer]);
  }
  return factor;
}

Holder TensorView::sum(int row, int column) const {
  const ptx::Instruction& i = instruction();
  for (int lane = 0; lane < 32; ++lane) {
    const int elements = of_group() ? b_.lines / 2 : a_.lines * b_.lines / 32;
    for (int index = 0; index < elements; ++index) {
      auto at = of_group() ? emulator::group_sum_position(lane, index)
                           : rule(i, ptx::Fragment::d, i.matrix_types[0], lane, index);
      if (of_group()) at.row += first_row();
      if (at.row == row && at.column == column) return {lane, index};
    }
  }
  return {};
}

std::optional<TensorView::InFactor> TensorView::find(const CellId& cell) const {
  const auto number = this->number(cell);
  if (!number) return std::nullopt;
  for (const Factor* factor : {&a_, &b_}) {
    const auto found = std::ranges::find(factor->numbers, *number);
    if (found == factor->numbers.end()) continue;
    const auto at = static_cast<int>(found - factor->numbers.begin());
    return InFactor{factor, at / factor->depth, at % factor->depth};
  }
  return std::nullopt;
}

std::optional<TensorView::InFactor> TensorView::in_product() const { return find(followed_); }

std::optional<CellId> TensorView::cell(ElementNumber number) const {
  const auto place = trace::place_of(work_, number);
  if (!place) return std::nullopt;
  const report::Face face = report::face_of(run_.buffers[place->buffer]);
  const report::Cell at = report::cell_of(face, place->element);
  return CellId{face.name, at.row, at.column};
}

std::string TensorView::name(ElementNumber number) const {
  const auto at = cell(number);
  return at ? fmt::format("{}[{}][{}]", at->name, at->row, at->column) : "a zero from outside";
}

std::optional<ElementNumber> TensorView::number(const CellId& cell) const {
  for (const trace::NumberedBuffer& each : work_.buffers) {
    const report::Face face = report::face_of(run_.buffers[each.buffer]);
    if (face.name != cell.name) continue;
    const auto element = report::element_at(face, {cell.row, cell.column});
    return element ? trace::number_of(work_, each.buffer, *element) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<std::uint32_t> TensorView::address(ElementNumber number) const {
  const auto found = addresses_.find(number);
  return found == addresses_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<TensorView::ReadBy> TensorView::read_by(std::uint32_t address) const {
  for (const bool own : {true, false})
    for (const trace::MatrixRows& rows : work_.reads)
      for (std::uint32_t lane = 0; lane < 32; ++lane)
        if ((rows.warp == product_->warp) == own && (rows.lanes >> lane & 1) != 0 &&
            address >= rows.row[lane] && address < rows.row[lane] + 16)
          return ReadBy{rows.pc, lane};
  return std::nullopt;
}

std::int64_t TensorView::line_of(std::size_t buffer, std::uint64_t element) const {
  return static_cast<std::int64_t>(element) /
         std::max<std::int64_t>(run_.buffers[buffer].buffer.shape.leading_dimension, 1);
}
std::int64_t TensorView::along_of(std::size_t buffer, std::uint64_t element) const {
  return static_cast<std::int64_t>(element) %
         std::max<std::int64_t>(run_.buffers[buffer].buffer.shape.leading_dimension, 1);
}
ElementNumber TensorView::number_at(std::size_t buffer, std::int64_t line, std::int64_t along) const {
  const auto length = run_.buffers[buffer].buffer.shape.leading_dimension;
  return trace::number_of(work_, buffer, static_cast<std::uint64_t>(line * length + along))
      .value_or(trace::kNoElement);
}

namespace {

// The part of an input that holds these elements.
struct Extent {
  std::int64_t low_line = std::numeric_limits<std::int64_t>::max(), high_line = -1;
  std::int64_t low_along = std::numeric_limits<std::int64_t>::max(), high_along = -1;
  void widen(std::int64_t line, std::int64_t along) {
    low_line = std::min(low_line, line), high_line = std::max(high_line, line);
    low_along = std::min(low_along, along), high_along = std::max(high_along, along);
  }
};

}  // namespace

std::optional<SharedTile> TensorView::tile(const Factor& factor) const {
  Extent extent;
  const auto widen = [&](ElementNumber number, std::int64_t more) {
    const auto place = trace::place_of(work_, number);
    if (!place || place->buffer != factor.buffer) return;
    const std::int64_t line = line_of(place->buffer, place->element),
                       along = along_of(place->buffer, place->element);
    extent.widen(line, along), extent.widen(line, along + more);
  };
  const auto some =
      std::ranges::find_if(factor.numbers, [&](ElementNumber n) { return address(n).has_value(); });
  if (some == factor.numbers.end()) return std::nullopt;
  const std::uint32_t here = *address(*some);
  const std::int64_t row = 16 / work_.element_bytes;
  for (const trace::MatrixRows& rows : work_.reads)
    for (std::size_t lane = 0; lane < 32; ++lane)
      if ((rows.lanes >> lane & 1) != 0) widen(rows.at_row[lane], row - 1);
  for (const trace::BoxCopy& box : work_.boxes) {
    const auto bytes = static_cast<std::uint32_t>(tensor::box_bytes(box.map));
    if (box.is_store || box.buffer != factor.buffer || here < box.shared || here >= box.shared + bytes)
      continue;
    for (std::uint32_t at = 0; at < bytes; at += work_.element_bytes)
      widen(work_.shared[(box.shared + at) / work_.element_bytes], 0);
    break;
  }
  if (extent.high_line < 0)
    for (const ElementNumber number : factor.numbers) widen(number, 0);
  SharedTile tile;
  tile.buffer = factor.buffer;
  tile.first_line = extent.low_line, tile.lines = extent.high_line - extent.low_line + 1;
  tile.first_along = extent.low_along, tile.along = extent.high_along - extent.low_along + 1;
  for (std::int64_t line = 0; line < tile.lines; ++line)
    for (std::int64_t e = 0; e < tile.along; ++e)
      tile.address.push_back(address(number_at(factor.buffer, tile.first_line + line, tile.first_along + e))
                                 .value_or(SharedTile::kNowhere));
  return tile;
}

}  // namespace warplens::figures
