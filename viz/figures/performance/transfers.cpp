#include "viz/figures/performance/transfers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "viz/figures/parts/parts.hpp"
#include "viz/plot/number_format.hpp"

namespace warplens::figures {
namespace {

using plot::Plot, plot::Series;
using Transfers = measured::Transfers;

std::string source_of(const Transfers& all) {
  return fmt::format("{}, {}, driver {}, recorded {}", all.device, all.bus, all.driver, all.date);
}

Series line_of(const Transfers& all, std::size_t memory, std::size_t direction) {
  const auto kind = measured::kHostMemories[memory], way = measured::kDirections[direction];
  Series line{.id = fmt::format("{}:{}", kind, way), .name = fmt::format("{}, {}", kind, way)};
  line.color = Color{theme::series(static_cast<int>(memory))};
  line.shape = static_cast<int>(direction);
  for (const measured::CopyTime& copy : all.copies) {
    if (copy.memory != kind || copy.direction != way) continue;
    line.x.push_back(static_cast<double>(copy.bytes));
    line.y.push_back(measured::gb_per_second(copy));
    line.tips.push_back(fmt::format("{} (10 % {}, 90 % {})", plot::si(copy.seconds.median, 3, " ", "s"),
                                    plot::si(copy.seconds.p10, 3, " ", "s"),
                                    plot::si(copy.seconds.p90, 3, " ", "s")));
  }
  return line;
}

bool shows(const PerformanceInput& input, std::string_view memory) {
  return input.memories.empty() || std::ranges::find(input.memories, memory) != input.memories.end();
}

// So large that starting it does not count.
constexpr double kLargeCopy = 64 << 20;

const measured::CopyTime* large_copy(const Transfers& all, std::string_view memory,
                                     std::string_view direction) {
  const auto found = std::ranges::find_if(all.copies, [&](const measured::CopyTime& copy) {
    return copy.memory == memory && copy.direction == direction &&
           static_cast<double>(copy.bytes) == kLargeCopy;
  });
  return found == all.copies.end() ? nullptr : &*found;
}

// The parts of what streams do, in the order of their colours.
constexpr std::array<std::string_view, 3> kParts = {"to device", "kernel", "to host"};

// A stream's events say when its copy could begin; copies of one direction pass one after the other, so it
// begins when the one before it ends.
double begin_of(const measured::StreamsTime& time, const measured::StreamItem& item) {
  double begin = item.begin;
  if (item.what == "kernel") return begin;
  for (const measured::StreamItem& other : time.items)
    if (other.what == item.what && other.end < item.end) begin = std::max(begin, other.end);
  return begin;
}

void add_row(Plot& plot, const measured::StreamsTime& time, int stream) {
  const double row = static_cast<double>(plot.x.categories.size());
  const std::string total = plot::si(time.seconds, 3, " ", "s");
  plot.x.categories.push_back(time.streams == 1 ? fmt::format("1 stream: {}", total)
                              : stream == 0     ? fmt::format("{} streams: {}", time.streams, total)
                                                : "");
  for (const measured::StreamItem& item : time.items)
    for (std::size_t part = 0; part < kParts.size(); ++part) {
      if (item.stream != stream || item.what != kParts[part]) continue;
      Series& series = plot.series[part];
      series.x.push_back(row);
      const double begin = begin_of(time, item);
      series.low.push_back(1e3 * begin);
      series.y.push_back(1e3 * item.end);
      series.tips.push_back(fmt::format("stream {}, {} from {}", stream + 1,
                                        plot::si(item.end - begin, 3, " ", "s"),
                                        plot::si(begin, 3, " ", "s")));
    }
}

}  // namespace

std::optional<std::vector<std::string>> memories_named(std::string_view list) {
  std::vector<std::string> found;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    const std::string_view name = list.substr(0, comma);
    if (std::ranges::find(measured::kHostMemories, name) == measured::kHostMemories.end())
      return std::nullopt;
    found.emplace_back(name);
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return found;
}

Plot transfers_plot(const PerformanceInput& input) {
  Plot plot;
  if (input.transfers == nullptr || input.transfers->empty()) return plot;
  const Transfers& all = *input.transfers;
  plot.title = "Copies between host and device";
  plot.subtitle = source_of(all);
  plot.caption =
      "The median, until the host knows that the copy is done; mapped memory is read or written by a kernel";
  plot.x = {.label = "Size of one copy", .scale = plot::Scale::log2, .notation = plot::Notation::bytes};
  plot.y = {.label = "GB/s", .unit = "GB/s", .low = 0};
  plot.names_at_ends = true;
  for (std::size_t direction = 0; direction < measured::kDirections.size(); ++direction)
    for (std::size_t memory = 0; memory < measured::kHostMemories.size(); ++memory)
      if (shows(input, measured::kHostMemories[memory]))
        plot.series.push_back(line_of(all, memory, direction));
  return plot;
}

Plot streams_plot(const PerformanceInput& input) {
  Plot plot;
  if (input.transfers == nullptr || input.transfers->streams.empty()) return plot;
  const Transfers& all = *input.transfers;
  plot.title = "Copies beside kernels";
  plot.subtitle = source_of(all);
  plot.caption = fmt::format(
      "{} brought to the device, worked on as long as that takes, and brought back; a copy waits for the one "
      "before it in its direction",
      plot::plain(static_cast<double>(all.streams.front().bytes) / (1 << 20)) + " MiB");
  plot.horizontal = true;
  plot.x = {.scale = plot::Scale::category};
  plot.y = {.label = "Time from the start, ms", .unit = "ms", .low = 0};
  constexpr std::array kColors = {0, 1, 2};
  for (std::size_t part = 0; part < kParts.size(); ++part)
    plot.series.push_back({.id = std::string(kParts[part]),
                           .name = std::string(kParts[part]),
                           .kind = Series::Kind::bars,
                           .color = Color{theme::series(kColors[part])}});
  for (const measured::StreamsTime& time : all.streams)
    for (int stream = 0; stream < time.streams; ++stream) add_row(plot, time, stream);
  return plot;
}

Plot concurrent_plot(const PerformanceInput& input) {
  Plot plot;
  if (input.transfers == nullptr || input.transfers->kernels.empty()) return plot;
  const Transfers& all = *input.transfers;
  plot.title = "Kernels beside each other";
  plot.subtitle = source_of(all);
  plot.caption = "Kernels of one block, each of which occupies one multiprocessor";
  plot.horizontal = true;
  plot.x = {.scale = plot::Scale::category};
  plot.y = {.label = "Time, ms", .unit = "ms", .low = 0};
  Series one{.id = "one", .name = "in one stream", .kind = Series::Kind::bars};
  one.color = Color{Token::series_1};
  Series own{.id = "own", .name = "each in a stream of its own", .kind = Series::Kind::bars};
  own.color = Color{Token::series_3};
  std::map<int, double> rows;
  for (const measured::KernelsTime& time : all.kernels)
    if (rows.emplace(time.kernels, rows.size()).second)
      plot.x.categories.push_back(time.kernels == 1 ? "1 kernel" : fmt::format("{} kernels", time.kernels));
  for (const measured::KernelsTime& time : all.kernels) {
    Series& series = time.streams == 1 ? one : own;
    series.x.push_back(rows.at(time.kernels));
    series.y.push_back(1e3 * time.seconds);
    series.labels.push_back(plot::si(time.seconds, 3, " ", "s"));
  }
  plot.series = {std::move(one), std::move(own)};
  return plot;
}

Plot bus_plot(const PerformanceInput& input) {
  Plot plot;
  if (input.transfers == nullptr || input.transfers->empty() || !input.roofline) return plot;
  const Transfers& all = *input.transfers;
  plot.title = "Host, bus and device";
  plot.subtitle = source_of(all);
  plot.caption = fmt::format("Copies of {}; the memory of the device by its data sheet",
                             plot::plain(kLargeCopy / (1 << 20)) + " MiB");
  plot.horizontal = true;
  plot.x = {.scale = plot::Scale::category};
  plot.y = {.label = "GB/s", .unit = "GB/s", .low = 0};
  Series bus{.id = "bus", .name = "over the bus, recorded", .kind = Series::Kind::bars};
  bus.color = Color{Token::series_1};
  Series device{.id = "memory", .name = "within the device, at most", .kind = Series::Kind::bars};
  device.color = Color{Token::series_3};
  const auto add = [&](const std::string& name, Series& series, double speed) {
    series.x.push_back(static_cast<double>(plot.x.categories.size()));
    series.y.push_back(speed);
    series.labels.push_back(plot::plain(speed < 100 ? std::round(10 * speed) / 10 : std::round(speed), 15));
    plot.x.categories.push_back(name);
  };
  for (const auto direction : measured::kDirections)
    for (const auto memory : measured::kHostMemories) {
      const measured::CopyTime* copy = shows(input, memory) ? large_copy(all, memory, direction) : nullptr;
      if (copy != nullptr) add(fmt::format("{}, {}", memory, direction), bus, measured::gb_per_second(*copy));
    }
  add("memory of the device", device, input.roofline->memory_gb_per_s);
  plot.series = {std::move(bus), std::move(device)};
  return plot;
}

}  // namespace warplens::figures
