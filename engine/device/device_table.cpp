// Reads assets/devices.toml: a schema table of fields, rows that inherit by `like`, devices on top of
// capability rows.
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <set>
#include <span>
#include <variant>

#include "engine/base/toml_parsing.hpp"
#include "engine/device/device.hpp"

namespace warplens::device {
namespace {

// A number of a row; a whole one has a least value, a real one is above 0.
struct Field {
  const char* key;
  std::variant<int Device::*, std::int64_t Device::*, double Device::*> member;
  std::int64_t least = 1;
};

constexpr Field kFp32Lanes{"fp32_lanes_per_sm", &Device::fp32_lanes_per_sm};
constexpr Field kWavefronts{"shared_wavefronts_per_clock", &Device::shared_wavefronts_per_clock};
constexpr std::array kCapabilityFields = {
    Field{"warp_size", &Device::warp_size},
    Field{"max_threads_per_block", &Device::max_threads_per_block},
    Field{"max_threads_per_sm", &Device::max_threads_per_sm},
    Field{"max_warps_per_sm", &Device::max_warps_per_sm},
    Field{"max_blocks_per_sm", &Device::max_blocks_per_sm},
    Field{"registers_per_sm", &Device::registers_per_sm},
    Field{"registers_per_block", &Device::registers_per_block},
    Field{"max_registers_per_thread", &Device::max_registers_per_thread},
    Field{"checked_registers_per_thread", &Device::checked_registers_per_thread},
    Field{"register_allocation_unit", &Device::register_allocation_unit},
    Field{"warp_allocation_granularity", &Device::warp_allocation_granularity},
    Field{"launch_warp_granularity", &Device::launch_warp_granularity},
    Field{"shared_allocation_unit", &Device::shared_allocation_unit},
    Field{"shared_banks", &Device::shared_banks},
    Field{"shared_per_sm", &Device::shared_per_sm},
    Field{"shared_per_block", &Device::shared_per_block},
    Field{"shared_per_block_optin", &Device::shared_per_block_optin},
    Field{"shared_reserved_per_block", &Device::shared_reserved_per_block, 0},
    kFp32Lanes,
    kWavefronts,
};
// That a row may leave unknown.
constexpr Field kL2Bytes{"l2_bytes", &Device::l2_bytes};
constexpr Field kFp64{"fp64_per_clock", &Device::fp64_per_clock};
constexpr std::array kOptionalFields = {Field{"l1_bytes_per_clock", &Device::l1_bytes_per_clock}, kFp64,
                                        Field{"special_per_clock", &Device::special_per_clock},
                                        Field{"integer_per_clock", &Device::integer_per_clock},
                                        Field{"multiplies_per_clock", &Device::multiplies_per_clock}};
constexpr std::array kDeviceFields = {
    Field{"sm_count", &Device::sm_count},
    Field{"boost_clock_mhz", &Device::boost_clock_mhz},
    Field{"memory_gb_per_s", &Device::memory_gb_per_s},
};

struct RuleName {
  const char* name;
  GlobalRule rule;
};
constexpr std::array kRuleNames = {
    RuleName{"half_warp_strict", GlobalRule::half_warp_strict},
    RuleName{"half_warp_segments", GlobalRule::half_warp_segments},
    RuleName{"lines_128", GlobalRule::lines_128},
    RuleName{"sectors_32", GlobalRule::sectors_32},
};

// One [[capability]] or [[device]] table while it is read. The first error wins; `given` collects the keys
// that were read, so that what is left over is unknown.
class Row {
 public:
  Row(const toml::table& table, std::string_view file) : table_(table), file_(file) {}

  Place place(const toml::node* node = nullptr) const {
    const auto& region = node ? node->source() : table_.source();
    return {std::string(file_), static_cast<int>(region.begin.line), static_cast<int>(region.begin.column)};
  }
  void fail(std::string message, std::string next_step, const toml::node* node = nullptr) {
    if (!error_) error_ = Error{std::move(message), std::move(next_step), place(node)};
  }
  const std::optional<Error>& error() const { return error_; }

