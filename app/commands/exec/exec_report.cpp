#include "app/commands/exec/exec_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "app/base/text_table.hpp"
#include "app/gpu/report_text.hpp"
#include "app/gpu/time_text.hpp"
#include "engine/base/printable.hpp"
#include "engine/base/text.hpp"
#include "engine/run/quantities/quantities.hpp"

namespace warplens::app {
namespace {

using program::KernelRecord, program::ProgramRecord;

constexpr std::size_t kMostRows = 40, kMostFindings = 12;
constexpr std::size_t kMostCounted = 20'000;  // launches that have their counts in the JSON
constexpr std::string_view kCounts = "counts";

std::string seconds_words(double seconds) { return seconds <= 0 ? "-" : time_words(seconds); }

std::string shape_words(const std::array<std::uint32_t, 3>& of) {
  if (of[2] > 1) return fmt::format("{}x{}x{}", of[0], of[1], of[2]);
  return of[1] > 1 ? fmt::format("{}x{}", of[0], of[1]) : fmt::format("{}", of[0]);
}

// "18,750 (1.00)": and how many times the ideal.
std::string over_ideal(std::uint64_t count, std::uint64_t ideal) {
  if (count == 0) return "-";
  return ideal == 0 ? grouped(count)
                    : fmt::format("{} ({:.2f})", grouped(count),
                                  static_cast<double>(count) / static_cast<double>(ideal));
}

std::uint64_t sectors(const emulator::Counts& counts) {
  return counts.global_load.sectors + counts.global_store.sectors;
}
std::uint64_t ideal_sectors(const emulator::Counts& counts) {
  return counts.global_load.ideal_sectors + counts.global_store.ideal_sectors;
}
std::uint64_t wavefronts(const emulator::Counts& counts) {
  return counts.shared_load.wavefronts + counts.shared_store.wavefronts;
}
std::uint64_t ideal_wavefronts(const emulator::Counts& counts) {
  return counts.shared_load.ideal_wavefronts + counts.shared_store.ideal_wavefronts;
}

std::string launches_words(const KernelRecord& kernel) {
  if (kernel.sampled > 0) return fmt::format("{} (sampled)", grouped(kernel.launches));
  return kernel.repeats == 0 ? grouped(kernel.launches)
                             : fmt::format("{} ({} run)", grouped(kernel.launches),
                                           grouped(kernel.launches - kernel.repeats));
}

std::string wavefronts_words(const KernelRecord& kernel) {
  const std::string words = over_ideal(wavefronts(kernel.counts), ideal_wavefronts(kernel.counts));
  const bool is_guess = wavefronts(kernel.counts) > 0 && kernel.vectorized_as_in_cubin == false;
  return is_guess ? words + ", a guess" : words;
}

std::string finding_words(const KernelRecord& kernel) {
  if (!kernel.findings.empty()) return std::string(check::name(kernel.findings.front().kind));
  return kernel.checked_blocks == 0 ? "not checked" : "none";
}

// "main.cu:57", of the call that launched it first.
std::string caller_words(const KernelRecord& kernel, const program::HostLines& lines) {
  const Place place = lines.place_of_call(kernel.caller);
  if (place.file.empty()) return "-";
  return fmt::format("{}:{}", std::filesystem::path(place.file).filename().string(), place.line);
}

TextRow row_of(const KernelRecord& kernel, const program::HostLines& lines) {
  return {printable(kernel.title),
          printable(caller_words(kernel, lines)),
          shape_words(kernel.shape.grid) + " x " + shape_words(kernel.shape.block),
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
  std::size_t count = 0;
  for (const KernelRecord& kernel : record.kernels)
    for (const check::Finding& finding : kernel.findings) {
      if (++count > kMostFindings) continue;
      const std::string place = to_string(Place{finding.file, finding.line, 0});
      text += fmt::format("{}{}{}: {}, in {}: {}\n", place, place.empty() ? "" : ": ",
                          check::name(finding.severity), check::name(finding.kind), kernel.title,
                          printable(finding.message));
      if (!finding.fix.empty()) text += fmt::format("  {}\n", printable(finding.fix));
    }
  if (count > kMostFindings) text += fmt::format("and {} more findings: see --json\n", count - kMostFindings);
  return text;
}

constexpr std::array<const char*, 4> kDirections = {"to the device", "to the host", "on the device",
                                                    "on the host"};

std::string copies_text(const ProgramRecord& record) {
  std::vector<std::string> parts;
  for (std::size_t d = 0; d < kDirections.size(); ++d)
    if (const auto& one = record.copies[d]; one.copies > 0)
      parts.push_back(
          fmt::format("{} {} ({} bytes)", grouped(one.copies), kDirections[d], grouped(one.bytes)));
  return parts.empty() ? "" : fmt::format("copies: {}\n", fmt::join(parts, ", "));
}

std::string notes_text(const ExecReport& report) {
  const ProgramRecord& record = report.record;
  std::string text;
  if (!record.host_access.empty())
    text += fmt::format(
        "the host's own code used a device pointer ({}), as no GPU allows; copy with cudaMemcpy\n",
        record.host_access);
  if (record.lost_print_bytes > 0)
    text += fmt::format(
        "{} bytes that kernels printed were not shown, as on a GPU; call cudaDeviceSynchronize() before the "
        "end\n",
        grouped(record.lost_print_bytes));
  for (const auto& [name, library] : record.libraries)
    text += fmt::format("{}: {} calls, computed on this processor, neither counted nor predicted\n",
                        printable(name), library.calls);
  for (const std::string& name : record.not_emulated)
    text += fmt::format("not emulated: {}\n", printable(name));
  for (const std::string& problem : record.problems)
    text += fmt::format("not understood: {}\n", printable(problem));
  for (const KernelRecord& kernel : record.kernels)
    if (!kernel.not_checked.empty())
      text += fmt::format("{}: not checked: {}\n", kernel.title, kernel.not_checked);
  if (std::ranges::any_of(record.kernels, [](const KernelRecord& kernel) { return kernel.sampled > 0; }))
    text +=
        "--sample: of large launches some blocks ran alone, so what the program computes and says is not its "
        "result\n";
  if (!report.stopped.empty()) text += report.stopped + "\n";
  return text;
}

std::string end_words(const ExecReport& report) {
  if (report.signal) return fmt::format("ended by {}", strsignal(*report.signal));
  return fmt::format("exit code {}", report.exit_code);
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
                                 report.is_confined ? "" : ", unconfined", end_words(report));
  text += kernels_text(record, report.lines);
  text += copies_text(record);
  text += fmt::format("launches: {}, predicted {} on the device; {} here, {} of it in kernels\n",
                      grouped(record.launch_count), seconds_words(record.predicted_seconds),
                      seconds_words(report.seconds), seconds_words(record.emulated_seconds));
  text += notes_text(report);
  text += findings_text(record);
  return text;
}

Json to_json(const ExecReport& report) {
  const ProgramRecord& record = report.record;
  Json json = {{"program", report.program},
               {"device", report.device.id},
               {"exit_code", report.exit_code},
               {"signal", report.signal ? Json(*report.signal) : Json(nullptr)},
               {"stopped", report.stopped.empty() ? Json(nullptr) : Json(report.stopped)},
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
