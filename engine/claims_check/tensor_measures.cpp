// What the tensor cores and the tensor copies of a block do: counted in the records of the block that ran with its elements' numbers
// in the place of their values (trace::TensorWork), by the rules of the PTX ISA and of banks.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <set>
#include <string>
#include <utility>

#include "engine/claims_check/found.hpp"
#include "engine/trace/tensor_work.hpp"

namespace warplens::claims_check {
namespace {

using explain::Quantity;
using trace::BoxCopy, trace::ElementNumber, trace::PipelineEvent, trace::TensorWork;

const TensorWork* work_of(const Subject& s) { return s.beside == nullptr ? nullptr : s.beside->tensor.get(); }

// "A[5][37]", or a matrix alone.
struct Named {
  std::size_t buffer = 0;
  report::Face face;
  report::Cell cell;
  std::int64_t line = 0, along = 0;  // in memory
};
std::optional<Named> named(const Subject& s) {
  const std::string& of = s.claim.of;
  const std::size_t first = of.find('['), second = of.find("][");
  const std::string name = of.substr(0, first);
  for (std::size_t b = 0; b < s.run.buffers.size(); ++b) {
    if (s.run.buffers[b].buffer.name != name) continue;
    Named found;
    found.buffer = b, found.face = report::face_of(s.run.buffers[b]);
    if (second != std::string::npos)
      found.cell = {std::atoll(of.c_str() + first + 1), std::atoll(of.c_str() + second + 2)};
    const auto element = static_cast<std::int64_t>(report::element_at(found.face, found.cell).value_or(0));
    found.line = element / found.face.pitch, found.along = element % found.face.pitch;
    return found;
  }
  return std::nullopt;
}
// 0: it has none, as elements of outputs.
ElementNumber number_at(const TensorWork& work, const Named& at, std::int64_t line, std::int64_t along) {
  const auto element = static_cast<std::uint64_t>(line * at.face.pitch + along);
  for (const trace::NumberedBuffer& each : work.buffers)
    if (each.buffer == at.buffer && element < each.elements)
      return static_cast<ElementNumber>(each.first + element);
  return 0;
}

// ---- one element

// Where registers of any product hold it: lane and register.
std::vector<std::pair<double, double>> holders(const TensorWork& work, ElementNumber number) {
  std::vector<std::pair<double, double>> found;
  const std::size_t a_register = 4 / work.element_bytes;  // elements
  for (const trace::TensorProduct& product : work.products)
    for (const auto* fragment : {&product.a, &product.b})
      for (std::size_t at = 0; at < fragment->size(); ++at)
        if ((*fragment)[at] == number) {
          const std::size_t per_lane = fragment->size() / 32;
          found.emplace_back(at / per_lane, at % per_lane / a_register);
        }
  return found;
}
template <class Value>
Measured of_element(const Subject& s, Value value) {
  const TensorWork* work = work_of(s);
  const auto at = named(s);
  if (work == nullptr || !at) return std::nullopt;
  return value(*work, *at, number_at(*work, *at, at->line, at->along));
}
Measured lanes_with_element(const Subject& s) {
  return of_element(s, [](const TensorWork& work, const Named&, ElementNumber number) {
    return one(static_cast<double>(holders(work, number).size()));
  });
}
template <bool lane>
Measured of_holder(const Subject& s) {
  return of_element(s, [](const TensorWork& work, const Named&, ElementNumber number) {
    std::vector<double> values;
    for (const auto& [in_lane, in_register] : holders(work, number))
      values.push_back(lane ? in_lane : in_register);
    return over(values);
  });
}
std::vector<double> bytes_with(const TensorWork& work, ElementNumber number) {
  std::vector<double> bytes;
  for (std::size_t e = 0; e < work.shared.size(); ++e)
    if (work.shared[e] == number) bytes.push_back(static_cast<double>(e * work.element_bytes));
  return bytes;
}
Measured bytes_with_element(const Subject& s) {
  return of_element(s, [](const TensorWork& work, const Named&, ElementNumber number) {
    return one(static_cast<double>(bytes_with(work, number).size()));
  });
}
Measured element_byte(const Subject& s) {
  return of_element(s, [](const TensorWork& work, const Named&, ElementNumber number) {
    return over(bytes_with(work, number));
  });
}
Measured element_bank(const Subject& s) {
  return of_element(s, [](const TensorWork& work, const Named&, ElementNumber number) {
    std::vector<double> banks;
    for (const double byte : bytes_with(work, number)) banks.push_back(static_cast<int>(byte) / 4 % 32);
    return over(banks);
  });
}
// PTX ISA 9.0, section 9.7.15.5: lane l has rows l / 4 and columns 2 (l % 4) of each 8 x 8 of the sums.
Measured first_lane_of_sums(const Subject& s) {
  return of_element(s, [](const TensorWork& work, const Named& at, ElementNumber) {
    const bool is_a = !work.buffers.empty() && work.buffers.front().buffer == at.buffer;
    return one(static_cast<double>(is_a ? at.cell.row % 8 * 4 : at.cell.column % 8 / 2));
  });
}

// ---- a matrix of 8 x 8: eight rows of 16 bytes

constexpr std::uint32_t kRow = 16, kLine = 128, kBank = 4;
using Eight = std::array<std::uint32_t, 8>;  // where they begin

double most_in_a_group(const Eight& rows) {
  std::array<int, kLine / kRow> groups{};
  for (const std::uint32_t row : rows) ++groups[row / kRow % groups.size()];
  return *std::ranges::max_element(groups);
}
std::vector<Eight> matrices_written(const TensorWork& work) {
  std::vector<Eight> matrices;
  for (const trace::MatrixRows& rows : work.writes)
    for (std::size_t first = 0; first < 32; first += 8) {
      if ((rows.lanes >> first & 0xff) != 0xff) continue;
      Eight eight{};
      std::copy_n(rows.row.begin() + static_cast<std::ptrdiff_t>(first), 8, eight.begin());
      matrices.push_back(eight);
    }
  return matrices;
}
// That has the element, in the layout of shared memory that the first product saw.
std::optional<Eight> matrix_with(const TensorWork& work, const Named& at) {
  const std::int64_t in_row = kRow / work.element_bytes;
  Eight eight{};
  for (std::int64_t row = 0; row < 8; ++row) {
    const ElementNumber number = number_at(work, at, at.line / 8 * 8 + row, at.along / in_row * in_row);
    const auto bytes = number == 0 ? std::vector<double>() : bytes_with(work, number);
    if (bytes.empty()) return std::nullopt;
    eight[static_cast<std::size_t>(row)] = static_cast<std::uint32_t>(bytes.front());
  }
  return eight;
}
template <class Value>
Measured of_matrices(const Subject& s, Value value) {
  const TensorWork* work = work_of(s);
  const auto at = named(s);
  if (work == nullptr || !at) return std::nullopt;
  std::vector<double> values;
  if (at->face.is_output)
    for (const Eight& eight : matrices_written(*work)) values.push_back(value(eight));
  else if (const auto eight = matrix_with(*work, *at))
    values.push_back(value(*eight));
  return over(values);
}
Measured column_wavefronts(const Subject& s) { return of_matrices(s, most_in_a_group); }
Measured column_groups(const Subject& s) {
  return of_matrices(s, [](const Eight& rows) {
    std::set<std::uint32_t> groups;
    for (const std::uint32_t row : rows) groups.insert(row / kRow % (kLine / kRow));
    return static_cast<double>(groups.size());
  });
}
// From each of the eight rows to the next.
Measured tile_pitch(const Subject& s) {
  const TensorWork* work = work_of(s);
  const auto at = named(s);
  const auto eight = work != nullptr && at ? matrix_with(*work, *at) : std::nullopt;
  if (!eight) return std::nullopt;
  std::vector<double> steps;
  for (std::size_t row = 1; row < 8; ++row)
    steps.push_back(static_cast<double>((*eight)[row]) - (*eight)[row - 1]);
  return over(steps);
}
Measured banks_to_next_row(const Subject& s) {
  const auto pitch = tile_pitch(s);
  return pitch && pitch->least == pitch->most
             ? Measured(one(static_cast<int>(pitch->mean) % int{kLine} / int{kBank}))
             : std::nullopt;
}
// What the rows of 8 x 8 that are read begin with, of this matrix.
double row_bytes_read(const TensorWork& work, const Named& at) {
  std::int64_t least = at.face.pitch, most = 0;
  for (const trace::MatrixRows& rows : work.reads)
    for (const ElementNumber number : rows.at_row)
      for (const trace::NumberedBuffer& each : work.buffers)
        if (each.buffer == at.buffer && number >= each.first && number - each.first < each.elements) {
          const auto along = static_cast<std::int64_t>(number - each.first) % at.face.pitch;
          least = std::min(least, along), most = std::max(most, along);
        }
  return static_cast<double>((most - least) * work.element_bytes + kRow);
}
Measured plain_column_wavefronts(const Subject& s) {
  const TensorWork* work = work_of(s);
  const auto at = named(s);
  if (work == nullptr || !at) return std::nullopt;
  double bytes = 0;
  for (const BoxCopy& box : work->boxes)
    if (bytes == 0 && box.buffer == at->buffer && box.is_store == at->face.is_output)
      bytes = static_cast<double>(box.map.box[0]) * tensor::size_in_bytes(box.map.type);
  if (bytes == 0) bytes = row_bytes_read(*work, *at);
  Eight rows{};
  for (std::size_t row = 0; row < 8; ++row)
    rows[row] = static_cast<std::uint32_t>(bytes * static_cast<double>(row));
  return one(most_in_a_group(rows));
}
Measured least_column_wavefronts(const Subject&) { return one(8.0 * kRow / kLine); }
Measured matrix_row_bytes(const Subject&) { return one(kRow); }

// ---- boxes

std::int64_t inside(const BoxCopy& box, std::size_t d) {
  const std::int64_t first = std::max<std::int64_t>(box.at[d], 0),
                     end = std::min<std::int64_t>(box.at[d] + std::int64_t{box.map.box[d]},
                                                  static_cast<std::int64_t>(box.map.extent[d]));
  return std::max<std::int64_t>(end - first, 0);
}
template <class Value>
Measured of_box(const Subject& s, Value value) {
  const TensorWork* work = work_of(s);
  const auto at = named(s);
  if (work == nullptr || !at) return std::nullopt;
  const auto has = [](std::int64_t place, const BoxCopy& box, std::size_t d) {
    return place >= box.at[d] && place < box.at[d] + std::int64_t{box.map.box[d]};
  };
  for (const BoxCopy& box : work->boxes)
    if (box.buffer == at->buffer && has(at->along, box, 0) && has(at->line, box, 1)) return one(value(box));
  return std::nullopt;
}
double bytes_of(const BoxCopy& box) {
  return static_cast<double>(box.map.box[0]) * box.map.box[1] * tensor::size_in_bytes(box.map.type);
}
Measured box_bytes(const Subject& s) { return of_box(s, bytes_of); }
Measured box_rows(const Subject& s) {
  return of_box(s, [](const BoxCopy& box) { return static_cast<double>(box.map.box[1]); });
}
Measured box_columns(const Subject& s) {
  return of_box(s, [](const BoxCopy& box) { return static_cast<double>(box.map.box[0]); });
}
Measured box_pitch(const Subject& s) {
  return of_box(s, [](const BoxCopy& box) { return static_cast<double>(box.map.stride[1]); });
}
Measured box_bytes_outside(const Subject& s) {
  return of_box(s, [](const BoxCopy& box) {
    return bytes_of(box) - static_cast<double>(inside(box, 0) * inside(box, 1) *
                                               std::int64_t{tensor::size_in_bytes(box.map.type)});
  });
}
Measured thread_accesses(const Subject& s) {
  const auto at = named(s);
  if (!at) return std::nullopt;
  double count = 0;
  s.run.trace->for_each(s.place.block, [&](const trace::Access& access) {
    if (is_shared(access) || access.active == 0) return;
    for (const std::uint64_t address : addresses_of(access)) count += report::has(at->face, address) ? 1 : 0;
  });
  return one(count);
}

// ---- stages of tiles, and who waits for them

using Kind = PipelineEvent::Kind;

std::set<std::uint32_t> barriers_of_copies(const TensorWork& work) {
  std::set<std::uint32_t> barriers;
  for (const PipelineEvent& event : work.events)
    if (event.kind == Kind::copy) barriers.insert(event.barrier);
  return barriers;
}
std::set<std::uint32_t> warps_that(const TensorWork& work, Kind kind) {
  std::set<std::uint32_t> warps;
  for (const PipelineEvent& event : work.events)  // of a copy, count is its number
    if (event.kind == kind && (kind == Kind::copy || event.count > 0)) warps.insert(event.warp);
  return warps;
}
template <class Value>
Measured of_events(const Subject& s, Value value) {
  const TensorWork* work = work_of(s);
  return work == nullptr ? std::nullopt : Measured(one(static_cast<double>(value(*work))));
}
Measured stages(const Subject& s) {
  return of_events(s, [](const TensorWork& work) { return barriers_of_copies(work).size(); });
}
std::size_t tiles_of(const TensorWork& work) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> tiles;
  for (const PipelineEvent& event : work.events)
    if (event.kind == Kind::copy) tiles.insert({event.barrier, event.phase});
  return tiles.size();
}
Measured tiles_asked_for(const Subject& s) { return of_events(s, tiles_of); }
Measured waits_for_tiles(const Subject& s) {
  return of_events(s, [](const TensorWork& work) {
    const auto barriers = barriers_of_copies(work);
    const auto warps = warps_that(work, Kind::multiply);
    return std::ranges::count_if(work.events, [&](const PipelineEvent& event) {
      return event.kind == Kind::wait && barriers.contains(event.barrier) && warps.contains(event.warp);
    });
  });
}
// A stage has one tile; who copies and multiplies by itself has no second one under way.
Measured most_tiles_in_stages(const Subject& s) {
  return of_events(s, [](const TensorWork& work) {
    const auto multiply = warps_that(work, Kind::multiply), copy = warps_that(work, Kind::copy);
    if (std::ranges::includes(multiply, copy)) return std::size_t{1};
    return std::min(barriers_of_copies(work).size(), tiles_of(work));
  });
}

// ---- a cluster's boxes until one of them comes to the place of an earlier one

std::vector<BoxCopy> boxes_of_tile(const TensorWork& work) {
  std::vector<BoxCopy> boxes;
  std::set<std::pair<std::uint32_t, std::uint32_t>> places;
  std::optional<std::uint32_t> barrier;
  for (const auto* list : {&work.boxes, &work.peers})
    for (const BoxCopy& box : *list) {
      if (box.is_store) continue;
      if (!barrier) barrier = box.barrier;
      if (box.barrier == *barrier && places.insert({box.rank, box.shared}).second) boxes.push_back(box);
    }
  return boxes;
}
std::uint32_t to(const BoxCopy& box) { return box.blocks != 0 ? box.blocks : 1u << box.rank; }
template <class Value>
Measured sum_of_boxes(const Subject& s, Value value) {
  const TensorWork* work = work_of(s);
  if (work == nullptr) return std::nullopt;
  double sum = 0;
  for (const BoxCopy& box : boxes_of_tile(*work)) sum += value(box);
  return one(sum);
}
Measured cluster_bytes_asked(const Subject& s) { return sum_of_boxes(s, bytes_of); }
Measured cluster_bytes_arriving(const Subject& s) {
  return sum_of_boxes(s, [](const BoxCopy& box) { return bytes_of(box) * std::popcount(to(box)); });
}
Measured bytes_from_others(const Subject& s) {
  return sum_of_boxes(
      s, [](const BoxCopy& box) { return bytes_of(box) * std::popcount(to(box) & ~(1u << box.rank)); });
}
template <class Value>
Measured of_parts(const Subject& s, Value value) {
  const TensorWork* work = work_of(s);
  const auto at = named(s);
  if (work == nullptr || !at) return std::nullopt;
  std::vector<BoxCopy> parts = boxes_of_tile(*work);
  std::erase_if(parts, [&](const BoxCopy& box) { return box.buffer != at->buffer; });
  std::vector<double> values;
  for (const BoxCopy& box : parts) values.push_back(value(box, parts));
  return over(values);
}
Measured blocks_of_a_part(const Subject& s) {
  return of_parts(s, [](const BoxCopy& box, const auto&) { return std::popcount(to(box)); });
}
Measured copies_of_a_part(const Subject& s) {
  return of_parts(s, [](const BoxCopy& box, const std::vector<BoxCopy>& all) {
    return std::ranges::count(all, box.at, &BoxCopy::at);
  });
}

}  // namespace

