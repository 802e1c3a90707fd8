#include "engine/ptx/names.hpp"

#include <cstring>

namespace warplens::ptx {
namespace {

std::uint32_t hash_of(std::string_view text) {
  std::uint64_t hash = text.size() * 0x9E3779B97F4A7C15u;
  const char* at = text.data();
  std::size_t left = text.size();
  const auto mix = [&hash](std::uint64_t word) {
    hash = (hash ^ word) * 0xD6E8FEB86659FD93u;
    hash ^= hash >> 32;
  };
  for (; left >= 8; left -= 8, at += 8) {
    std::uint64_t word;
    std::memcpy(&word, at, 8);
    mix(word);
  }
  std::uint64_t word = 0;
  if (left != 0) std::memcpy(&word, at, left);
  mix(word);
  return static_cast<std::uint32_t>(hash ^ (hash >> 29));
}

}  // namespace

std::uint32_t& StringIndex::operator[](std::string_view key) {
  if (2 * (count_ + 1) > slots_.size()) grow();
  const std::uint32_t hash = hash_of(key);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
    Slot& slot = slots_[i];
    if (!slot.used) {
      slot = {key, hash, kNone, true};
      ++count_;
      return slot.value;
    }
    if (slot.hash == hash && slot.key == key) return slot.value;
  }
}

void StringIndex::grow() {
  std::vector<Slot> old(slots_.empty() ? 1024 : 2 * slots_.size());
  old.swap(slots_);
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (!slot.used) continue;
    std::size_t i = slot.hash & mask;
    while (slots_[i].used) i = (i + 1) & mask;
    slots_[i] = slot;
  }
}

const Name* ScopedNames::find(std::string_view name) {
  std::uint32_t& head = heads_[name];
  // Entries of closed scopes are dropped for good: each is walked over once.
  while (head != StringIndex::kNone && !scopes_.is_open(entries_[head].name.scope))
    head = entries_[head].hidden;
  return head == StringIndex::kNone ? nullptr : &entries_[head].name;
}

void ScopedNames::add(std::string_view name, const Name& value) {
  std::uint32_t& head = heads_[name];
  entries_.push_back({value, head});
  head = static_cast<std::uint32_t>(entries_.size() - 1);
}

}  // namespace warplens::ptx