  const toml::node* find(const char* key) {
    given_.insert(key);
    return table_.get(key);
  }
  bool has(const char* key) const { return table_.contains(key); }

  std::optional<std::int64_t> integer(const char* key, std::int64_t least, std::int64_t most) {
    const toml::node* node = find(key);
    if (!node) return std::nullopt;
    const auto value = node->value_exact<std::int64_t>();
    if (value && *value >= least && *value <= most) return value;
    fail(std::string(key) + " must be a whole number of at least " + std::to_string(least),
         "correct the value", node);
    return std::nullopt;
  }
  std::optional<double> real(const char* key) {
    const toml::node* node = find(key);
    if (!node) return std::nullopt;
    const auto value = node->is_number() ? node->value<double>() : std::nullopt;
    if (value && *value > 0 && *value < 1e9) return value;
    fail(std::string(key) + " must be a number above 0", "correct the value", node);
    return std::nullopt;
  }
  std::optional<bool> boolean(const char* key) {
    const toml::node* node = find(key);
    if (!node) return std::nullopt;
    const auto value = node->value_exact<bool>();
    if (!value) fail(std::string(key) + " must be true or false", "correct the value", node);
    return value;
  }
  std::optional<std::string> text(const char* key) {
    const toml::node* node = find(key);
    if (!node) return std::nullopt;
    auto value = node->value_exact<std::string>();
    if (value && !value->empty()) return value;
    fail(std::string(key) + " must be a text", "put the value in quotes", node);
    return std::nullopt;
  }
  std::string needed_text(const char* key) {
    auto value = text(key);
    if (!value) fail(std::string(key) + " is missing", std::string("add ") + key + " = \"...\" to this row");
    return value.value_or("");
  }
  // Fails for every key that no reader asked for.
  void refuse_unknown() {
    for (const auto& [key, node] : table_)
      if (!given_.contains(std::string(key.str())))
        fail("unknown key " + std::string(key.str()), "correct its spelling or remove it", &node);
  }

