#include "app/both_run.hpp"

#include <fmt/format.h>

#include <cstring>

#include "app/emulator_run.hpp"
#include "app/text_table.hpp"

namespace warplens::app {
namespace {

std::vector<CounterPair> counters_of(const RunCounts& counts) {
  return {{"global_load.requests", counts.global_load.requests, {}},
          {"global_load.sectors", counts.global_load.sectors, {}},
          {"global_store.requests", counts.global_store.requests, {}},
          {"global_store.sectors", counts.global_store.sectors, {}},
          {"shared_load.requests", counts.shared_load.requests, {}},
          {"shared_load.wavefronts", counts.shared_load.wavefronts, {}},
          {"shared_store.requests", counts.shared_store.requests, {}},
          {"shared_store.wavefronts", counts.shared_store.wavefronts, {}}};
}

bool is_of(const Json& row, const RunReport& report) {
  const Json wanted = to_json(report);
  return row.value("kernel", "") == report.kernel && row.value("params", Json()) == wanted["params"] &&
         row.value("size", Json()) == wanted["size"];
}

std::span<const std::byte> poison_of(const problem::Instance& instance) {
  for (std::size_t b = 0; b < instance.buffers().size(); ++b) {
    if (instance.buffers()[b].is_output) return instance.initial(b);
  }
  return {};
}

std::string words_of(const BitComparison& bits) {
  if (bits.different == 0) return fmt::format("equal, all {} elements compared", bits.compared);
  return fmt::format("{} of {} elements differ, the first is element {}", bits.different, bits.compared,
                     bits.first);
}

std::string difference(const CounterPair& pair) {
  if (!pair.recorded) return "";
  if (*pair.recorded == pair.emulated) return "equal";
  const double share = static_cast<double>(pair.emulated) / static_cast<double>(*pair.recorded) - 1;
  return *pair.recorded == 0 ? "DIFFERENT" : fmt::format("DIFFERENT, {:+.2f} %", 100 * share);
}

}  // namespace

BitComparison compare_bits(std::span<const std::byte> emulated, std::span<const std::byte> measured,
                           std::span<const std::byte> untouched) {
  constexpr std::size_t element = 4;
  BitComparison comparison;
  for (std::size_t at = 0; at + element <= std::min(emulated.size(), measured.size()); at += element) {
    if (std::memcmp(emulated.data() + at, untouched.data() + at, element) == 0) continue;
    ++comparison.compared;
    if (std::memcmp(emulated.data() + at, measured.data() + at, element) == 0) continue;
    if (comparison.different++ == 0) comparison.first = static_cast<std::int64_t>(at / element);
  }
  return comparison;
}

Status add_counters(Both& both, const std::filesystem::path& home) {
  both.counters = counters_of(both.emulated.counts);
  const std::filesystem::path path = home / "assets" / "recorded" / "h100-counters.json";
  std::error_code ignored;
  if (both.emulated.sampled_blocks || !std::filesystem::exists(path, ignored)) return Done{};
  const auto text = read_file(path);
  if (!text) return text.error();
  const Json file = Json::parse(*text, nullptr, false);
  if (!file.is_object() || !file.contains("rows") || !file["rows"].is_array())
    return Error{"no recorded counters in this file",
                 "make it again with docs/make_hardware_counts.py",
                 {path.string(), 0, 0}};
  for (const Json& row : file["rows"]) {
    if (!row.is_object() || !is_of(row, both.emulated)) continue;
    both.recorded_on = file.value("chip", "");
    for (CounterPair& pair : both.counters) {
      const auto found = row.find(pair.name);
      if (found != row.end() && found->is_number_unsigned()) pair.recorded = found->get<std::uint64_t>();
    }
  }
  return Done{};
}

Result<Both> run_on_both(GpuEngine* gpu, const RunJob& job, const GpuRunOptions& options,
                         const std::filesystem::path& home) {
  std::vector<std::byte> emulated_output, measured_output;
  auto emulated = run_on_emulator(job, &emulated_output);
  if (!emulated) return emulated.error();
  Both both{.emulated = *std::move(emulated), .measured = {}, .bits = {}, .counters = {}, .recorded_on = {}};
  if (const auto added = add_counters(both, home); !added) return added.error();
  if (gpu == nullptr) return both;
  auto measured = run_on_gpu(*gpu, job, options, &measured_output);
  if (!measured) return measured.error();
  both.measured = *std::move(measured);
  both.bits = compare_bits(emulated_output, measured_output, poison_of(*job.instance));
  return both;
}

Json to_json(const Both& both) {
  Json json = {
      {"emulator", to_json(both.emulated)}, {"gpu", nullptr}, {"bits", nullptr}, {"recorded_on", nullptr}};
  if (both.measured) json["gpu"] = to_json(*both.measured);
  if (both.bits) {
    json["bits"] = {{"compared", both.bits->compared},
                    {"different", both.bits->different},
                    {"equal", both.bits->compared > 0 && both.bits->different == 0}};
  }
  if (!both.recorded_on.empty()) json["recorded_on"] = both.recorded_on;
  Json counters = Json::object();
  for (const CounterPair& pair : both.counters) {
    counters[pair.name] = {{"emulated", pair.emulated},
                           {"recorded", pair.recorded ? Json(*pair.recorded) : Json()}};
  }
  json["counters"] = std::move(counters);
  return json;
}

std::string to_text(const Both& both) {
  std::string text = to_text(both.measured ? *both.measured : both.emulated);
  std::vector<TextRow> rows = {
      {"counter", "emulated", both.recorded_on.empty() ? "recorded" : "recorded on " + both.recorded_on, ""}};
  for (const CounterPair& pair : both.counters) {
    rows.push_back({pair.name, fmt::format("{}", pair.emulated),
                    pair.recorded ? fmt::format("{}", *pair.recorded) : "-", difference(pair)});
  }
  text += "\n" + format_table(rows);
  if (both.recorded_on.empty()) text += "no hardware counters are recorded for these values\n";
  text += fmt::format("\nemulator       {}\n", both.emulated.verified ? "verified" : "WRONG");
  text += fmt::format("bits           {}\n",
                      both.bits ? "emulator and GPU: " + words_of(*both.bits) : "no GPU to compare with");
  return text;
}

}  // namespace warplens::app
