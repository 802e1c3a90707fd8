#include "engine/emulator/execution/printed.hpp"

#include <iterator>
#include <utility>

namespace warplens::emulator {

// Blocks that others have pushed out are all behind those that are kept.
bool Printed::has_room(std::uint64_t block) const { return !is_full() || block < blocks_.rbegin()->first; }

void Printed::add(std::uint64_t block, std::string text) {
  bytes_ += text.size();
  blocks_.emplace(block, std::move(text));
  while (bytes_ - blocks_.rbegin()->second.size() >= kMostPrinted) {
    bytes_ -= blocks_.rbegin()->second.size();
    blocks_.erase(std::prev(blocks_.end()));
  }
}

std::string Printed::text(std::uint64_t last) const {
  std::string all;
  for (const auto& [block, text] : blocks_)
    if (block <= last) all += text;
  if (all.size() > kMostPrinted) all.resize(kMostPrinted);
  return all;
}

}  // namespace warplens::emulator
