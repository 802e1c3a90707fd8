#include "engine/analysis/access_csv.hpp"

#include <array>
#include <charconv>
#include <optional>

#include "engine/base/whole_file.hpp"

namespace warplens::analysis {
namespace {

constexpr int kLanes = 32;
constexpr std::array kNamed = {"op", "width_bytes", "active_mask"};
constexpr const char* kColumns = "op, width_bytes, active_mask, lane0 to lane31";

// What a reader of the message needs to see of a field.
std::string shown(std::string_view field) {
  std::string out = "'";
  for (const char c : field.substr(0, 30)) out += c >= ' ' && c != 127 ? c : '?';
  return out + (field.size() > 30 ? "...'" : "'");
}

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

// Splits one line; nullopt where a quote is not closed.
std::optional<std::vector<std::string>> split(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += line[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  if (quoted) return std::nullopt;
  for (std::string& field : fields) field = std::string(trimmed(field));
  return fields;
}

std::string lane_name(int lane) { return "lane" + std::to_string(lane); }

class Reader {
 public:
  explicit Reader(std::string_view file) : file_(file) {}

  Result<std::vector<WarpAccess>> read(std::string_view text) {
    if (text.starts_with("\xef\xbb\xbf"))
      text.remove_prefix(3);  // a byte order mark, as spreadsheets write it
    std::vector<WarpAccess> accesses;
    bool have_header = false;
    while (!text.empty()) {
      const auto end = text.find('\n');
      std::string_view line = text.substr(0, end);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
      ++line_;
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (trimmed(line).empty()) continue;
      const auto fields = split(line);
      if (!fields) return fail("a double quote is not closed", "close it on the same line");
      if (!have_header) {
        if (auto ok = read_header(*fields); !ok) return ok.error();
        have_header = true;
        continue;
      }
      auto access = read_row(*fields);
      if (!access) return access.error();
      accesses.push_back(*access);
    }
    if (!have_header) return fail("the file is empty", std::string("start it with the columns ") + kColumns);
    if (accesses.empty())
      return fail("there is no access after the column names", "add one row for each access");
    return accesses;
  }

 private:
  Error fail(std::string message, std::string next_step) const {
    return {std::move(message), std::move(next_step), {file_, line_, 0}};
  }

  // Enters `name` at `column` where it is one of ours; true unless it was already there.
  bool enter(const std::string& name, int column) {
    int* place = nullptr;
    for (std::size_t i = 0; i < kNamed.size(); ++i)
      if (name == kNamed[i]) place = &named_[i];
    for (int lane = 0; lane < kLanes; ++lane)
      if (name == lane_name(lane)) place = &lanes_[static_cast<std::size_t>(lane)];
    if (place == nullptr) return true;
    if (*place >= 0) return false;
    *place = column;
    return true;
  }

  Status read_header(const std::vector<std::string>& fields) {
    named_.fill(-1);
    lanes_.fill(-1);
    for (std::size_t i = 0; i < fields.size(); ++i)
      if (!enter(fields[i], static_cast<int>(i)))
        return fail("column " + fields[i] + " is given twice", "remove one of them");
    for (std::size_t i = 0; i < kNamed.size(); ++i)
      if (named_[i] < 0) return missing(kNamed[i]);
    for (int lane = 0; lane < kLanes; ++lane)
      if (lanes_[static_cast<std::size_t>(lane)] < 0) return missing(lane_name(lane));
    columns_ = fields.size();
    return Done{};
  }
  Error missing(const std::string& column) const {
    return fail("there is no column " + column,
                std::string("name the columns ") + kColumns + " in the first line");
  }

  Result<WarpAccess> read_row(const std::vector<std::string>& fields) const {
    if (fields.size() != columns_)
      return fail("the row has " + std::to_string(fields.size()) + " fields and the first line " +
                      std::to_string(columns_),
                  "give one field for each column");
    const auto field = [&](int column) -> const std::string& {
      return fields[static_cast<std::size_t>(column)];
    };
    WarpAccess access;
    const std::string& op = field(named_[0]);
    if (op != "ld" && op != "st") return fail("op is " + shown(op), "write ld or st");
    access.op = op == "ld" ? AccessOp::load : AccessOp::store;
    const auto width = parse_number(field(named_[1]));
    if (!width || *width == 0 || *width > 16 || (*width & (*width - 1)) != 0)
      return fail("width_bytes is " + shown(field(named_[1])), "write 1, 2, 4, 8 or 16");
    access.width = static_cast<int>(*width);
    const auto mask = parse_number(field(named_[2]));
    if (!mask || *mask > 0xffffffffu)
      return fail("active_mask is " + shown(field(named_[2])),
                  "write a number of 32 bits such as 0xffffffff");
    access.active = static_cast<std::uint32_t>(*mask);
    for (int lane = 0; lane < kLanes; ++lane)
      if (auto ok = read_lane(field(lanes_[static_cast<std::size_t>(lane)]), lane, access); !ok)
        return ok.error();
    return access;
  }

  Status read_lane(const std::string& field, int lane, WarpAccess& access) const {
    const bool active = (access.active >> lane & 1) != 0;
    if (field.empty() && !active) return Done{};
    const auto offset = parse_number(field);
    if (!offset) return fail(lane_name(lane) + " is " + shown(field), "write a byte offset of 0 or more");
    if (active && *offset % static_cast<unsigned>(access.width) != 0)
      return fail(lane_name(lane) + " is at byte " + field + ", which is no multiple of the width " +
                      std::to_string(access.width),
                  "align the offset (the hardware would fault)");
    access.address[static_cast<std::size_t>(lane)] = *offset;
    return Done{};
  }

  std::string file_;
  int line_ = 0;
  std::size_t columns_ = 0;
  std::array<int, kNamed.size()> named_{};
  std::array<int, kLanes> lanes_{};
};

}  // namespace

std::optional<std::uint64_t> parse_number(std::string_view text) {
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  if (hex) text.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, hex ? 16 : 10);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Result<std::vector<WarpAccess>> parse_access_csv(std::string_view text, std::string_view file_name) {
  return Reader(file_name).read(text);
}

Result<std::vector<WarpAccess>> read_access_csv(const std::string& path) {
  const auto text = read_whole_file(path);
  if (!text) return text.error();
  return parse_access_csv(*text, path);
}

}  // namespace warplens::analysis