std::vector<Row> tensor_measures() {
  return {{Quantity::lanes_with_element, lanes_with_element},
          {Quantity::element_lane, of_holder<true>},
          {Quantity::element_register, of_holder<false>},
          {Quantity::bytes_with_element, bytes_with_element},
          {Quantity::element_byte, element_byte},
          {Quantity::element_bank, element_bank},
          {Quantity::first_lane_of_sums, first_lane_of_sums},
          {Quantity::column_wavefronts, column_wavefronts},
          {Quantity::least_column_wavefronts, least_column_wavefronts},
          {Quantity::column_groups, column_groups},
          {Quantity::plain_column_wavefronts, plain_column_wavefronts},
          {Quantity::tile_pitch, tile_pitch},
          {Quantity::banks_to_next_row, banks_to_next_row},
          {Quantity::matrix_row_bytes, matrix_row_bytes},
          {Quantity::box_bytes, box_bytes},
          {Quantity::box_rows, box_rows},
          {Quantity::box_columns, box_columns},
          {Quantity::box_pitch, box_pitch},
          {Quantity::box_bytes_outside, box_bytes_outside},
          {Quantity::thread_accesses, thread_accesses},
          {Quantity::waits_for_tiles, waits_for_tiles},
          {Quantity::tiles_asked_for, tiles_asked_for},
          {Quantity::most_tiles_in_stages, most_tiles_in_stages},
          {Quantity::stages, stages},
          {Quantity::cluster_bytes_asked, cluster_bytes_asked},
          {Quantity::cluster_bytes_arriving, cluster_bytes_arriving},
          {Quantity::bytes_from_others, bytes_from_others},
          {Quantity::copies_of_a_part, copies_of_a_part},
          {Quantity::blocks_of_a_part, blocks_of_a_part}};
}

}  // namespace warplens::claims_check
