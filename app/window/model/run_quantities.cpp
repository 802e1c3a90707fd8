#include "app/window/model/run_quantities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/window/model/words.hpp"
#include "engine/base/text.hpp"
#include "engine/catalog/launches.hpp"

namespace warplens::app {
namespace {

// Of the blocks that ran to the whole grid.
double scale_of(const run::Run& run) {
  const auto ran = run.emulation.outcome.counters.blocks_run;
  return ran == 0 ? 1 : static_cast<double>(run.emulation.blocks_in_grid) / static_cast<double>(ran);
}

double used_share(const run::Run& run) {
  const auto& total = run.lines.total.traffic.global;
  return total.sectors == 0
             ? 0
             : static_cast<double>(total.bytes_used) / (32.0 * static_cast<double>(total.sectors));
}

double idle_multiprocessors(const run::Run& run) {
  return std::max(0.0, run.device().sm_count - static_cast<double>(run.emulation.blocks_in_grid));
}

std::string settings_of(const catalog::Values& values) {
  std::string text;
  for (const auto& [name, value] : values)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  return text;
}

std::string head_of(const run::Run& run) {
  const run::Plan& plan = run.plan();
  const std::string params = settings_of(plan.parameters);
  return plan.spec.id + (params.empty() ? "" : " " + params);
}

std::string exact(const Quantity& quantity) {
  switch (quantity.form) {
    case Form::percent:
      return fmt::format("{:.4f}", quantity.value);
    case Form::speed:
      return quantity.value == 0 ? "" : fmt::format("{:.2f}", quantity.value);
    default:
      return fmt::format("{:.0f}", quantity.value);
  }
}

std::string facts_of(const run::Run& run) {
  std::string text = fmt::format("size\t{}\ndevice\t{}\nengine\temulator\n", settings_of(run.plan().sizes),
                                 run.device().name);
  if (run.emulation.is_sampled())
    text += fmt::format("blocks run\t{} of {}, counts scaled\n", run.emulation.outcome.counters.blocks_run,
                        run.emulation.blocks_in_grid);
  return text;
}

}  // namespace

std::vector<Quantity> quantities_of(const run::Run& run) {
  const emulator::Counts& c = run.report.counts;
  const double scale = scale_of(run);
  const auto whole = [&](std::uint64_t n) { return std::round(scale * static_cast<double>(n)); };
  const std::uint64_t ideal = c.shared_load.ideal_wavefronts + c.shared_store.ideal_wavefronts;
  const catalog::LaunchShape& launch = run.plan().launch;
  return {
      {"Global load requests", whole(c.global_load.requests), Better::fewer, Form::count,
       "Warp-wide loads from global memory"},
      {"Global load sectors", whole(c.global_load.sectors), Better::fewer, Form::count,
       "32-byte units that those loads asked for"},
      {"Global store requests", whole(c.global_store.requests), Better::fewer, Form::count,
       "Warp-wide stores to global memory"},
      {"Global store sectors", whole(c.global_store.sectors), Better::fewer, Form::count,
       "32-byte units that those stores wrote to"},
      {"Bytes used of moved", used_share(run), Better::more, Form::percent,
       "Distinct bytes that each warp asked for, over 32 bytes for each sector"},
      {"Shared load wavefronts", whole(c.shared_load.wavefronts), Better::fewer, Form::count,
       "Turns that shared memory took to serve the loads"},
      {"Shared store wavefronts", whole(c.shared_store.wavefronts), Better::fewer, Form::count,
       "Turns that shared memory took to serve the stores"},
      {"Bank conflicts", whole(c.shared_load.wavefronts + c.shared_store.wavefronts - ideal), Better::fewer,
       Form::count, "Shared wavefronts beyond the ideal ones"},
      {"Warp instructions", whole(c.warp_instructions), Better::fewer, Form::count,
       "Instructions of PTX that warps executed"},
      {"Thread instructions", whole(c.thread_instructions), Better::fewer, Form::count,
       "Active lanes in them"},
      {"Occupancy", run.report.occupancy, Better::more, Form::percent,
       "Warps that fit on one multiprocessor, of the most it holds"},
      {"Spilled bytes", static_cast<double>(run.report.spill_bytes), Better::fewer, Form::bytes,
       "Bytes of registers kept in memory, stores and loads of a thread"},
      {"Registers a thread", static_cast<double>(run.report.registers), Better::neither, Form::count,
       "Of the machine code"},
      {"Shared memory a block", static_cast<double>(run.report.shared_bytes), Better::neither, Form::bytes,
       "Static and dynamic"},
      {"Threads a block", static_cast<double>(catalog::threads_in_block(launch)), Better::neither,
       Form::count, "Of the launch"},
      {"Blocks", static_cast<double>(run.emulation.blocks_in_grid), Better::neither, Form::count,
       "Of the grid"},
      {"SMs without a block", idle_multiprocessors(run), Better::fewer, Form::count,
       "Of the device's multiprocessors: a larger size gives them work"},
  };
}

const measured::RecordedSpeed* recorded_speed(const measured::RecordedSpeeds& recorded, const run::Run& run) {
  const run::Plan& plan = run.plan();
  return recorded.find(plan.spec.id, run.source, plan.sizes, &plan.parameters);
}

Quantity recorded_quantity(const measured::RecordedSpeeds& recorded, const run::Run& run) {
  const measured::RecordedSpeed* found = recorded_speed(recorded, run);
  const measured::Rate rate = found == nullptr ? measured::Rate{} : rate_of(*found);
  return {"Recorded speed", rate.value, Better::more, Form::speed, "Measured with exactly these values",
          rate.unit};
}

std::string text_of(const Quantity& quantity) {
  switch (quantity.form) {
    case Form::percent:
      return fmt::format("{:.3g} %", 100 * quantity.value);
    case Form::bytes:
      return quantity.value == 0 ? "none" : grouped(static_cast<std::uint64_t>(quantity.value)) + " B";
    case Form::speed:
      return quantity.value < 100 ? fmt::format("{:.3g}", quantity.value)
                                  : grouped(static_cast<std::uint64_t>(std::round(quantity.value)));
    case Form::count:
      break;
  }
  return quantity.value == 0 ? "none" : short_count(quantity.value);
}

Verdict compare(const Quantity& left, const Quantity& right) {
  if (left.value == right.value) return {Verdict::Kind::same, false, "the same"};
  Verdict verdict;
  verdict.up = right.value > left.value;
  const bool good = verdict.up == (left.better == Better::more);
  verdict.kind = left.better == Better::neither ? Verdict::Kind::other
                 : good                         ? Verdict::Kind::better
                                                : Verdict::Kind::worse;
  const double low = std::min(left.value, right.value), high = std::max(left.value, right.value);
  const char* word = left.form == Form::percent ? verdict.up ? "higher" : "lower"
                     : left.form == Form::speed ? verdict.up ? "faster" : "slower"
                     : verdict.up               ? "more"
                                                : "fewer";
  if (low == 0) {
    verdict.text = verdict.up ? "from none" : "to none";
  } else {
    const double times = high / low;
    // What rounds to no difference is none worth judging.
    if (times < 1.0005) return {Verdict::Kind::same, verdict.up, "almost the same"};
    verdict.text = times < 1.1
                       ? fmt::format("{:.1f} % {}", 100 * std::abs(right.value / left.value - 1), word)
                   : times < 99.95 ? fmt::format("{:.3g}× {}", times, word)
                                   : fmt::format("{:.0f}× {}", times, word);
  }
  return verdict;
}

std::string tsv_of(const run::Run& run) {
  std::string text = fmt::format("quantity\t{}\n{}", head_of(run), facts_of(run));
  for (const Quantity& quantity : quantities_of(run))
    text += fmt::format("{}\t{}\n", quantity.name, exact(quantity));
  return text;
}

std::string tsv_of(const run::Run& left, const run::Run& right, const measured::RecordedSpeeds& recorded) {
  std::string text = fmt::format("quantity\t{}\t{}\tright over left\n", head_of(left), head_of(right));
  text += fmt::format("size\t{}\t{}\t\ndevice\t{}\t{}\t\nengine\temulator\temulator\t\n",
                      settings_of(left.plan().sizes), settings_of(right.plan().sizes), left.device().name,
                      right.device().name);
  const Quantity of_left = recorded_quantity(recorded, left), of_right = recorded_quantity(recorded, right);
  if (of_left.value > 0 || of_right.value > 0)
    text += fmt::format(
        "recorded on {}, {}\t{}\t{}\t{}\n", recorded.device, (of_left.value > 0 ? of_left : of_right).unit,
        exact(of_left), exact(of_right),
        of_left.value * of_right.value == 0 ? "" : fmt::format("{:.4g}", of_right.value / of_left.value));
  const auto lefts = quantities_of(left), rights = quantities_of(right);
  for (std::size_t i = 0; i < lefts.size(); ++i)
    text += fmt::format("{}\t{}\t{}\t{}\n", lefts[i].name, exact(lefts[i]), exact(rights[i]),
                        lefts[i].value == 0 ? "" : fmt::format("{:.4g}", rights[i].value / lefts[i].value));
  return text;
}

}  // namespace warplens::app
