// Looking a device up by what a user types, and what to offer when there is none.
#include <algorithm>
#include <cctype>
#include <optional>

#include "engine/device/device.hpp"

namespace warplens::device {
namespace {

// Lower case, without blanks, dashes and underscores: "RTX 4090" and "sm_86" become "rtx4090" and "sm86".
std::string folded(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (c != ' ' && c != '-' && c != '_')
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

// The number of a compute capability written "8.6", "86", "cc8.6", "sm86", "compute86", with the a or f of an
// architecture-specific target allowed ("sm_90a").
std::optional<int> capability_number(std::string text) {
  for (const std::string prefix : {"compute", "cc", "sm"})
    if (text.starts_with(prefix)) {
      text.erase(0, prefix.size());
      break;
    }
  if (text.size() > 2 && (text.back() == 'a' || text.back() == 'f')) text.pop_back();
  const auto dot = text.find('.');
  if (dot != std::string::npos) {
    if (dot + 2 != text.size()) return std::nullopt;
    text.erase(dot, 1);
  }
  if (text.size() < 2 || text.size() > 3) return std::nullopt;
  int number = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    number = number * 10 + (c - '0');
  }
  return number;
}

// Levenshtein distance, a shared start counting half: "rtx4080" is nearer to "rtx4090" than to "v100". A name
// that holds the other is nearest of all: "t10" to "teslat10".
int distance(std::string_view a, std::string_view b) {
  std::vector<int> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  int common = 0;
  while (common < static_cast<int>(std::min(a.size(), b.size())) && a[common] == b[common]) ++common;
  if (a.size() >= 2 && b.find(a) != std::string_view::npos) return -static_cast<int>(a.size());
  return 2 * row.back() - common;
}

std::string nearest_ids(const std::vector<Device>& devices, const std::string& wanted, std::size_t count) {
  std::vector<std::pair<int, std::string>> ranked;
  for (const Device& device : devices) ranked.emplace_back(distance(wanted, device.id), device.id);
  count = std::min(count, ranked.size());
  std::stable_sort(ranked.begin(), ranked.end(), [](auto& a, auto& b) { return a.first < b.first; });
  std::string list;
  for (std::size_t i = 0; i < count; ++i) list += (i ? ", " : "") + ranked[i].second;
  return list;
}

// What the user typed, made safe for one line of an error message.
std::string shown(std::string_view text) {
  std::string out;
  for (const char c : text.substr(0, 40)) out += std::isprint(static_cast<unsigned char>(c)) ? c : '?';
  return out + (text.size() > 40 ? "..." : "");
}

}  // namespace

Result<Device> DeviceTable::find(std::string_view id) const {
  const std::string wanted = folded(id);
  for (const Device& device : devices_) {
    if (folded(device.id) == wanted) return device;
    for (const std::string& alias : device.aliases)
      if (folded(alias) == wanted) return device;
  }
  const auto number = capability_number(wanted);
  for (const Device& device : devices_)
    if (number && device.compute_capability == *number && device.id.starts_with("cc")) return device;
  const std::string like =
      number ? "cc" + std::to_string(*number / 10) + "." + std::to_string(*number % 10) : wanted;
  return Error{
      "unknown device '" + shown(id) + "'", "use one of the nearest: " + nearest_ids(devices_, like, 5), {}};
}

}  // namespace warplens::device
