#include "engine/catalog/near.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace warplens::catalog {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

// "matmul/03_shared_tile" -> "03_shared_tile"
std::string_view last_part(std::string_view name) { return name.substr(name.rfind('/') + 1); }

}  // namespace

// Optimal string alignment (Damerau-Levenshtein without edits inside a swap), three rows at a time.
std::size_t edit_distance(std::string_view from, std::string_view to) {
  const std::string a = lower(from), b = lower(to);
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] != b[j - 1]);
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) now[j] = std::min(now[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, now);
  }
  return last[b.size()];
}

std::vector<std::string> near_names(std::string_view word, std::span<const std::string> names,
                                    std::size_t count) {
  if (word.empty()) return {};
  const std::string wanted = lower(word);
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (const std::string& name : names) {
    // A word without a folder is compared with the last part of the id.
    const bool whole = word.find('/') != std::string_view::npos;
    const std::size_t distance = edit_distance(word, whole ? std::string_view(name) : last_part(name));
    const bool contained = wanted.size() >= 2 && lower(name).find(wanted) != std::string::npos;
    if (contained || distance <= std::max<std::size_t>(1, word.size() / 3))
      ranked.emplace_back(distance, name);
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> nearest;
  for (auto& [distance, name] : ranked) {
    if (nearest.size() < count) nearest.push_back(std::move(name));
  }
  return nearest;
}

}  // namespace warplens::catalog
