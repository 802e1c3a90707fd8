// warplens access: what single accesses of a warp to memory cost, from an expression or a CSV file.
#include <fmt/core.h>

#include <bit>
#include <nlohmann/json.hpp>

#include "app/base/text_table.hpp"
#include "app/base/workspace.hpp"
#include "app/commands/choose.hpp"
#include "app/commands/commands.hpp"
#include "engine/analysis/access.hpp"
#include "engine/analysis/access_csv.hpp"
#include "engine/analysis/index_expression.hpp"
#include "engine/base/json_text.hpp"

namespace warplens::app {
namespace {

using analysis::AccessOp, analysis::WarpAccess;

enum class Space { shared, global };

// One answer for both spaces: what a space does not have is 0.
struct Cost {
  int requests = 0, sectors = 0, ideal_sectors = 0, wavefronts = 0, ideal_wavefronts = 0;
};

Cost cost_of(const WarpAccess& access, Space space, const device::Device& device) {
  if (space == Space::shared) {
    const auto cost = analysis::count_shared(access, device);
    return {
        .requests = cost.requests, .wavefronts = cost.wavefronts, .ideal_wavefronts = cost.ideal_wavefronts};
  }
  const auto cost = analysis::count_global(access, device);
  return {.requests = cost.requests, .sectors = cost.sectors, .ideal_sectors = cost.ideal_sectors};
}

// "0xffffffff", "4294967295"
Result<std::uint32_t> parse_mask(std::string_view text) {
  const auto mask = analysis::parse_number(text);
  if (mask && *mask <= 0xffffffff) return static_cast<std::uint32_t>(*mask);
  return Error{fmt::format("'{}' is not a mask of 32 lanes", text),
               "write it as 0x0000ffff, lane 0 being bit 0"};
}

// The one access that --op, --width, --mask and --index describe.
Result<std::vector<WarpAccess>> described_access(const AccessOptions& options) {
  const auto op = chosen_op(options.op);
  if (!op) return op.error();
  const auto mask = parse_mask(options.mask);
  if (!mask) return mask.error();
  auto access = analysis::access_at_index(options.index, *op, options.width, *mask);
  if (!access) return access.error();
  return std::vector<WarpAccess>{*access};
}

Result<std::vector<WarpAccess>> accesses(const AccessOptions& options) {
  if (options.index.empty() == options.csv.empty()) {
    return Error{"access takes an --index or a --csv, one of them",
                 "try 'warplens access --space shared --index \"32*lane\"'"};
  }
  return options.csv.empty() ? described_access(options) : analysis::read_access_csv(options.csv);
}

Json to_json(const Cost& cost) {
  return {{"requests", cost.requests},
          {"sectors", cost.sectors},
          {"wavefronts", cost.wavefronts},
          {"ideal_wavefronts", cost.ideal_wavefronts}};
}

TextRow heading_row(Space space) {
  const std::string unit = space == Space::shared ? "wavefronts" : "sectors";
  return {"row", "op", "width", "active lanes", "requests", unit, "ideal"};
}

TextRow to_row(std::size_t row, const WarpAccess& access, const Cost& cost, Space space) {
  const bool shared = space == Space::shared;
  return {std::to_string(row),
          access.op == AccessOp::load ? "ld" : "st",
          std::to_string(access.width),
          std::to_string(std::popcount(access.active)),
          std::to_string(cost.requests),
          std::to_string(shared ? cost.wavefronts : cost.sectors),
          std::to_string(shared ? cost.ideal_wavefronts : cost.ideal_sectors)};
}

}  // namespace

Result<int> access_command(const CommonOptions& common, const AccessOptions& options) {
  const auto space = chosen_word<Space>("memory space", options.space,
                                        {{"shared", Space::shared}, {"global", Space::global}});
  if (!space) return space.error();
  const auto workspace = Workspace::open(common);
  if (!workspace) return workspace.error();
  const auto device = workspace->device(options.device);
  if (!device) return device.error();
  const auto list = accesses(options);
  if (!list) return list.error();
  Json json = Json::array();
  std::vector<TextRow> rows = {heading_row(*space)};
  for (const WarpAccess& access : *list) {
    const Cost cost = cost_of(access, *space, *device);
    if (common.json) {
      json.push_back(to_json(cost));
    } else {
      rows.push_back(to_row(rows.size(), access, cost, *space));
    }
  }
  fmt::print("{}", common.json ? to_text(json) : format_table(rows));
  return kExitFine;
}

}  // namespace warplens::app
