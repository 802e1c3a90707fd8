#include "app/gpu/report_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/base/tried_words.hpp"
#include "app/base/verdict_words.hpp"
#include "engine/run/quantities/quantities.hpp"
#include "viz/plot/number_format.hpp"

namespace warplens::app {
namespace {

Json to_json(const run::NamedValues& values) {
  Json object = Json::object();
  for (const auto& [name, value] : values) object[name] = value;
  return object;
}

Json to_json(const run::Quantity& quantity, const run::Report& report) {
  const auto value = run::value(quantity, report, run::Scope::counted);
  if (!value) return nullptr;
  if (const auto* text = std::get_if<std::string>(&*value)) return *text;
  const double number = std::get<double>(*value);
  switch (quantity.form) {
    case run::Form::count:
    case run::Form::bytes:
      return static_cast<std::int64_t>(number);
    case run::Form::truth:
      return number != 0;
    default:
      return number;
  }
}

// Each at its place; what a GPU does not count is null as a whole.
void add_quantities(Json& json, const run::Report& report) {
  if (!report.counted) json["counts"] = nullptr;
  for (const run::Quantity& quantity : run::quantities())
    if (!quantity.json.empty() && (report.counted || !quantity.json.starts_with("counts/")))
      json[Json::json_pointer("/" + std::string(quantity.json))] = to_json(quantity, report);
  if (!report.not_checked.empty()) json["verified"] = nullptr;
}

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

// "16 x 16", without the dimensions of 1 at the end.
std::string to_words(const std::array<std::uint32_t, 3>& shape) {
  std::size_t rank = 3;
  while (rank > 1 && shape[rank - 1] == 1) --rank;
  return fmt::format("{}",
                     fmt::join(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(rank), " x "));
}

std::string blocks_of_threads(const run::Report& report) {
  const std::string grid = to_words(report.grid), block = to_words(report.block);
  return fmt::format("{} block{} of {} thread{}", grid, grid == "1" ? "" : "s", block,
                     block == "1" ? "" : "s");
}

// What a kind of finding means, in a few words.
std::string_view plain_words(check::Kind kind) {
  using K = check::Kind;
  switch (kind) {
    case K::race_shared:
    case K::race_warp:
    case K::race_global:
      return "nothing orders two threads at the same element";
    case K::race_async:
      return "a copy may not have arrived when it is used";
    case K::divergent_barrier:
      return "not all threads reach the same __syncthreads()";
    case K::mask_without_caller:
      return "a mask names other lanes than come";
    case K::inactive_source_lane:
      return "a shuffle reads from a lane that does not take part";
    case K::uninitialized_shared:
      return "shared memory is read before it is written";
    case K::uninitialized_global:
      return "an element is read before it is written";
    case K::uninitialized_local:
    case K::uninitialized_register:
      return "a variable is used before it has a value";
    case K::out_of_bounds:
    case K::out_of_array:
      return "an index is outside of its array";
    case K::stale_read_only:
      return "what the read-only cache holds is written";
    case K::use_after_scope:
      return "a local variable is used after its function has returned";
    case K::misaligned:
      return "an address is no multiple of its width";
    case K::write_to_input:
      return "an input is written";
    case K::division_by_zero:
      return "a whole number is divided by 0";
    case K::launch_bounds:
    case K::launch_registers:
    case K::launch_cluster:
    case K::launch_cooperative:
    case K::launch_shared:
      return "the device refuses the launch";
    case K::launch_instruction:
      return "the device does not have an instruction";
    case K::deadlock:
      return "threads wait for what never comes";
    case K::endless_loop:
      return "a loop does not end";
    case K::trap:
      return "the kernel stops itself";
    case K::wrong_result:
    case K::unwritten_output:
      return "the result is wrong";
    case K::wrong_at_odd_size:
      return "wrong at other sizes";
    case K::wrong_with_other_data:
      return "wrong with other data";
    case K::invalid_operand:
      return "an instruction gets a value that it does not take";
    case K::printf_format:
      return "printf() gets other arguments than its text names";
    case K::missing_proxy_fence:
      return "a copy may not see what was written before it";
    case K::register_in_flight:
      return "a register is used while products still change it";
    case K::transaction_bytes:
      return "a barrier expects other bytes than come";
    case K::register_pool:
      return "warps want more registers than there are";
    case K::partial_warp_group:
      return "not all warps of a warp group take part";
    case K::no_effect:
      return "something has no effect";
  }
  return "";
}

// Of what is not verified: the first error where the output is right all the same.
std::string verdict_of_findings(const run::Report& report) {
  std::string_view first;
  for (const check::Finding& finding : report.findings) {
    if (finding.severity != check::Severity::error) continue;  // as where the guess may be wrong
    if (finding.kind == check::Kind::wrong_result || finding.kind == check::Kind::unwritten_output)
      return "WRONG";
    if (first.empty()) first = plain_words(finding.kind);
  }
  return first.empty() ? "WRONG" : std::string(first);
}

std::string wavefronts_of(const emulator::AccessCounts& load, const emulator::AccessCounts& store) {
  return fmt::format("{} ({})", load.wavefronts + store.wavefronts,
                     load.ideal_wavefronts + store.ideal_wavefronts);
}

std::string describe_global(const emulator::AccessCounts& traffic) {
  return fmt::format("{} requests, {} sectors, {} bytes used", traffic.requests, traffic.sectors,
                     traffic.bytes_used);
}

std::string describe_shared(const emulator::AccessCounts& traffic) {
  return fmt::format("{} requests, {} wavefronts ({} ideal)", traffic.requests, traffic.wavefronts,
                     traffic.ideal_wavefronts);
}

// Where the right value is 0, or the one that came is no number, there is no such error.
std::string error_words(const run::Report& report) {
  if (!std::isfinite(report.max_relative_error)) return "";
  return fmt::format(", largest relative error {:.2g}", report.max_relative_error);
}

std::string result_words(const run::Report& report) {
  if (!report.not_checked.empty()) return "not checked: " + report.not_checked;
  const std::string found = report.verified ? "verified" : verdict_of_findings(report);
  if (report.stopped)
    return fmt::format("{}{}; {}", kStopped, found == "WRONG" ? "" : ": " + found, kUntilThen);
  std::string words =
      found == "verified" || found == "WRONG" ? found + error_words(report) : "not verified: " + found;
  if (report.verified && is_wrong_elsewhere(report))
    words = fmt::format("{}; {}{}", words_of_elsewhere(report).here, words_of_elsewhere(report).there,
                        error_words(report));
  if (report.sampled_blocks)
    words += fmt::format(", {} blocks sampled; counts are of these", *report.sampled_blocks);
  else if (report.blocks_run)
    words +=
        fmt::format(", {} blocks ran, which the others repeat; counts are of the grid", *report.blocks_run);
  return words;
}

// Who was timed: the emulator is as quick as the computer it runs on, which says nothing of the device.
std::string_view engine_words(std::string_view engine) {
  return engine == "gpu" ? "GPU" : "emulator, on this computer's processor";
}

std::string_view unit_of(const run::Report& report) {
  return report.has_whole_results ? kWholeNumbers : kFloatingPoint;
}

std::string time_words(const run::Report& report) {
  std::string words = fmt::format("{:.4g} ms on the {}", report.seconds * 1e3, engine_words(report.engine));
  const measured::Rate rate =
      report.gpu ? rate_of(*report.gpu) : measured::Rate{gflops(report), unit_of(report)};
  if (rate.value > 0) words += fmt::format(", {:.3f} {}", rate.value, rate.unit);
  return words;
}

std::string vectorized_words(const run::Report& report) {
  std::string words =
      fmt::format("{} in the PTX, before ptxas vectorizes them", report.shared_load_requests_in_ptx);
  if (report.vectorized_as_in_cubin) {
    words += *report.vectorized_as_in_cubin ? ", vectorized as in the machine code"
                                            : fmt::format(", wavefronts are {}", kGuessed);
  }
  return words;
}

bool is_count(std::string_view heading) {
  return heading == "instructions" || heading.starts_with("global ") || heading.starts_with("shared ");
}

Json place_json(const std::array<std::uint32_t, 3>& place, bool known) {
  return known ? Json(place) : Json(nullptr);
}

Json to_json(const check::Finding& finding) {
  return {{"kind", check::name(finding.kind)},
          {"severity", check::name(finding.severity)},
          {"file", finding.file},
          {"line", finding.line > 0 ? Json(finding.line) : Json(nullptr)},
          {"header", finding.header.file.empty()
                         ? Json(nullptr)
                         : Json{{"file", finding.header.file}, {"line", finding.header.line}}},
          {"other_line", finding.other_line > 0 ? Json(finding.other_line) : Json(nullptr)},
          {"thread", place_json(finding.at.thread, finding.at.known)},
          {"other_thread", place_json(finding.other.thread, finding.other.known)},
          {"block", place_json(finding.at.block, finding.at.known)},
          {"other_block", place_json(finding.other.block, finding.other.known)},
          {"address", finding.address},
          {"message", finding.message},
          {"effect", finding.effect.empty() ? Json(nullptr) : Json(finding.effect)},
          {"fix", finding.fix}};
}

// "error: race-shared, line 24 and line 31", then what happens there and what to do.
std::string to_text(const check::Finding& finding) {
  std::string head = fmt::format("{}: {}", check::name(finding.severity), check::name(finding.kind));
  if (finding.line > 0) head += fmt::format(", line {}", finding.line);
  if (finding.other_line > 0 && finding.other_line != finding.line)
    head += fmt::format(" and line {}", finding.other_line);
  std::string text = head + "\n  " + finding.message + "\n";
  if (!finding.effect.empty()) text += "  " + finding.effect + "\n";
  if (!finding.fix.empty()) text += "  " + finding.fix + "\n";
  return text;
}

Json to_json(const run::Tried& tried) {
  Json json = {{"sizes", Json::array()},
               {"other_sizes", !tried.sizes.empty()},
               {"data", tried.data},
               {"kernels", Json::array()},
               {"left_out", tried.left_out}};
  for (const run::NamedValues& sizes : tried.sizes) json["sizes"].push_back(to_json(sizes));
  for (const run::OtherKernel& kernel : tried.kernels)
    json["kernels"].push_back({{"kernel", kernel.name}, {"verdict", kernel.verdict}});
  return json;
}

std::string checked_words(const run::Report& report) {
  std::uint64_t blocks = 1;
  for (const std::uint32_t size : report.grid) blocks *= size;
  std::string words = report.findings.empty() ? "nothing found"
                                              : fmt::format("{} finding{}, below", report.findings.size(),
                                                            report.findings.size() == 1 ? "" : "s");
  if (*report.checked_blocks < blocks)
    words += fmt::format("; {} of {} blocks were looked at", *report.checked_blocks, blocks);
  return words;
}

std::string register_words(const run::Report& report) {
  return report.device_registers > 0 ? fmt::format("{} registers", report.device_registers)
                                     : "registers not known for this device";
}

// What a kernel prints may steer a terminal.
std::string for_terminal(std::string text) {
  std::replace_if(
      text.begin(), text.end(),
      [](char c) { return c != '\n' && c != '\t' && (static_cast<unsigned char>(c) < ' ' || c == 0x7f); },
      '?');
  return text;
}

}  // namespace

Json finding_json(const check::Finding& finding) { return to_json(finding); }

Json to_json(const run::Report& report) {
  // What is a quantity has its place here and takes its value from the table.
  Json json = {{"kernel", nullptr},
               {"params", to_json(report.params)},
               {"size", to_json(report.size)},
               {"engine", report.engine},
               {"device", nullptr},
               {"compiled_for", fmt::format("sm_{}", report.compiled_for)},
               {"grid", report.grid},
               {"block", report.block},
               {"stopped", report.stopped},
               {"verified", nullptr},
               {"max_relative_error", nullptr},
               {"explanation", report.explanation},
               {"sampled_blocks", or_null(report.sampled_blocks)},
               {"blocks_run", or_null(report.blocks_run)}};
  add_quantities(json, report);
  json["ptx_counts_before_merge"] =
      report.counted ? Json{{"shared_load", {{"requests", report.shared_load_requests_in_ptx}}}}
                     : Json(nullptr);
  json["merge_matches_cubin"] = or_null(report.vectorized_as_in_cubin);
  json["counted_by_machine_code"] = report.vectorized_as_in_cubin.value_or(false);
  json["checked_blocks"] = or_null(report.checked_blocks);
  json["findings"] = Json::array();
  json["printed"] = report.printed;
  json["seconds"] = report.seconds;
  json["gflops"] = gflops(report);
  json["unit"] = unit_of(report);
  for (const check::Finding& finding : report.findings) json["findings"].push_back(to_json(finding));
  json["tried"] = report.tried ? to_json(*report.tried) : Json(nullptr);
  if (!report.not_checked.empty()) json["not_checked"] = report.not_checked;
  if (report.gpu) json["gpu"] = to_json(*report.gpu);
  return json;
}

TextRow heading_row(std::string_view engine) {
  return {"kernel",
          "verified",
          "requests",
          "sectors",
          "shared wavefronts (ideal)",
          "registers",
          "occupancy",
          engine == "gpu" ? "GPU ms" : "emulation ms"};
}

std::string verdict(const run::Report& report) {
  if (!report.not_checked.empty()) return "not checked";
  if (report.stopped) return std::string(kStopped);
  if (!report.verified) return verdict_of_findings(report);
  if (is_wrong_elsewhere(report))
    return has_kind(report, check::Kind::wrong_at_odd_size) ? "at this size" : "with this data";
  const auto blocks = report.sampled_blocks ? report.sampled_blocks : report.blocks_run;
  return blocks ? fmt::format("yes ({} blocks)", *blocks) : "yes";
}

TextRow to_row(const run::Report& report) {
  const emulator::Counts& counts = report.counts;
  const auto count = [&](std::uint64_t number) { return report.counted ? fmt::format("{}", number) : "-"; };
  return {report.kernel,
          verdict(report),
          count(counts.global_load.requests + counts.global_store.requests),
          count(counts.global_load.sectors + counts.global_store.sectors),
          report.counted ? (is_guessed(report) ? std::string(kAbout) : "") +
                               wavefronts_of(counts.shared_load, counts.shared_store)
                         : "-",
          report.device_registers > 0 ? fmt::format("{}", report.device_registers) : "-",
          plot::percent(report.occupancy),
          fmt::format("{:.{}f}", report.seconds * 1e3, report.gpu ? 4 : 3)};
}

std::string findings_text(const run::Report& report) {
  std::string text;
  for (const check::Finding& finding : report.findings) text += to_text(finding);
  return text;
}

// Of a full SM, where the grid fills none, or not all of them.
std::string occupancy_words(const run::Report& report) {
  const std::string share = plot::percent(report.occupancy), why = run::why_not_full(report);
  return why.empty() ? share : fmt::format("{} of a full SM: {}", share, why);
}

std::string spill_words(const run::Report& report) {
  if (report.spill_bytes == 0) return "no spills";
  return fmt::format("{} bytes of spill stores and {} of spill loads", report.spill_stores,
                     report.spill_bytes - report.spill_stores);
}

std::string to_text(const run::Report& report) {
  const emulator::Counts& counts = report.counts;
  std::vector<TextRow> rows = {
      {report.kernel, to_words(report.params)},
      {"size", to_words(report.size)},
      {"launch", blocks_of_threads(report)},
      {"device",
       fmt::format("{}, compiled for sm_{}, engine {}", report.device, report.compiled_for, report.engine)},
      {"result", result_words(report)},
      {"resources", fmt::format("{}, {} bytes of shared memory, {}, occupancy {}", register_words(report),
                                report.shared_bytes, spill_words(report), occupancy_words(report))},
      {"instructions",
       fmt::format("{} of warps, {} of threads: {:.4g} % of the lanes work", counts.warp_instructions,
                   counts.thread_instructions, 100 * run::number("lane_efficiency", run::sums_of(report)))},
      {"global loads", describe_global(counts.global_load)},
      {"global stores", describe_global(counts.global_store)},
      {"shared loads", describe_shared(counts.shared_load) + "; " + vectorized_words(report)},
      {"shared stores", describe_shared(counts.shared_store)},
      {"time", time_words(report)}};
  if (report.checked_blocks) rows.insert(rows.begin() + 5, {"checks", checked_words(report)});
  if (report.tried) rows.insert(rows.begin() + 6, {"tried too", tried_words(*report.tried)});
  const auto add_if_any = [&](const char* name, const emulator::AccessCounts& accesses, std::string words) {
    if (accesses.requests > 0) rows.insert(rows.end() - 1, {name, std::move(words)});
  };
  add_if_any("global atomics", counts.global_atomic, describe_global(counts.global_atomic));
  add_if_any("constant loads", counts.constant_load,
             fmt::format("{} requests, {} turns: one for each different address",
                         counts.constant_load.requests, counts.constant_load.wavefronts));
  add_if_any("shared atomics", counts.shared_atomic, describe_shared(counts.shared_atomic));
  if (!report.counted) std::erase_if(rows, [](const TextRow& row) { return is_count(row[0]); });
  if (report.gpu) {
    for (TextRow& row : to_rows(*report.gpu)) rows.push_back(std::move(row));
  }
  std::string text;
  for (const TextRow& row : rows)
    text += fmt::format("{:<15}{}{}\n", row[0], row[0].size() < 15 ? "" : "  ", row[1]);
  text += findings_text(report);
  if (!report.printed.empty()) text += "printed\n" + for_terminal(report.printed);
  return text;
}

}  // namespace warplens::app
