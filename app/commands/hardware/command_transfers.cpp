// warplens transfers: what it takes to bring data to the GPU of this machine and back.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "app/base/text_table.hpp"
#include "app/commands/commands.hpp"
#include "engine/base/text.hpp"
#include "engine/base/whole_file.hpp"
#include "engine/gpu/worker/transfers.hpp"

namespace warplens::app {
namespace {

using measured::Transfers;

std::string microseconds(double seconds) { return fmt::format("{:.1f}", seconds * 1e6); }

void print_copies(const Transfers& transfers) {
  std::vector<TextRow> rows = {{"bytes"}};
  for (const std::string_view direction : measured::kDirections)
    for (const std::string_view memory : measured::kHostMemories)
      rows[0].push_back(fmt::format("{}, {}", memory, direction));
  for (const measured::CopyTime& first : transfers.copies) {
    if (first.memory != measured::kHostMemories[0] || first.direction != measured::kDirections[0]) continue;
    TextRow& row = rows.emplace_back(TextRow{grouped(first.bytes)});
    for (const std::string_view direction : measured::kDirections)
      for (const std::string_view memory : measured::kHostMemories) {
        const auto* copy = nearest_copy(transfers, memory, direction, static_cast<double>(first.bytes));
        row.push_back(copy == nullptr ? "-" : fmt::format("{:.3g}", gb_per_second(*copy)));
      }
  }
  fmt::print("copies, GB/s (the median)\n{}\n", format_table(rows));
}

void print_pieces(const Transfers& transfers) {
  std::vector<TextRow> rows = {{"copies", "bytes each", "microseconds", "GB/s"}};
  for (const measured::PiecesTime& time : transfers.pieces)
    rows.push_back({grouped(time.pieces), grouped(time.bytes / time.pieces),
                    microseconds(time.seconds.median),
                    fmt::format("{:.3g}", static_cast<double>(time.bytes) / time.seconds.median / 1e9)});
  fmt::print("one copy against many, pinned, to the device\n{}\n", format_table(rows));
}

void print_streams(const Transfers& transfers) {
  std::vector<TextRow> rows = {{"streams", "microseconds"}};
  for (const measured::StreamsTime& time : transfers.streams)
    rows.push_back({fmt::format("{}", time.streams), microseconds(time.seconds)});
  fmt::print("to the device, a kernel as long as that copy, and back, in parts\n{}\n", format_table(rows));
}

void print_kernels(const Transfers& transfers) {
  std::vector<TextRow> rows = {{"kernels of one block", "streams", "microseconds"}};
  for (const measured::KernelsTime& time : transfers.kernels)
    rows.push_back(
        {fmt::format("{}", time.kernels), fmt::format("{}", time.streams), microseconds(time.seconds)});
  fmt::print("kernels beside each other\n{}", format_table(rows));
}

}  // namespace

Result<int> transfers_command(const CommonOptions& common, const TransfersOptions& options) {
  const auto say = [](std::string_view what) { fmt::print(stderr, "measuring: {}\n", what); };
  const auto transfers = gpu::measure_transfers({.device = options.gpu}, say);
  if (!transfers) return transfers.error();
  const std::string json = warplens::to_text(measured::to_json(*transfers));
  if (!options.save.empty())
    if (const auto written = write_whole_file(options.save, json); !written) return written.error();
  if (common.json) {
    fmt::print("{}", json);
    return kExitFine;
  }
  fmt::print("{}, {}, driver {}\n\n", transfers->device, transfers->bus, transfers->driver);
  print_copies(*transfers);
  print_pieces(*transfers);
  print_streams(*transfers);
  print_kernels(*transfers);
  return kExitFine;
}

}  // namespace warplens::app
