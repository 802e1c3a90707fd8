// warplens sass: the machine code of a kernel, instruction by instruction, with the schedule that the
// compiler wrote into it and what each did.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <vector>

#include "app/base/text_table.hpp"
#include "app/base/workspace.hpp"
#include "app/commands/choose.hpp"
#include "app/commands/commands.hpp"
#include "engine/base/json_text.hpp"
#include "engine/run/run.hpp"
#include "engine/sass/address.hpp"
#include "engine/sass/machine_listing.hpp"

namespace warplens::app {
namespace {

Result<run::SharedRun> run_of(const Workspace& workspace, const SassOptions& options) {
  const auto device = workspace.device(options.kernel.device);
  if (!device) return device.error();
  auto plan = plan_one(workspace, options.kernel, *device);
  if (!plan) return plan.error();
  compile::Compiler compiler = workspace.compiler();
  auto build = run::compile(compiler, *plan);
  if (!build) return build.error();
  auto instance = run::Instances({}).instantiate(*plan);
  if (!instance) return instance.error();
  return run::run_on_emulator({*std::move(plan), *std::move(instance), *std::move(build)});
}

Json barrier(int number) { return number < 0 ? Json(nullptr) : Json(number); }

Json to_json(const sass::Row& row, const sass::Listing& listing) {
  Json waits = Json::array();
  for (int i = 0; i < 6; ++i)
    if ((row.waits >> i & 1) != 0) waits.push_back(i);
  const auto counted = [&](double count) { return listing.is_counted ? Json(count) : Json(nullptr); };
  return {{"address", row.address},
          {"text", row.text},
          {"stall", row.stall},
          {"yield", row.yields},
          {"write_barrier", barrier(row.write_barrier)},
          {"read_barrier", barrier(row.read_barrier)},
          {"waits", waits},
          {"live_registers", row.live_registers > 0 ? Json(row.live_registers) : Json(nullptr)},
          {"line", row.line},
          {"executed", counted(row.executed)},
          {"sectors", counted(row.sectors)},
          {"wavefronts", counted(row.wavefronts)}};
}

void print_json(const run::Run& run, const sass::Listing& listing) {
  Json rows = Json::array();
  for (const sass::Row& row : listing.rows) rows.push_back(to_json(row, listing));
  fmt::print("{}", to_text(Json{{"kernel", run.report.kernel},
                                {"architecture", listing.architecture},
                                {"registers", listing.registers},
                                {"counted_blocks", run.emulation.outcome.counters.blocks_run},
                                {"without_text",
                                 listing.without_text ? Json(to_line(*listing.without_text)) : Json(nullptr)},
                                {"instructions", rows}}));
}

std::string number_text(double number) { return number > 0 ? fmt::format("{:.0f}", number) : ""; }
std::string barrier_text(int number) { return number < 0 ? "" : std::to_string(number); }

void print_table(const run::Run& run, const sass::Listing& listing) {
  std::vector<TextRow> rows{{"address", "stall", "writes", "reads", "waits for", "registers", "executed",
                             "sectors", "wavefronts", "line", "instruction"}};
  for (const sass::Row& row : listing.rows)
    rows.push_back({sass::address_text(row.address), fmt::format("{}{}", row.stall, row.yields ? "y" : ""),
                    barrier_text(row.write_barrier), barrier_text(row.read_barrier),
                    sass::barriers_text(row.waits),
                    row.live_registers > 0 ? std::to_string(row.live_registers) : "",
                    number_text(row.executed), number_text(row.sectors), number_text(row.wavefronts),
                    row.line > 0 ? std::to_string(row.line) : "", row.text});
  fmt::print("{}: machine code of {}, {} registers a thread, {} instructions; counts of {} blocks\n{}",
             run.plan().spec.id, listing.architecture, listing.registers, listing.rows.size(),
             run.emulation.outcome.counters.blocks_run, format_table(rows));
}

}  // namespace

Result<int> sass_command(const CommonOptions& common, const SassOptions& options) {
  const auto workspace = Workspace::open(common);
  if (!workspace) return workspace.error();
  const auto run = run_of(*workspace, options);
  if (!run) return run.error();
  sass::Disassembler disassembler(disassembler_options(read_environment()));
  const auto listing = sass::list(**run, disassembler);
  if (!listing) return listing.error();
  if (listing->without_text) print_warning(to_line(*listing->without_text));
  if (common.json)
    print_json(**run, *listing);
  else
    print_table(**run, *listing);
  return kExitFine;
}

}  // namespace warplens::app
