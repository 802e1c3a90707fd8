// The names of what was measured or predicted, as opposed to counted.
#include <fmt/format.h>

#include <array>

#include "engine/base/text.hpp"
#include "engine/lesson/names.hpp"
#include "engine/problem/work.hpp"

namespace warplens::lesson {
namespace {

Result<Value> number(double value) { return Value(value); }

// ---- recorded

using measured::RecordedSpeed;
constexpr auto kRecorded = std::to_array<Recorded>({
    {"speed", [](const RecordedSpeed& s) { return number(measured::rate_of(s).value); }},
    {"seconds", [](const RecordedSpeed& s) { return number(s.seconds); }},
    {"gb_per_second", [](const RecordedSpeed& s) { return number(s.gb_per_second); }},
    {"cublas",
     [](const RecordedSpeed& s) {
       if (s.cublas_gflops > 0) return number(s.cublas_gflops);
       return Result<Value>(Error{fmt::format("cuBLAS was not timed beside {}", s.kernel), "ask for .speed"});
     }},
});

// ---- predicted

double work_of(const run::Run& run) { return problem::work_of(*run.job->instance).amount; }

using time::Prediction;
constexpr auto kPredicted = std::to_array<Predicted>({
    {"speed",
     [](const Prediction& p, const run::Run& run) { return number(work_of(run) / p.seconds / 1e9); }},
    {"seconds", [](const Prediction& p, const run::Run&) { return number(p.seconds); }},
    {"cycles", [](const Prediction& p, const run::Run&) { return number(p.cycles); }},
    {"limiter",
     [](const Prediction& p, const run::Run&) { return Result<Value>(Value(std::string(p.limiter))); }},
});

// ---- transfers

using measured::Transfers;
using Arguments = std::span<const Value>;

Error wrong(std::string_view form) {
  return {"the arguments are of the wrong kind", fmt::format("write it as {}", form)};
}
const double* whole(const Value& value) { return std::get_if<double>(&value); }

constexpr std::string_view kCopyForm = "transfers('pinned', 'to device', 1048576)";

Result<Transfer> copy_of(const Transfers& all, Arguments arguments) {
  const auto* memory = std::get_if<std::string>(&arguments[0]);
  const auto* direction = std::get_if<std::string>(&arguments[1]);
  const double* bytes = whole(arguments[2]);
  if (memory == nullptr || direction == nullptr || bytes == nullptr) return wrong(kCopyForm);
  const auto* copy = measured::nearest_copy(all, *memory, *direction, *bytes);
  if (copy == nullptr)
    return Error{fmt::format("nothing was measured of '{}' memory '{}'", *memory, *direction),
                 "there are 'pageable', 'pinned', 'write-combined' and 'mapped', 'to device' and 'to host'"};
  return Transfer{copy->seconds.median, static_cast<double>(copy->bytes)};
}

// The row of a list with this number in it.
template <class Row, class Matches, class Made>
Result<Transfer> row_of(const std::vector<Row>& rows, std::string_view what, Matches matches, Made made) {
  for (const Row& row : rows)
    if (matches(row)) return made(row);
  return Error{fmt::format("so many {} were not measured", what),
               "'warplens transfers' prints those that were"};
}

constexpr auto kTransferCalls = std::to_array<TransferCall>({
    {"transfers", kCopyForm, 3, copy_of},
    {"pieces", "pieces(1024)", 1,
     [](const Transfers& all, Arguments arguments) -> Result<Transfer> {
       const double* many = whole(arguments[0]);
       if (many == nullptr) return wrong("pieces(1024)");
       return row_of(
           all.pieces, "pieces", [&](const auto& row) { return static_cast<double>(row.pieces) == *many; },
           [](const auto& row) {
             return Transfer{row.seconds.median, static_cast<double>(row.bytes)};
           });
     }},
    {"streams", "streams(4)", 1,
     [](const Transfers& all, Arguments arguments) -> Result<Transfer> {
       const double* many = whole(arguments[0]);
       if (many == nullptr) return wrong("streams(4)");
       return row_of(
           all.streams, "streams", [&](const auto& row) { return row.streams == *many; },
           [](const auto& row) {
             return Transfer{row.seconds, static_cast<double>(row.bytes)};
           });
     }},
    {"concurrent", "concurrent(8, 8)", 2,
     [](const Transfers& all, Arguments arguments) -> Result<Transfer> {
       const double *kernels = whole(arguments[0]), *streams = whole(arguments[1]);
       if (kernels == nullptr || streams == nullptr) return wrong("concurrent(8, 8)");
       return row_of(
           all.kernels, "kernels in so many streams",
           [&](const auto& row) { return row.kernels == *kernels && row.streams == *streams; },
           [](const auto& row) {
             return Transfer{row.seconds, 0};
           });
     }},
});

constexpr auto kTransferNumbers = std::to_array<TransferNumber>({
    {"seconds", [](const Transfer& t) { return t.seconds; }},
    {"gb_per_second", [](const Transfer& t) { return t.bytes / t.seconds / 1e9; }},
});

}  // namespace

std::span<const Recorded> recorded_numbers() { return kRecorded; }
std::span<const Predicted> predicted_numbers() { return kPredicted; }
std::span<const TransferCall> transfer_calls() { return kTransferCalls; }
std::span<const TransferNumber> transfer_numbers() { return kTransferNumbers; }

}  // namespace warplens::lesson