 private:
  const toml::table& table_;
  std::string_view file_;
  std::optional<Error> error_;
  std::set<std::string> given_;
};

void read(Row& row, const Field& field, Device& device) {
  const auto set = [&](auto member) {
    using Value = std::remove_reference_t<decltype(device.*member)>;
    if constexpr (std::is_floating_point_v<Value>) {
      if (const auto value = row.real(field.key)) device.*member = *value;
    } else if (const auto value = row.integer(field.key, field.least, std::numeric_limits<int>::max())) {
      device.*member = static_cast<Value>(*value);
    }
  };
  std::visit(set, field.member);
}
void read(Row& row, std::span<const Field> fields, Device& device) {
  for (const Field& field : fields) read(row, field, device);
}
void need_all(Row& row, std::span<const Field> fields) {
  for (const Field& field : fields)
    if (!row.has(field.key))
      row.fail(std::string(field.key) + " is missing", "give it, or name an earlier row with like = \"...\"");
}

// "8.6" -> 86.
std::optional<int> capability_number(std::string_view text) {
  const auto dot = text.find('.');
  if (dot == std::string_view::npos || dot == 0 || dot > 2 || text.size() != dot + 2) return std::nullopt;
  int number = 0;
  for (const char c : text) {
    if (c == '.') continue;
    if (c < '0' || c > '9') return std::nullopt;
    number = number * 10 + (c - '0');
  }
  return number;
}

void read_rule(Row& row, Device& device) {
  const auto name = row.text("global_rule");
  if (!name) return;
  const auto* found =
      std::find_if(kRuleNames.begin(), kRuleNames.end(), [&](auto& r) { return *name == r.name; });
  if (found != kRuleNames.end()) {
    device.global_rule = found->rule;
    return;
  }
  std::string all;
  for (const auto& r : kRuleNames) all += std::string(all.empty() ? "" : ", ") + r.name;
  row.fail("unknown global_rule " + *name, "use one of " + all, row.find("global_rule"));
}

void read_carveouts(Row& row, Device& device) {
  const toml::node* node = row.find("shared_carveouts");
  if (!node) return;
  std::vector<std::int64_t> sizes;
  if (const toml::array* array = node->as_array())
    for (const auto& element : *array) sizes.push_back(element.value_exact<std::int64_t>().value_or(-1));
  if (sizes.empty() || sizes.front() < 0 || !std::is_sorted(sizes.begin(), sizes.end()))
    return row.fail("shared_carveouts must be a rising list of byte counts", "correct the list", node);
  device.shared_carveouts = std::move(sizes);
}

// Each replaces that of the row that it is like, and that of [time].
void read_time(Row& row, Device& device) {
  const toml::node* node = row.find("time");
  if (!node) return;
  const toml::table* table = node->as_table();
  if (!table) return row.fail("time must be a table of numbers", "write time = { NAME = 1 }", node);
  for (const auto& [name, value] : *table) {
    if (!value.is_number() || *value.value<double>() < 0)
      return row.fail("time." + std::string(name.str()) + " must be a number from 0", "correct it", &value);
    device.time[std::string(name.str())] = *value.value<double>();
  }
}

void read_aliases(Row& row, Device& device) {
  const toml::node* node = row.find("aliases");
  if (!node) return;
  const toml::array* array = node->as_array();
  if (!array) return row.fail("aliases must be a list of texts", "write aliases = [\"...\"]", node);
  for (const auto& element : *array) {
    auto alias = element.value_exact<std::string>();
    if (!alias || alias->empty()) return row.fail("an alias must be a text", "put it in quotes", &element);
    device.aliases.push_back(std::move(*alias));
  }
}

void check_capability(Row& row, const Device& device) {
  if (device.max_threads_per_sm != device.max_warps_per_sm * device.warp_size)
    row.fail("max_threads_per_sm is not max_warps_per_sm * warp_size", "correct one of them");
  if (device.shared_carveouts.empty() || device.shared_carveouts.back() != device.shared_per_sm)
    row.fail("shared_per_sm is not the largest of shared_carveouts", "correct one of them");
  if (device.shared_per_block > device.shared_per_block_optin ||
      device.shared_per_block_optin + device.shared_reserved_per_block > device.shared_per_sm)
    row.fail("shared memory per block, with opt-in and per SM do not rise", "correct one of them");
}

Result<Device> read_capability(Row& row, const std::vector<Device>& earlier) {
  Device device;
  const std::string id = row.needed_text("id");
  const auto number = capability_number(id);
  if (!number) row.fail("id " + id + " is no compute capability", "write it as \"8.6\"", row.find("id"));
  if (const auto like = row.text("like")) {
    const auto base =
        std::find_if(earlier.begin(), earlier.end(), [&](auto& d) { return d.id == "cc" + *like; });
    if (base == earlier.end()) {
      row.fail("like = " + *like + " names no earlier row", "put that row above this one", row.find("like"));
    } else {
      device = *base;
    }
  } else {
    need_all(row, kCapabilityFields);
    for (const char* key : {"registers_per_warp", "shared_carveouts", "global_rule"})
      if (!row.has(key))
        row.fail(std::string(key) + " is missing", "give it, or name an earlier row with like");
  }
  device.id = "cc" + id;
  device.compute_capability = number.value_or(0);
  device.name = row.needed_text("name");
  device.source = row.needed_text("source");
  read(row, kCapabilityFields, device);
  read(row, kOptionalFields, device);
  if (auto value = row.boolean("registers_per_warp")) device.registers_per_warp = *value;
  read_rule(row, device);
  read_time(row, device);
  read_carveouts(row, device);
  row.refuse_unknown();
  if (!row.error()) check_capability(row, device);
  if (row.error()) return *row.error();
  return device;
}

Result<Device> read_device(Row& row, const std::vector<Device>& earlier) {
  Device device;
  const std::string capability = row.needed_text("capability");
  const auto base =
      std::find_if(earlier.begin(), earlier.end(), [&](auto& d) { return d.id == "cc" + capability; });
  if (base != earlier.end()) {
    device = *base;
  } else {
    row.fail("capability " + capability + " has no row", "use the id of a [[capability]] row",
             row.find("capability"));
  }
  device.id = row.needed_text("id");
  device.name = row.needed_text("name");
  device.source = row.needed_text("source");
  need_all(row, kDeviceFields);
  read(row, kDeviceFields, device);
  read(row, kL2Bytes, device);
  read(row, kFp32Lanes, device);
  read(row, kFp64, device);
  read(row, kWavefronts, device);
  read_time(row, device);
  read_aliases(row, device);
  row.refuse_unknown();
  if (row.error()) return *row.error();
  return device;
}

bool is_taken(const std::vector<Device>& devices, const Device& device) {
  const auto names = [](const Device& d) {
    std::vector<std::string> all = d.aliases;
    all.push_back(d.id);
    return all;
  };
  for (const Device& other : devices)
    for (const std::string& a : names(other))
      for (const std::string& b : names(device))
        if (a == b) return true;
  return false;
}

// Those of [time] where a row says nothing else.
Status read_common_time(const toml::table& root, std::string_view file, std::vector<Device>& devices) {
  Device common;
  Row row(root, file);
  read_time(row, common);
  if (row.error()) return *row.error();
  for (Device& device : devices) device.time.insert(common.time.begin(), common.time.end());
  return Done{};
}

using Reader = Result<Device> (*)(Row&, const std::vector<Device>&);

// Appends the rows of one array of tables to devices.
Status read_rows(const toml::table& root, const char* key, Reader reader, std::string_view file,
                 std::vector<Device>& devices) {
  const toml::array* rows = root[key].as_array();
  const Place start{std::string(file), 1, 0};
  const std::string heading = std::string("[[") + key + "]]";
  if (!rows) return Error{"no " + heading + " row", "add at least one", start};
  for (const toml::node& node : *rows) {
    if (!node.is_table())
      return Error{std::string(key) + " must be tables", "write rows as " + heading, start};
    Row row(*node.as_table(), file);
    auto device = reader(row, devices);
    if (!device) return device.error();
    if (is_taken(devices, *device)) return Error{device->id + " is given twice", "remove one", row.place()};
    devices.push_back(std::move(*device));
  }
  return Done{};
}

Result<toml::table> parse_toml(std::string_view text, std::string_view file) {
  try {
    return warplens::parse_toml(text, file);
  } catch (const toml::parse_error& e) {
    const auto at = e.source().begin;
    return Error{std::string(e.description()),
                 "correct the TOML",
                 {std::string(file), static_cast<int>(at.line), static_cast<int>(at.column)}};
  }
}

}  // namespace

Result<DeviceTable> DeviceTable::parse(std::string_view toml_text, std::string_view file_name) {
  auto root = parse_toml(toml_text, file_name);
  if (!root) return root.error();
  for (const auto& [key, node] : *root)
    if (key.str() != "capability" && key.str() != "device" && key.str() != "time")
      return Error{"unknown table " + std::string(key.str()),
                   "use [[capability]], [[device]] or [time]",
                   {std::string(file_name), static_cast<int>(node.source().begin.line), 0}};
  DeviceTable table;
  if (auto s = read_rows(*root, "capability", read_capability, file_name, table.devices_); !s)
    return s.error();
  if (root->contains("device"))
    if (auto s = read_rows(*root, "device", read_device, file_name, table.devices_); !s) return s.error();
  if (auto s = read_common_time(*root, file_name, table.devices_); !s) return s.error();
  return table;
}

}  // namespace warplens::device
