#include "engine/emulator/execution/printed.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "engine/base/text.hpp"

namespace warplens::emulator {

namespace {

std::uint64_t lines_of(std::string_view text) {
  return static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
}

}  // namespace

// Blocks that others have pushed out are all behind those that are kept.
bool Printed::has_room(std::uint64_t block) const { return !is_full() || block < blocks_.rbegin()->first; }

void Printed::add(std::uint64_t block, std::string text) {
  bytes_ += text.size();
  blocks_.emplace(block, std::move(text));
  while (bytes_ - blocks_.rbegin()->second.size() >= kMostPrinted) {
    bytes_ -= blocks_.rbegin()->second.size();
    lines_left_out_ += lines_of(blocks_.rbegin()->second);
    blocks_.erase(std::prev(blocks_.end()));
  }
}

std::string Printed::text(std::uint64_t last, std::uint64_t left_out) const {
  std::string all;
  for (const auto& [block, text] : blocks_)
    if (block <= last) all += text;
  std::size_t end = 0;
  std::uint64_t shown = 0;
  while (shown < kMostLines && end < all.size() && end < kMostPrinted) {
    end = std::min(all.find('\n', end), all.size() - 1) + 1;
    ++shown;
  }
  left_out += lines_left_out_ + lines_of(std::string_view(all).substr(end)) + (end > kMostPrinted ? 1 : 0);
  all.resize(std::min(end, kMostPrinted));
  if (left_out == 0) return all;
  if (!all.empty() && all.back() != '\n') all += '\n';
  return all + "(" + grouped(shown) + (shown == 1 ? " line" : " lines") + " shown, " + grouped(left_out) +
         " left out)\n";
}

}  // namespace warplens::emulator
