// `run --engine both` in words and as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/base/text_table.hpp"
#include "app/gpu/both_run.hpp"
#include "app/gpu/hardware_counters.hpp"
#include "app/gpu/report_text.hpp"

namespace warplens::app {
namespace {

std::string words_of(const BitComparison& bits) {
  if (bits.different == 0) return fmt::format("equal, all {} elements compared", bits.compared);
  return fmt::format(
      "{} of {} elements differ, the first is element {}{}", bits.different, bits.compared, bits.first,
      bits.sums_of_blocks ? "; the GPU's blocks add to it in no order, so sums may round apart" : "");
}

std::string words_of_emulator(const Both& both) {
  return both.emulated.verified ? "verified" : verdict(both.emulated);
}

std::string why_no_bits(const Both& both) {
  return both.not_measured ? to_line(*both.not_measured) : "no GPU to compare with";
}

std::string text_of(const std::optional<std::uint64_t>& number) {
  return number ? fmt::format("{}", *number) : "-";
}

std::string share_of(std::uint64_t emulated, std::uint64_t other) {
  if (other == 0) return "DIFFERENT";
  return fmt::format("DIFFERENT, {:+.2f} %",
                     100 * (static_cast<double>(emulated) / static_cast<double>(other) - 1));
}

bool is_other_traffic(const CounterRow& row, const Both& both) {
  const auto own = std::ranges::find(both.counters, kOwnWavefronts, &CounterRow::name);
  const bool equal = own != both.counters.end() && own->hardware == own->emulated;
  return row.hardware && app::is_other_traffic(row.name, row.emulated, *row.hardware, equal);
}

std::string verdict(const CounterRow& row, const Both& both) {
  if (is_other_traffic(row, both))
    return fmt::format("{} more, by other traffic", *row.hardware - row.emulated);
  if (row.hardware && *row.hardware != row.emulated) return share_of(row.emulated, *row.hardware);
  if (row.recorded && *row.recorded != row.emulated) return share_of(row.emulated, *row.recorded);
  return row.hardware || row.recorded ? "equal" : "";
}

std::string counter_table(const Both& both) {
  std::vector<TextRow> rows = {{"counter", "emulated", "recorded on this GPU",
                                both.hardware.empty() ? "hardware counter" : "counted on " + both.hardware,
                                ""}};
  for (const CounterRow& row : both.counters)
    rows.push_back({row.name, fmt::format("{}", row.emulated), text_of(row.recorded), text_of(row.hardware),
                    verdict(row, both)});
  std::string text = format_table(rows);
  if (both.emulated.sampled_blocks)
    text += fmt::format("of {} blocks, a sample; the hardware counts a launch in which only these work\n",
                        *both.emulated.sampled_blocks);
  if (both.hardware.empty()) text += "no hardware counters were taken for these values\n";
  if (std::ranges::any_of(both.counters, [&](const CounterRow& row) { return is_other_traffic(row, both); }))
    text +=
        "by other traffic: the instructions themselves need the wavefronts that were emulated "
        "(shared.wavefronts); while the L1 cache is busy with other data they are tried again\n";
  return text;
}

// Where only a sample of the blocks was recorded its counts stand by themselves.
std::string sample_table(const RecordedRun& run) {
  if (run.blocks == run.blocks_in_grid && run.dropped == 0) return "";
  std::vector<TextRow> rows = {{fmt::format("{} of {} blocks", run.blocks, run.blocks_in_grid), "emulated",
                                "recorded on this GPU", ""}};
  const auto add = [&](const char* name, std::uint64_t emulated, std::uint64_t recorded) {
    rows.push_back({name, fmt::format("{}", emulated), fmt::format("{}", recorded),
                    emulated == recorded ? "equal" : share_of(emulated, recorded)});
  };
  add("global_load.sectors", run.emulated.global_load.sectors, run.counts.global_load.sectors);
  add("global_store.sectors", run.emulated.global_store.sectors, run.counts.global_store.sectors);
  add("shared_load.wavefronts", run.emulated.shared_load.wavefronts, run.counts.shared_load.wavefronts);
  add("shared_store.wavefronts", run.emulated.shared_store.wavefronts, run.counts.shared_store.wavefronts);
  return "\n" + format_table(rows);
}

std::string words_of(const RecordedRun& run) {
  std::string text = fmt::format("{} records of {} of {} blocks, result {}", run.records, run.blocks,
                                 run.blocks_in_grid, run.verified ? "verified" : "WRONG");
  if (run.dropped != 0) text += fmt::format(", {} more did NOT FIT", run.dropped);
  for (const std::string& name : run.left_out) text += fmt::format(", {} not recorded", name);
  if (!run.shared_layout_matches) text += ", shared variables lie apart from the emulator's";
  return text;
}

std::string words_of(const instrument::TraceComparison& accesses) {
  if (accesses.different == 0)
    return fmt::format("equal in address and order, {} accesses of {} warps", accesses.accesses,
                       accesses.warps);
  return fmt::format("{} of {} warps DIFFERENT, the first at {}", accesses.different, accesses.warps,
                     accesses.first);
}

std::string bits_in_short(const Both& both) {
  if (!both.bits || both.bits->compared == 0) return "-";
  if (both.bits->different == 0) return "equal";
  return both.bits->sums_of_blocks ? "another order of sums"
                                   : fmt::format("{} DIFFERENT", both.bits->different);
}

std::string accesses_in_short(const Both& both) {
  if (!both.recorded) return both.not_recorded ? "not recorded" : "-";
  const RecordedRun& run = *both.recorded;
  if (run.dropped != 0) return fmt::format("{} did NOT FIT", run.dropped);
  if (run.accesses.different != 0)
    return fmt::format("{} of {} warps DIFFERENT", run.accesses.different, run.accesses.warps);
  return fmt::format("{} equal, {} of {} blocks", run.accesses.accesses, run.blocks, run.blocks_in_grid);
}

std::string equal_counts(const Both& both, std::optional<std::uint64_t> CounterRow::*other) {
  std::size_t taken = 0, equal = 0, explained = 0;
  for (const CounterRow& row : both.counters) {
    if (!(row.*other)) continue;
    ++taken;
    equal += *(row.*other) == row.emulated ? 1 : 0;
    explained += other == &CounterRow::hardware && is_other_traffic(row, both) ? 1 : 0;
  }
  if (taken == 0) return "-";
  if (equal == taken) return fmt::format("{} equal", taken);
  if (equal + explained == taken) return fmt::format("{} equal, {} more by other traffic", equal, explained);
  return fmt::format("{} of {} DIFFERENT", taken - equal - explained, taken);
}

// {"global_load": {"requests": 1, "sectors": 4}, ...}
Json counters_json(const emulator::Counts& counts) {
  Json json;
  for (const CounterField& field : counter_fields()) {
    const std::string_view name = field.name;
    const auto dot = name.find('.');
    if (name != kOwnWavefronts) json[name.substr(0, dot)][name.substr(dot + 1)] = field.of(counts);
  }
  return json;
}

Json recorded_json(const RecordedRun& run) {
  return {{"blocks", run.blocks},
          {"blocks_in_grid", run.blocks_in_grid},
          {"records", run.records},
          {"dropped", run.dropped},
          {"verified", run.verified},
          {"shared_layout_matches", run.shared_layout_matches},
          {"left_out", run.left_out},
          {"accesses", run.accesses.accesses},
          {"warps", run.accesses.warps},
          {"warps_different", run.accesses.different},
          {"warps_reordered", run.accesses.reordered},
          {"first_difference", run.accesses.first},
          {"counts", counters_json(run.counts)},
          {"emulated_counts", counters_json(run.emulated)}};
}

Json or_null(const std::optional<std::uint64_t>& number) { return number ? Json(*number) : Json(); }

}  // namespace

Json to_json(const Both& both) {
  Json json = {{"emulator", to_json(both.emulated)},
               {"gpu", nullptr},
               {"bits", nullptr},
               {"recording", nullptr},
               {"hardware", nullptr}};
  if (both.measured) json["gpu"] = to_json(*both.measured);
  if (both.bits) {
    json["bits"] = {{"compared", both.bits->compared},
                    {"different", both.bits->different},
                    {"sums_of_blocks", both.bits->sums_of_blocks},
                    {"equal", both.bits->compared > 0 && both.bits->different == 0}};
  }
  if (both.recorded) json["recording"] = recorded_json(*both.recorded);
  if (both.not_counted) json["hardware_error"] = to_line(*both.not_counted);
  if (both.not_recorded) json["recording"] = {{"error", to_line(*both.not_recorded)}};
  if (!both.hardware.empty()) json["hardware"] = both.hardware;
  Json counters = Json::object();
  for (const CounterRow& row : both.counters) {
    counters[row.name] = {{"emulated", row.emulated},
                          {"recorded", or_null(row.recorded)},
                          {"hardware", or_null(row.hardware)},
                          {"equal", (!row.recorded || *row.recorded == row.emulated) &&
                                        (!row.hardware || *row.hardware == row.emulated)}};
    if (is_other_traffic(row, both)) counters[row.name]["other_traffic"] = *row.hardware - row.emulated;
  }
  json["counters"] = std::move(counters);
  return json;
}

std::string to_text(const Both& both) {
  std::string text = to_text(both.measured ? *both.measured : both.emulated);
  text += "\n" + counter_table(both);
  if (both.recorded) text += sample_table(*both.recorded);
  text += fmt::format("\nemulator       {}\n", words_of_emulator(both));
  if (both.measured) text += findings_text(both.emulated);  // else they stand above
  text += fmt::format("bits           {}\n",
                      both.bits ? "emulator and GPU: " + words_of(*both.bits) : why_no_bits(both));
  if (both.recorded)
    text += fmt::format("recorded       {}\naccesses       {}\n", words_of(*both.recorded),
                        words_of(both.recorded->accesses));
  if (both.not_counted) text += fmt::format("counted        no: {}\n", to_line(*both.not_counted));
  if (both.not_recorded) text += fmt::format("recorded       no: {}\n", to_line(*both.not_recorded));
  return text;
}

std::string summary_table(std::span<const Both> runs) {
  std::vector<TextRow> rows = {{"kernel", "emulator", "GPU", "bits", "recorded accesses", "counts recorded",
                                "counts of the hardware"}};
  for (const Both& both : runs)
    rows.push_back({both.emulated.kernel, words_of_emulator(both),
                    !both.measured            ? "-"
                    : both.measured->verified ? "verified"
                                              : "WRONG",
                    bits_in_short(both), accesses_in_short(both), equal_counts(both, &CounterRow::recorded),
                    equal_counts(both, &CounterRow::hardware)});
  return format_table(rows);
}

}  // namespace warplens::app
