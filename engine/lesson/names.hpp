// The vocabulary of expressions: one row a name. Only evaluator.cpp sees it. The numbers of a run as a whole, such as
// `occupancy`, are rows of run::quantities().
#pragma once

#include <span>
#include <string_view>

#include "engine/lesson/array_counts.hpp"
#include "engine/lesson/subject.hpp"
#include "engine/lesson/value.hpp"
#include "engine/measured/recorded_speeds.hpp"
#include "engine/measured/transfers.hpp"
#include "engine/time/predict.hpp"

namespace warplens::lesson {

// requests(X), sectors(X): of an access, an array or a memory.
struct Count {
  std::string_view name;
  std::uint64_t emulator::AccessCounts::*field;
  Kind kind;
};
std::span<const Count> counts();

// One access, whoever makes it.
struct AccessView {
  analysis::WarpAccess access;
  device::Device device;
  bool global = true, shared = false;
  // lanes in the shared memory of other blocks: addresses are those in their array
  std::uint32_t elsewhere = 0;
  emulator::AccessCounts counts = {};
  std::uint64_t start = 0;  // of its array
  std::uint64_t element_bytes = 4;
};
// Error: no lane takes part.
Result<AccessView> view_of(const Subject& subject);
AccessView view_of(const OwnAccess& own);

// stride(access), address(access, l): numbers of one access.
struct AccessNumber {
  std::string_view name;
  int lanes;  // how many numbers of a lane it takes beside the access: 0 or 1
  Result<Value> (*of)(const AccessView& view, int lane);
};
std::span<const AccessNumber> access_numbers();

// min, log2: plain arithmetic. most: arguments; 0: two or more.
struct Function {
  std::string_view name;
  std::size_t arguments;
  double (*of)(std::span<const double> arguments);
};
std::span<const Function> functions();

// .speed, .seconds: of a recording.
struct Recorded {
  std::string_view name;
  Result<Value> (*of)(const measured::RecordedSpeed& speed);
};
std::span<const Recorded> recorded_numbers();

// .seconds, .limiter: of a prediction.
struct Predicted {
  std::string_view name;
  Result<Value> (*of)(const time::Prediction& prediction, const run::Run& run);
};
std::span<const Predicted> predicted_numbers();

// transfers('pinned', 'to device', 1024): a row of what was measured of bringing data to the GPU, and so many
// bytes in so many seconds.
struct Transfer {
  double seconds = 0, bytes = 0;
};
struct TransferCall {
  std::string_view name, form;
  std::size_t arguments;
  // Errors: arguments of other types, a row that was not measured.
  Result<Transfer> (*of)(const measured::Transfers& all, std::span<const Value> arguments);
};
std::span<const TransferCall> transfer_calls();
struct TransferNumber {
  std::string_view name;
  double (*of)(const Transfer& transfer);
};
std::span<const TransferNumber> transfer_numbers();

template <class Row, std::size_t Extent>
const Row* find_row(std::span<const Row, Extent> rows, std::string_view name) {
  for (const Row& row : rows)
    if (row.name == name) return &row;
  return nullptr;
}

}  // namespace warplens::lesson
