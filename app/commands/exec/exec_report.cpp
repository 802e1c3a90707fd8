#include "app/commands/exec/exec_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "app/base/text_table.hpp"
#include "app/gpu/report_text.hpp"
#include "app/gpu/time_text.hpp"
#include "app/program/record_words.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/text.hpp"
#include "engine/run/quantities/quantities.hpp"

namespace warplens::app {
namespace {

using program::KernelRecord, program::ProgramRecord;

constexpr std::size_t kMostRows = 40, kMostFindings = 12;
constexpr std::size_t kMostCounted = 20'000;  // launches that have their counts in the JSON
constexpr std::string_view kCounts = "counts";

TextRow row_of(const KernelRecord& kernel, const program::HostLines& lines) {
  return {printable(kernel.title),
          printable(place_words(lines.place_of_call(kernel.caller))),
          shape_words(kernel.shape),
          launches_words(kernel),
          over_ideal(sectors(kernel.counts), ideal_sectors(kernel.counts)),
          wavefronts_words(kernel),
          fmt::format("{:.0f} %", kernel.occupancy * 100),
          seconds_words(kernel.predicted_seconds),
          kernel.limiter.empty() ? "-" : kernel.limiter,
          finding_words(kernel)};
}

std::string kernels_text(const ProgramRecord& record, const program::HostLines& lines) {
  if (record.kernels.empty()) return "no kernel was launched\n";
  std::vector<TextRow> rows = {{"kernel", "launched at", "blocks x threads", "launches", "sectors (of ideal)",
                                "wavefronts (of ideal)", "occupancy", "predicted", "limited by", "findings"}};
  for (const KernelRecord& kernel : record.kernels) {
    if (rows.size() > kMostRows) break;
    rows.push_back(row_of(kernel, lines));
  }
  std::string text = format_table(rows);
  if (record.kernels.size() > kMostRows)
    text += fmt::format("and {} more kernels or shapes: see --json\n", record.kernels.size() - kMostRows);
  return text;
}

std::string findings_text(const ProgramRecord& record) {
  std::string text;
  const std::vector<FoundIn> all = findings_of(record);
  for (std::size_t f = 0; f < std::min(all.size(), kMostFindings); ++f) {
    text += all[f].line + "\n";
    if (!all[f].finding->fix.empty()) text += fmt::format("  {}\n", printable(all[f].finding->fix));
  }
  if (all.size() > kMostFindings)
    text += fmt::format("and {} more findings: see --json\n", all.size() - kMostFindings);
  return text;
}

std::string lines_text(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

// All that is counted, at its place of `run --json` behind "counts", and the ideal of sectors.
Json counts_json(const emulator::Counts& counts) {
  Json json = {{"warp_instructions", counts.warp_instructions},
               {"thread_instructions", counts.thread_instructions}};
  for (const run::Quantity& quantity : run::quantities())
    if (const auto* of = std::get_if<run::OfCounts>(&quantity.of);
        of != nullptr && quantity.json.starts_with(kCounts))
      json[Json::json_pointer(std::string(quantity.json.substr(kCounts.size())))] =
          static_cast<std::uint64_t>((*of)(counts));
  json["global_load"]["ideal_sectors"] = counts.global_load.ideal_sectors;
  json["global_store"]["ideal_sectors"] = counts.global_store.ideal_sectors;
  json["global_atomic"]["ideal_sectors"] = counts.global_atomic.ideal_sectors;
  for (const auto& [name, of] :
       {std::pair{"local_load", counts.local_load}, {"local_store", counts.local_store}})
    json[name] = {{"requests", of.requests}, {"sectors", of.sectors}};
  return json;
}

std::string stopped_words(const ExecReport& report) {
  std::string words = stop_words(report.end, report.limits);
  if (report.end.limit) words += fmt::format("; allow more with {}", option_of(limit_of(*report.end.limit)));
  return words;
}

Json place_json(const Place& place) {
  return place.file.empty() ? Json(nullptr) : Json{{"file", place.file}, {"line", place.line}};
}

Json kernel_json(const KernelRecord& kernel, const program::HostLines& lines) {
  Json json = {
      {"kernel", kernel.title},
      {"symbol", kernel.name},
      {"grid", kernel.shape.grid},
      {"block", kernel.shape.block},
      {"dynamic_shared_bytes", kernel.shape.shared_bytes},
      {"static_shared_bytes", kernel.static_shared},
      {"registers", kernel.registers > 0 ? Json(kernel.registers) : Json(nullptr)},
      {"occupancy", kernel.occupancy},
      {"caller", place_json(lines.place_of_call(kernel.caller))},
      {"launches", kernel.launches},
      {"repeats", kernel.repeats},
      {"sampled", kernel.sampled},
      {"counts", counts_json(kernel.counts)},
      {"merge_matches_cubin",
       kernel.vectorized_as_in_cubin ? Json(*kernel.vectorized_as_in_cubin) : Json(nullptr)},
      {"predicted_seconds", kernel.predicted_seconds > 0 ? Json(kernel.predicted_seconds) : Json(nullptr)},
      {"limiter", kernel.limiter.empty() ? Json(nullptr) : Json(kernel.limiter)},
      {"basis", kernel.basis.empty() ? Json(nullptr) : Json(kernel.basis)},
      {"why_not_predicted",
       kernel.why_not_predicted.empty() ? Json(nullptr) : Json(kernel.why_not_predicted)},
      {"checked_blocks", kernel.checked_blocks},
      {"not_executed", kernel.not_executed.empty() ? Json(nullptr) : Json(kernel.not_executed)},
      {"not_checked", kernel.not_checked.empty() ? Json(nullptr) : Json(kernel.not_checked)},
      {"findings", Json::array()}};
  for (const check::Finding& finding : kernel.findings) json["findings"].push_back(finding_json(finding));
  return json;
}

Json launch_json(const program::LaunchRecord& launch, const program::HostLines& lines) {
  return {
      {"kernel", launch.kernel},
      {"caller", place_json(lines.place_of_call(launch.caller))},

      {"stream", launch.stream},
      {"ran", program::name(launch.ran)},
      {"error", launch.error},
      {"warp_instructions", launch.counts.warp_instructions},
      {"sectors", sectors(launch.counts)},
      {"predicted_seconds", launch.predicted_seconds > 0 ? Json(launch.predicted_seconds) : Json(nullptr)},
      {"seconds", launch.seconds},
      {"arguments", launch.arguments}};
}

}  // namespace

std::string to_text(const ExecReport& report) {
  const ProgramRecord& record = report.record;
  std::string text = fmt::format("\nwarplens: {} on {}, emulated{}: {}\n", report.program, report.device.name,
                                 report.is_confined ? "" : ", unconfined", end_words(report.end));
  text += kernels_text(record, report.lines);
  if (const std::string copies = copies_words(record); !copies.empty()) text += copies + "\n";
  text += fmt::format("launches: {}, predicted {} on the device; {} here, {} of it in kernels\n",
                      grouped(record.launch_count), seconds_words(record.predicted_seconds),
                      seconds_words(report.seconds), seconds_words(record.emulated_seconds));
  text += lines_text(notes_of(record));
  if (const std::string stopped = stopped_words(report); !stopped.empty()) text += stopped + "\n";
  text += findings_text(record);
  return text;
}

Json to_json(const ExecReport& report) {
  const ProgramRecord& record = report.record;
  Json json = {{"program", report.program},
               {"device", report.device.id},
               {"exit_code", report.end.exit_code},
               {"signal", report.end.signal ? Json(*report.end.signal) : Json(nullptr)},
               {"stopped", stop_words(report.end, report.limits).empty()
                               ? Json(nullptr)
                               : Json(stop_words(report.end, report.limits))},
               {"limit", report.end.limit ? Json(limit_of(*report.end.limit).name) : Json(nullptr)},
               {"confined", report.is_confined},
               {"seconds", report.seconds},
               {"emulated_seconds", record.emulated_seconds},
               {"predicted_seconds", record.predicted_seconds},
               {"launch_count", record.launch_count},
               {"most_memory_bytes", record.most_memory},
               {"kernels", Json::array()},
               {"launches", Json::array()},
               {"copies", Json::object()},
               {"libraries", Json::object()},
               {"not_emulated", record.not_emulated},
               {"not_understood", record.problems},
               {"lost_print_bytes", record.lost_print_bytes},
               {"host_access", record.host_access.empty() ? Json(nullptr) : Json(record.host_access)}};
  for (const KernelRecord& kernel : record.kernels)
    json["kernels"].push_back(kernel_json(kernel, report.lines));
  for (const auto& launch : record.launches) {
    json["launches"].push_back(launch_json(launch, report.lines));
    if (json["launches"].size() <= kMostCounted)
      json["launches"].back()["counts"] = counts_json(launch.counts);
  }
  constexpr std::array<const char*, 4> kKeys = {"to_device", "to_host", "on_device", "on_host"};
  for (std::size_t d = 0; d < kKeys.size(); ++d)
    json["copies"][kKeys[d]] = {{"copies", record.copies[d].copies}, {"bytes", record.copies[d].bytes}};
  for (const auto& [name, library] : record.libraries)
    json["libraries"][name] = {{"calls", library.calls}, {"seconds", library.seconds}};
  return json;
}

}  // namespace warplens::app
